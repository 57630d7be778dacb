"""One transition: read the snapshot, decide purely, commit if nobody was faster; after a clash, begin again."""

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct, structs

from services.engine import codec, tokens
from services.engine.errors import BusyError, NoSuchTableError, StaleError, WrongTokenError
from services.engine.idempotency import Caller, KeyReusedError, Reply, kept, replayed
from services.engine.store.store import Answer, Commit, Snapshot, Store
from services.engine.store.store import LogLine as StoredLine
from services.engine.table.state import AnyTable, Step, seat_of

_encoder = msgspec.json.Encoder()

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


def existing(snapshot: Snapshot | None) -> Snapshot:
    """Return a snapshot that is there. Raises `NoSuchTableError`."""
    if snapshot is None:
        raise NoSuchTableError
    return snapshot


def read(snapshot: Snapshot | None) -> AnyTable:
    """Return the table of a snapshot. Raises `NoSuchTableError`."""
    return codec.decode(existing(snapshot).data)


def ignore(_outcome: str, _step: Step) -> None:
    """Take no notice."""


class Writer:
    """Commits steps, each exactly once."""

    def __init__(self, store: Store, observe: Observe = ignore) -> None:
        self._store = store
        self._observe = observe

    async def create(self, step: Step, caller: Caller, respond: Respond, token: str, nonce: bytes) -> Reply:
        """Commit a new table; a retry with the same idempotency key gets the first answer."""
        outcome = await self._store.commit(transition(step, None, caller, nonce))
        self._tell(outcome, step)
        if isinstance(outcome, Answer):
            return _replay(outcome, caller, respond)
        if outcome == "clash":  # the key is forgotten, and the table that it opened is still there
            raise KeyReusedError
        return _reply(step.table, respond(step.table, None), token)

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
                return _replay(loaded.answer, caller, respond)
            found = read(loaded.snapshot)
            seat = authenticate(found, caller.digest)
            if caller.version not in (None, found.version):
                raise StaleError(found.version)
            step = decide(found, seat)
            outcome = await self._store.commit(transition(step, loaded.snapshot, caller, nonce))
            self._tell(outcome, step)
            if isinstance(outcome, Answer):
                return _replay(outcome, caller, respond)
            if outcome == "committed":
                seat = seat if step.table.seats is found.seats else _seat(step.table, caller)
                return _reply(step.table, respond(step.table, seat), token)
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
            outcome = await self._store.commit(transition(step, snapshot, Caller()))
            self._tell(outcome, step)
            if outcome == "committed":
                return None
        raise BusyError

    def _tell(self, outcome: Literal["committed", "clash"] | Answer, step: Step) -> None:
        self._observe("replayed" if isinstance(outcome, Answer) else outcome, step)


def transition(step: Step, found: Snapshot | None, caller: Caller, nonce: bytes = b"") -> Commit:
    """Return what the store is to take."""
    table = step.table
    return Commit(
        table=table.match.table,
        expected=found.version if found else 0,
        version=table.version,
        data=codec.encode(table),
        previous=found.data if found else b"",
        log=[StoredLine(line.match, line.deal, codec.encode_line(line)) for line in step.log],
        idempotency=kept(caller, nonce),
        wake=table.wake,
        ttl=LIFETIMES[table.status],
        listed=table.listed and table.status == "open",
    )


def _replay(answer: Answer, caller: Caller, respond: Respond) -> Reply:
    """Return the first answer again: made anew of the table as the request left it."""
    token = replayed(answer, caller)
    table = read(answer.snapshot)
    return _reply(table, respond(table, _seat(table, caller)), token)


def _reply(table: AnyTable, body: Struct, token: str | None) -> Reply:
    told = structs.replace(body, token=token) if token else body
    return Reply(table.version, _encoder.encode(told))


def _seat(table: AnyTable, caller: Caller) -> int | None:
    return None if caller.digest is None else seat_of(table, caller.digest)


def fresh_token(caller: Caller) -> tuple[str, bytes]:
    """Return a new token and, where the caller can retry with an idempotency key, the nonce that it comes from."""
    if caller.key is None:
        return tokens.new_token(), b""
    nonce = tokens.new_secret()
    return tokens.token_for(caller.key, nonce), nonce
