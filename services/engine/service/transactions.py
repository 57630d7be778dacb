"""Changes tables: reads the snapshot, decides, and commits if the version is still the same; else retries."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import msgspec
from msgspec import Raw, Struct, structs

from services.engine.errors import ProblemError
from services.engine.service import codec, tokens
from services.engine.service.errors import (
    UNEXPECTED_ERRORS,
    NoSuchTableError,
    WrongTokenError,
    diagnosed,
)
from services.engine.service.idempotency import Caller, TableReply, idempotency_record, replayed_token
from services.engine.service.notices import encoded_news
from services.engine.service.overdue import OverdueTables
from services.engine.service.views import EncodedViews
from services.engine.store import Commit, EncodedLogEntry, ListingName, LoadedTable, Snapshot, Store, StoredAnswer
from services.engine.store.errors import DamagedError
from services.engine.store.holdings import PLAYED, TABLE, NoRoomError
from services.engine.table.state import (
    TABLE_SECONDS,
    UNPLAYED_SECONDS,
    AnyTable,
    MoveMade,
    NewerReleaseError,
    Part,
    Transition,
    changed_at,
    seat_of,
    with_marks,
)

_encoder = msgspec.json.Encoder()

WEIGHED = 16
"""Number of versions after which a table's size is measured again. It is also measured when the status changes."""
ATTEMPTS = 64
"""Maximum number of attempts to commit a transition. Each failed attempt means that another writer was faster."""

Decide = Callable[[AnyTable, int | None], Transition | None]
"""Takes the table and the caller's seat, and returns the transition, or None if nothing changes. Raises an error if the
change is not allowed.
"""
Respond = Callable[[EncodedViews, int | None], Struct | Raw]
"""Returns the body of the reply. Takes the views of the table after the transition, and the seat that gets the reply:
the seat with a new token, or else the caller's seat.
"""
Prepare = Callable[[EncodedViews, bytes], Callable[[], object]]
"""Takes the views and the snapshot of a table that is about to be committed. Returns a function that gives them to
listeners after the commit.
"""
TransitionObserver = Callable[[str, Transition], None]
"""Called for each transition sent to the store, with `committed`, `clash`, or `replayed` (a retry of an answered
request)."""


def authenticate(table: AnyTable, token: bytes | None) -> int | None:
    """Return the seat of a token, given its SHA-256; None for a spectator.

    Raises `WrongTokenError` if no seat has the token.
    """
    if token is None:
        return None
    seat = seat_of(table, token)
    if seat is None:
        raise WrongTokenError
    return seat


def existing(snapshot: Snapshot | None) -> Snapshot:
    """Return the snapshot. Raises `NoSuchTableError` if it is None."""
    if snapshot is None:
        raise NoSuchTableError
    return snapshot


def _require_version(table: AnyTable, caller: Caller, part: Part) -> None:
    """Raise `ProblemError` `stale` if a part of the table has changed since the caller's version (`If-Match`)."""
    if caller.version is not None and not changed_at(table, part) <= caller.version <= table.version:
        raise ProblemError("stale", version=table.version)


def read(snapshot: Snapshot | None, table: str) -> AnyTable:
    """Return the table of a snapshot.

    Raises `NoSuchTableError` if there is no snapshot, and the errors of `decode`.
    """
    return _read(snapshot, table, codec.cached_decode)


def read_to_change(snapshot: Snapshot | None, table: str) -> AnyTable:
    """Return the table as `read` does.

    Also raises `NewerReleaseError` if a transition would lose data of a newer release.
    """
    return _read(snapshot, table, codec.cached_decode_to_change)


def _read(snapshot: Snapshot | None, table: str, decode: Callable[[bytes], AnyTable]) -> AnyTable:
    stored = existing(snapshot)
    state = decode(stored.data)
    if state.version != stored.version or state.match.table != table:
        raise DamagedError
    return state


def readable(snapshots: Sequence[Snapshot], table: str) -> list[AnyTable]:
    """Return the tables of consecutive snapshots, starting after the last snapshot that cannot be read."""
    tables: list[AnyTable] = []
    for snapshot in reversed(snapshots):
        try:
            tables.append(read(snapshot, table))
        except (NewerReleaseError, DamagedError):
            break
    return tables[::-1]


