"""Reads tables: views, events, event streams, and proofs of deals.

All results show what the token's seat may see or, without a token, what spectators may see.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct

from locanda.games.game import AnyDealState, AnyGame
from locanda.messages import EventItem, PlayedMove, Proof
from services.common.pieces import in_pieces
from services.engine.catalogue import details
from services.engine.errors import ProblemError
from services.engine.service import codec, tokens
from services.engine.service.accounts import Accounts, Group
from services.engine.service.errors import UNEXPECTED_ERRORS
from services.engine.service.feeds import TableFeeds
from services.engine.service.idempotency import Caller, TableReply
from services.engine.service.listeners import EncodedRemark, Listener, Send, send_nothing
from services.engine.service.overdue import OverdueTables, WakeTime, wake_time_of
from services.engine.service.transactions import authenticate, existing, read, readable
from services.engine.service.views import EncodedEvent, EncodedViews, EventKind
from services.engine.store import Snapshot, Store
from services.engine.store.errors import DamagedError
from services.engine.table import fairness, history
from services.engine.table.state import AnyTable, DealStart, MoveMade, TableError, game_of, seat_of

CACHED_VIEWS = 4096
"""Number of cached views, about 2 KB each."""


class TableAccess(Struct, frozen=True):
    """A table, and the seat of the request's token. The seat is None for a spectator."""

    table: AnyTable
    seat: int | None


class Queries:
    """Reads tables, their events and their logs."""

    def __init__(self, store: Store, overdue: OverdueTables, accounts: Accounts, feeds: TableFeeds) -> None:
        self._store = store
        self._overdue = overdue
        self._accounts = accounts
        self._feeds = feeds

    async def access(self, table: str, token: str | None) -> TableAccess:
        """Return the current table, and the seat of the token.

        Raises `NoSuchTableError`, and `WrongTokenError` if the token has no seat. If this release cannot serve the
        table, raises `NewerReleaseError`, `DamagedError` or `TableError`.
        """
        state = read((await self._store.load(table)).snapshot, table)
        game_of(state)
        await self._overdue.restore_if_overdue(state)
        return TableAccess(state, authenticate(state, _digest(token)))

    async def seated(self, table: str, token: str) -> tuple[AnyTable, int]:
        """Return the current table and the token's seat. Raises the errors of `access`, and `no_token`."""
        accessed = await self.access(table, token)
        if accessed.seat is None:
            raise ProblemError("no_token")
        return accessed.table, accessed.seat

    async def was_answered(self, table: str | None, caller: Caller) -> bool:
        """Return whether a request with the caller's idempotency key was already answered.

        Keys are valid for one table, or for opening tables (`table` is None).
        """
        if caller.key is None:
            return False
        opened = tokens.table_id_for(caller.key) if table is None else table
        return (await self._store.load(opened, caller.answer_key)).answer is not None

    async def show(self, table: str, token: str | None) -> TableReply:
        """Return the current view of the table. Raises the errors of `access`."""
        snapshot = existing((await self._store.load(table)).snapshot)
        body, wake = _encoded_view(snapshot.version, snapshot.data, table, _digest(token))
        if self._overdue.is_overdue(wake):
            await self._overdue.restore(table, snapshot.version)
        return TableReply(snapshot.version, body)

    async def show_newer(self, table: str, token: str | None, after: int, wait: float, account: Group) -> TableReply:
        """Return the view as `show` does, but first wait up to `wait` seconds for a version newer than `after`."""
        listener = Listener(account, None)
        async with self._feeds.of(table, listener):
            shown = await self.show(table, token)
            if shown.version > after:
                return shown
            await listener.newer(after, wait)
            await self._accounts.turn(account)
            return await self.show(table, token)

    async def events(self, table: str, token: str | None, after: int | None) -> list[EventItem]:
        """Return the events after a version. If some are no longer stored, return a `gap` with the current table."""
        digest = _digest(token)
        items: list[EventItem] = []
        for kind, then in await self._past(table, digest, after):
            await asyncio.sleep(0)  # let other requests run before the next event
            items.append(EventItem(then.version, kind, EncodedViews(then).view(_seat(then, digest))))
        return items

    async def _past(self, table: str, digest: bytes | None, after: int | None) -> list[tuple[EventKind, AnyTable]]:
        """Return the table at each version after `after`, or a `gap` with the current table."""
        latest, snapshots = await self._store.events(table, after)
        now = read(latest, table)
        await self._overdue.restore_if_overdue(now)
        authenticate(now, digest)
        states = readable(snapshots, table)
        if after is not None and _missed(after, now.version, states):
            return [("gap", now)]
        return [("change", then) for then in states]

    async def follow(
        self,
        table: str,
        token: str | None,
        seats: Sequence[str],
        after: int | None,
        send: Send = send_nothing,
        *,
        account: Group,
        hears: bool = False,
    ) -> AsyncGenerator[EncodedEvent | EncodedRemark | None]:
        """Yield the events after a version, and then new events; None after `KEEP_ALIVE_SECONDS` without an event.

        `seats` are additional tokens, whose views are included in each event. `send` may send an event immediately;
        such events are not yielded. With `hears`, remarks are yielded too. While `account` is over its limit, only the
        newest version is yielded, as a `gap` if others were skipped. Raises the errors of `access`.
        """
        digest, others = _digest(token), [tokens.digest(seat_token) for seat_token in seats]
        listener = Listener(account, digest, send, others, hears=hears)
        async with self._feeds.of(table, listener):
            if after is None:
                now = (await self.access(table, token)).table
                listener.after, listener.reads = now.version, False
                yield EncodedViews(now).event("change", digest, others)
            else:
                listener.after = after
            while True:
                while listener.events:
                    yield listener.events.popleft()
                if listener.failure is not None:
                    raise listener.failure
                if listener.behind:
                    listener.reads, listener.newest = True, 0
                    await self._accounts.turn(account)
                    for kind, then in await self._past(table, digest, listener.after):
                        listener.after = then.version
                        yield EncodedViews(then).event(kind, digest, others)
                    listener.reads = False
                elif not await listener.woken():
                    yield None

    async def proof(self, table: str, deal: int, match: int | None) -> Proof:
        """Return the proof of a deal.

        Raises `TableError` while its match is in progress. Raises `ProblemError`: `no_such_deal` if the match has no
        such deal, `proof_lost` if the log is incomplete or damaged.
        """
        state = read((await self._store.load(table)).snapshot, table)
        game = game_of(state)
        try:
            return await proved(game, *await self.finished_log(state, deal, match))
        except UNEXPECTED_ERRORS:
            raise ProblemError("proof_lost") from None

    async def finished_log(
        self, table: AnyTable, deal: int, match: int | None
    ) -> tuple[DealStart[Struct], list[MoveMade]]:
        """Return the log of a deal; without `match`, of the last match. Raises the same errors as `proof`."""
        number = table.match.number if match is None else match
        if number == table.match.number and table.match.result is None:
            raise TableError("match_not_over", match=number)
        try:
            lines = await self._store.log(table.id, number, deal)
            if not lines:
                played = number == table.match.number and 1 <= deal <= table.match.deal
                raise ProblemError("proof_lost") if played else ProblemError("no_such_deal")
            return codec.decode_log(table.game, lines)
        except (*UNEXPECTED_ERRORS, DamagedError):
            raise ProblemError("proof_lost") from None


