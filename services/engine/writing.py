"""One transition: read the snapshot, decide purely, commit if nobody was faster; after a clash, begin again."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from services.engine import codec, tokens
from services.engine.errors import BusyError, NoSuchTableError, StaleError, WrongTokenError
from services.engine.idempotency import Caller, KeyReusedError, Reply, replay, stored, with_token
from services.engine.store.store import Answer, Commit, Snapshot, Store
from services.engine.store.store import LogLine as StoredLine
from services.engine.table.state import AnyTable, Step, seat_of

ATTEMPTS = 64
"""How often a step is decided anew; each clash means that somebody else got through."""

LIFETIMES = {"open": 6 * 3600, "playing": 14 * 86_400, "over": 3 * 86_400}
"""Seconds that a table lives on after its last step, by status."""

Decide = Callable[[AnyTable, int | None], Step]
"""From the table and the caller's seat to the step. Raises what forbids it."""
Respond = Callable[[AnyTable, int | None], Struct]
"""From the table after the step and the caller's seat in it to the body of the answer."""
Observe = Callable[[str, Step], None]
"""Told of each step sent to the store: `committed`, `clash`, or `replayed` where the key was answered before."""


def authenticate(table: AnyTable, token: bytes | None) -> int | None:
    """Return the seat of a token's SHA-256, none for a spectator. Raises `WrongTokenError`."""
    if token is None:
        return None
    seat = seat_of(table, token)
    if seat is None:
        raise WrongTokenError
    return seat


def read(snapshot: Snapshot | None) -> AnyTable:
    """Return the table of a snapshot. Raises `NoSuchTableError`."""
    if snapshot is None:
        raise NoSuchTableError
    return codec.decode(snapshot.data)


def ignore(_outcome: str, _step: Step) -> None:
    """Take no notice."""


class Writer:
    """Commits steps, each exactly once."""

    def __init__(self, store: Store, observe: Observe = ignore) -> None:
        self._store = store
        self._observe = observe

    async def create(self, step: Step, caller: Caller, body: Struct, token: str, nonce: bytes) -> Reply:
        """Commit a new table; a retry with the same idempotency key gets the first answer."""
        reply = _reply(step.table, body, nonce)
        outcome = await self._commit(step, 0, caller, reply)
        if isinstance(outcome, Answer):
            return replay(outcome, caller)
        if outcome == "clash":  # the key's answer is forgotten after a day, and the table that it opened is still there
            raise KeyReusedError
        return with_token(reply, token)

    async def write(
        self,
        table: str,
        caller: Caller,
        decide: Decide,
        respond: Respond,
        *,
        token: str | None = None,
        nonce: bytes = b"",
    ) -> Reply:
        """Commit the step that `decide` takes, and answer with what `respond` makes of it.

        Raises the errors of `services.engine.errors`, `KeyReusedError`, and what `decide` raises.
        """
        for _ in range(ATTEMPTS):
            loaded = await self._store.load(table, caller.answer_key)
            if loaded.answer:
                return replay(loaded.answer, caller)
            found = read(loaded.snapshot)
            seat = authenticate(found, caller.digest)
            if caller.version not in (None, found.version):
                raise StaleError(found.version)
            step = decide(found, seat)
            after = None if caller.digest is None else seat_of(step.table, caller.digest)
            reply = _reply(step.table, respond(step.table, after), nonce)
            outcome = await self._commit(step, found.version, caller, reply)
            if isinstance(outcome, Answer):
                return replay(outcome, caller)
            if outcome == "committed":
                return with_token(reply, token) if token else reply
        raise BusyError

    async def act(self, table: str, decide: Callable[[AnyTable], Step | None]) -> None:
        """Commit a step of the house's own, or none; then see to it that the clock knows the table's time."""
        for _ in range(ATTEMPTS):
            snapshot = (await self._store.load(table)).snapshot
            if snapshot is None:
                return await self._store.schedule(table, None)
            found = codec.decode(snapshot.data)
            step = decide(found)
            if step is None:
                return await self._store.schedule(table, found.wake, found.version)
            if await self._commit(step, found.version, Caller(), None) == "committed":
                return None
        raise BusyError

    async def _commit(self, step: Step, expected: int, caller: Caller, reply: Reply | None) -> str | Answer:
        table = step.table
        key = caller.answer_key
        outcome = await self._store.commit(
            Commit(
                table=table.id,
                expected=expected,
                version=table.version,
                data=(data := codec.encode(table)),
                event=data,
                log=[StoredLine(line.match, line.deal, codec.encode_line(line)) for line in step.log],
                idempotency=(key, stored(reply, caller)) if key and reply else None,
                wake=table.wake,
                ttl=LIFETIMES[table.status],
                listed=table.listed and table.status == "open",
            )
        )
        self._observe("replayed" if isinstance(outcome, Answer) else outcome, step)
        return outcome


def _reply(table: AnyTable, body: Struct, nonce: bytes) -> Reply:
    return Reply(table.version, msgspec.json.encode(body), nonce)


def fresh_token(caller: Caller) -> tuple[str, bytes]:
    """Return a new token and, where the caller can retry with an idempotency key, the nonce that it comes from."""
    if caller.key is None:
        return tokens.new_token(), b""
    nonce = tokens.new_secret()
    return tokens.token_for(caller.key, nonce), nonce