class Transactions:
    """Commits transitions, each exactly once."""

    def __init__(
        self, store: Store, overdue: OverdueTables, observers: Sequence[TransitionObserver], prepare: Prepare
    ) -> None:
        self._store = store
        self._overdue = overdue
        self._observers = observers
        self._prepare = prepare

    async def create(
        self, transition: Transition, caller: Caller, respond: Respond, token: str, nonce: bytes
    ) -> TableReply:
        """Commit a new table. A retry with the same idempotency key gets the first reply."""
        await self._store.verify()
        if self._store.floor:  # an earlier attempt may have opened the table, and Redis may have lost it
            numbered = structs.replace(transition.table, version=self._store.floor + 1)
            transition = structs.replace(transition, table=numbered)
        table = transition.table.id
        reply = _reply(transition.table, respond(EncodedViews(transition.table), 0), token)
        try:
            await self._store.holdings.admit(transition.table.opener, TABLE)
        except NoRoomError:
            answer = (await self._store.load(table, caller.answer_key)).answer
            if answer is None:
                raise
            return self._replay(answer, table, caller, respond)
        outcome = await self._store.commit(commit_of(transition, None, caller, nonce))
        self._report(outcome, transition)
        if isinstance(outcome, StoredAnswer):
            return self._replay(outcome, table, caller, respond)
        if outcome == "clash":  # the key has expired, but its table still exists
            raise ProblemError("key_reused")
        return reply

    async def write(
        self,
        table: str,
        caller: Caller,
        decide: Decide,
        respond: Respond,
        *,
        token: str | None = None,
        nonce: bytes = b"",
        compared: Part = "table",
    ) -> TableReply:
        """Commit the transition that `decide` returns, and return the reply made by `respond`.

        The version that the caller expects is compared with the last change of the part `compared`.

        The first attempt uses the cached snapshot, without reading Redis. Its result counts only if the commit
        succeeds: the script checks the version and the idempotency key. The reply is made before the commit, so that
        nothing is committed if making the reply fails.

        Raises `ProblemError`: `stale` if the table has another version, `busy` if other writers are always faster,
        `key_reused` if the key was used for a different request. Also raises `NoSuchTableError`, `WrongTokenError`, and
        the errors of `decide`.
        """
        remembered = self._store.remembered(table)
        state: AnyTable | None = None
        for _ in range(ATTEMPTS):
            loaded = LoadedTable(remembered, None) if remembered else await self._store.load(table, caller.answer_key)
            if loaded.answer:
                return self._replay(loaded.answer, table, caller, respond)
            try:
                state = read_to_change(loaded.snapshot, table)
                seat = authenticate(state, caller.digest)
                _require_version(state, caller, compared)
                transition = decide(state, seat)
                if transition is None:
                    if remembered:  # the cached snapshot may be out of date
                        remembered = state = None
                        continue
                    return _reply(state, respond(EncodedViews(state), seat), token)
                same = token is None and transition.table.seats is state.seats
                after = seat if same else _seat(transition.table, caller, token)
                views = EncodedViews(transition.table)
                reply = _reply(transition.table, respond(views, after), token)
                await self._admit(state, transition.table)
            # unlike a commit, a refusal does not store the deadline, so restore it if it is lost
            except Exception as error:
                if remembered:
                    remembered = state = None
                    continue
                if state is None:
                    raise
                await self._overdue.restore_if_overdue(state)
                raise diagnosed(state, error) from None
            commit = commit_of(transition, loaded.snapshot, caller, nonce)
            pass_on = self._prepare(views, commit.data)
            outcome = await self._store.commit(commit)
            self._report(outcome, transition)
            if isinstance(outcome, StoredAnswer):
                return self._replay(outcome, table, caller, respond)
            if outcome == "committed":
                pass_on()
                return reply
            remembered = state = None
        raise ProblemError("busy")

    async def known(self, table: str) -> AnyTable | None:
        """Return the cached table, which may be out of date; None if it cannot be read."""
        try:
            return read(self._store.remembered(table) or (await self._store.load(table)).snapshot, table)
        except (NoSuchTableError, NewerReleaseError, DamagedError):
            return None

    async def act(self, table: str, decide: Callable[[AnyTable], Awaitable[Transition | None]]) -> None:
        """Commit a transition of the clock, if any; otherwise store the table's wake time again.

        Raises `NewerReleaseError`, `DamagedError`, and `TableError` if the rules have changed.
        """
        for _ in range(ATTEMPTS):
            snapshot = (await self._store.load(table)).snapshot
            if snapshot is None:
                return await self._store.schedule(table, None)
            state = read_to_change(snapshot, table)
            try:
                transition = await decide(state)
            except UNEXPECTED_ERRORS as error:
                raise diagnosed(state, error) from None
            if transition is None:
                return await self._store.schedule(table, state.wake, state.version)
            commit = commit_of(transition, snapshot, Caller())
            pass_on = self._prepare(EncodedViews(transition.table), commit.data)
            outcome = await self._store.commit(commit)
            self._report(outcome, transition)
            if outcome == "committed":
                pass_on()
                return None
        raise ProblemError("busy")

    async def _admit(self, before: AnyTable, after: AnyTable) -> None:
        """Raise `NoRoomError` if a match or a rematch begins while the opener's tables take too much storage."""
        playing = after.status == "playing" and before.status != "playing"
        if playing or (before.rematch is None and after.rematch is not None):
            await self._store.holdings.admit(before.opener, PLAYED)

    def _replay(self, answer: StoredAnswer, table: str, caller: Caller, respond: Respond) -> TableReply:
        """Rebuild the first reply to a request, from the table's snapshot that was stored with it."""
        token = replayed_token(answer, caller)
        then = read(answer.snapshot, table)
        try:
            body = respond(EncodedViews(then), _seat(then, caller, token))
            return structs.replace(_reply(then, body, token), repeated=True)
        except UNEXPECTED_ERRORS as error:
            raise diagnosed(then, error) from None

    def _report(self, outcome: Literal["committed", "clash"] | StoredAnswer, transition: Transition) -> None:
        shown = "replayed" if isinstance(outcome, StoredAnswer) else outcome
        for observe in self._observers:
            observe(shown, transition)