@lru_cache(maxsize=CACHED_VIEWS)
def _encoded_view(version: int, data: bytes, table: str, digest: bytes | None) -> tuple[bytes, WakeTime | None]:
    """Return the view of a snapshot as JSON, and when the clock must act. Raises the errors of `access`.

    The result is cached, since it depends only on the arguments. So an unchanged table is not encoded again.
    """
    state = read(Snapshot(version, data), table)
    return EncodedViews(state).of(authenticate(state, digest)), wake_time_of(state)


def _missed(after: int, version: int, states: list[AnyTable]) -> bool:
    """Return whether the event after version `after` is no longer stored, or never existed."""
    return states[0].version != after + 1 if states else after != version


def _seat(then: AnyTable, digest: bytes | None) -> int | None:
    """Return the seat of a token in an earlier table. None if its player had not sat down yet and was a spectator."""
    return None if digest is None else seat_of(then, digest)


def _digest(token: str | None) -> bytes | None:
    return None if token is None else tokens.digest(token)


def prove(game: AnyGame, start: DealStart[Struct], made: list[MoveMade]) -> Proof:
    """Return the proof of a deal from its log. Raises `ProblemError` `proof_lost` if the log does not fit."""
    return _proof(game, start, made, [*_played(game, start, made)])


async def proved(game: AnyGame, start: DealStart[Struct], made: list[MoveMade]) -> Proof:
    """Return the proof as `prove` does. Other requests run in between, since a log may be long."""
    deals = [deal async for deal in in_pieces(_played(game, start, made), history.MOVES_AT_ONCE)]
    return _proof(game, start, made, deals)


def _played(game: AnyGame, start: DealStart[Struct], made: list[MoveMade]) -> Iterator[AnyDealState]:
    """Yield the deal before its first move and after each move. Raises `ProblemError` `proof_lost`."""
    now: AnyDealState = history.dealt(game, start)
    yield now
    for line in made:
        move = msgspec.convert(line.move, game.move_type)
        if now.turn != line.seat or game.check(now, move):
            raise ProblemError("proof_lost")
        now, _ = game.play(now, move, fairness.shuffle)
        yield now


def _proof(game: AnyGame, start: DealStart[Struct], made: list[MoveMade], deals: list[AnyDealState]) -> Proof:
    match, result = start.match, game.result(deals[-1])
    if result is None:
        raise ProblemError("proof_lost")
    return Proof(
        table=match.table,
        game=game.name,
        rules=start.rules,
        match=match.number,
        deal=match.deal,
        commitment=match.commitment,
        server_seed=match.server_seed.hex(),
        client_seeds=match.client_seeds,
        seed=match.deal_seed(match.deal).hex(),
        dealing=details(game.name).dealing,
        start=game.to_wire(deals[0]),
        moves=[PlayedMove(line.seat, line.move) for line in made],
        result=result,
    )