def listing_of(table: AnyTable) -> ListingName | None:
    """Return the name of the list that contains a table, or None."""
    return table.status if table.listed and table.status != "over" else None


def commit_of(transition: Transition, snapshot: Snapshot | None, caller: Caller, nonce: bytes = b"") -> Commit:
    """Return the commit of a transition; `snapshot` is the table's previous snapshot, None for a new table."""
    table, opener = transition.table, transition.table.opener or b""
    before = codec.cached_decode(snapshot.data) if snapshot else None
    table = with_marks(before or table, table)
    unplayed = table.status == "playing" and not _person_moved(transition, caller)
    deserted = before is not None and not _has_people(table) and _has_people(before)
    weighed = before is None or _was_other(before, table) or table.version % WEIGHED == 0
    return Commit(
        table=table.match.table,
        expected=snapshot.version if snapshot else 0,
        version=table.version,
        data=codec.cached_encode(table, snapshot.data if snapshot else b""),
        previous=snapshot.data if snapshot else b"",
        log=[EncodedLogEntry(line.match, line.deal, codec.encode_line(line)) for line in transition.log],
        idempotency=idempotency_record(caller, nonce),
        wake=table.wake,
        ttl=max(UNPLAYED_SECONDS, 2 * (table.turn_seconds or 0)) if unplayed else TABLE_SECONDS[table.status],
        least=unplayed,
        listing=listing_of(table),
        opener=opener,
        weighed=weighed or deserted,
        least_bytes=PLAYED if table.status == "playing" else 0,
        deserted=deserted,
        forget=transition.forgets,
        news=encoded_news(before, table),
    )


def _reply(table: AnyTable, body: Struct | Raw, token: str | None) -> TableReply:
    with_token = structs.replace(body, token=token) if token and isinstance(body, Struct) else body
    return TableReply(table.version, _encoder.encode(with_token))


def _seat(table: AnyTable, caller: Caller, token: str | None) -> int | None:
    """Return the seat that gets the reply: the seat with a new token, or else the caller's seat."""
    digest = caller.digest if token is None else tokens.digest(token)
    return None if digest is None else seat_of(table, digest)


def _person_moved(transition: Transition, caller: Caller) -> bool:
    return caller.digest is not None and any(isinstance(line.entry, MoveMade) for line in transition.log)


def _was_other(before: AnyTable, after: AnyTable) -> bool:
    """Return whether a table's status or listing has changed."""
    return before.status != after.status or before.listed != after.listed


def _has_people(table: AnyTable) -> bool:
    return any(seat.kind == "person" for seat in table.everybody)
