"""Seats of people: taking a seat, standing up, leaving, coming back."""

import asyncio
import time
from contextlib import suppress
from secrets import token_urlsafe
from weakref import WeakValueDictionary

import structlog
from msgspec import structs

from locanda.client import EngineClient
from locanda.errors import (
    ConflictError,
    EngineError,
    ForbiddenError,
    IllegalMoveError,
    KeyReusedError,
    MalformedError,
    NotFoundError,
    UnauthorizedError,
    UnavailableError,
)
from locanda.messages import ChangeTable, GameName, GivenOptions, GiveSeed, OpenTable, Seated, SitDown, Table
from services.common.names import clean_name, distinct
from services.telegram.records import ChatTable, Departure, KeptSeat, PersonRecord, SeatRequest
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.bounds import OF_A_PERSON, Openings, require_fewer
from services.telegram.tables.lookup import ActionRefusedError, TableLookup
from services.telegram.tables.seat_names import computer_name

log = structlog.get_logger(__name__)

REFUSED = (
    ConflictError,
    ForbiddenError,
    IllegalMoveError,
    KeyReusedError,
    MalformedError,
    NotFoundError,
    UnauthorizedError,
)
"""Errors that mean that a request had no effect and need not be repeated."""


def was_emptied(table: Table) -> bool:
    """Return whether the last person left the engine's table before its first match."""
    return table.status == "over" and table.host is None and table.deal is None


KEPT_SECONDS = 600.0
"""Seconds after which the engine's table of an empty lobby is given up."""


async def empty_table(
    repositories: Repositories, chat_table: ChatTable, table: Table, kept: KeptSeat | None = None
) -> ChatTable:
    """Reset a table to the state before the first person sat down, and return it.

    The engine's table is gone, unless the seat `kept` keeps it open.
    """
    emptied = structs.replace(
        chat_table,
        engine=None,
        options=table.options,
        seconds=table.turn_seconds or 0,
        drafts=chat_table.drafts + 1,
        kept=kept,
    )
    await repositories.chat_tables.save(emptied)
    for user in await repositories.seats.tokens(chat_table.ref):
        await repositories.seats.forget(chat_table.ref, user)
    return emptied


class Seating:
    """Actions on people's seats. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup) -> None:
        self._engine = engine
        self._repositories = repositories
        self._chat_tables = repositories.chat_tables
        self._seats = repositories.seats
        self._shuffles = repositories.shuffles
        self._lookup = lookup
        self._openings = Openings()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """A lock for each table: if two people sit down at once, only the first opens the engine's table."""

    async def sit(self, ref: str, person: PersonRecord) -> ChatTable:
        """Seat a person; for the first person, open the engine's table.

        The request is stored until its answer is stored. After a crash in between, the person's next attempt repeats
        the same request and gets the token of the same seat.
        """
        async with self._locks.setdefault(ref, asyncio.Lock()):
            chat_table = await self._lookup.chat_table(ref)
            if chat_table.engine is not None and await self._seats.token(ref, person.user) is not None:
                raise ActionRefusedError("already_seated")
            return await self._complete(chat_table, person.user) or await self._sit_anew(chat_table, person)

    async def sit_unless_seated(self, ref: str, person: PersonRecord, *, away: bool = False) -> None:
        """Seat a person who has no seat, or complete an interrupted request of theirs.

        `away` lets a computer player begin for them; it has no effect for the first person at a table. If `finish` is
        completing the same request after a restart, this method waits for it.
        """
        async with self._locks.setdefault(ref, asyncio.Lock()):
            chat_table = await self._lookup.chat_table(ref)
            if await self._complete(chat_table, person.user) is None and not await self._seats.token(ref, person.user):
                await self._sit_anew(chat_table, person, away=away)

    async def finish(self, chat_table: ChatTable) -> None:
        """Complete interrupted requests for seats and pending departures at the engine. Raises `UnavailableError`."""
        ref = chat_table.ref
        await self._finish_sitting(ref)
        async with self._locks.setdefault(ref, asyncio.Lock()):
            chat_table = await self._chat_tables.find(ref) or chat_table
            if chat_table.engine is not None or chat_table.closed:
                chat_table = await self._give_up_kept(chat_table)
        departures = await self._seats.departures(ref)
        # Remove the closers last, so that other clients show them as the people who closed it.
        for user in sorted(await self._seats.tokens(ref), key=chat_table.closers.__contains__):
            if chat_table.closed or user in departures:
                await self._leave_if_seated(chat_table, user, departures.get(user, "closed"))

    async def _finish_sitting(self, ref: str) -> None:
        """Complete pending requests for seats, because the engine may have given the seats.

        Raises `UnavailableError`. After any other refusal, the person's next press repeats the request.
        """
        for user in await self._seats.requesters(ref):
            async with self._locks.setdefault(ref, asyncio.Lock()):
                chat_table = await self._lookup.chat_table(ref)
                try:
                    completed = await self._complete(chat_table, user)
                except UnavailableError:
                    raise
                except EngineError as error:  # the person's next press repeats the request
                    log.warning("seat_not_completed", code=error.code)
                    continue
                if completed is None:
                    await self._seats.forget_request(ref, user)

    async def _complete(self, chat_table: ChatTable, user: int) -> ChatTable | None:
        """Repeat a person's stored request, if any; return None if that gives them no seat."""
        request = await self._seats.request(chat_table.ref, user)
        kept = None if chat_table.kept is None else chat_table.kept.engine
        if request is None or request.engine not in {None, chat_table.engine or kept}:
            return None
        seated = await self._send(chat_table, user, request)
        if chat_table.engine not in {None, seated.table.id} or not await self._is_taken(seated):
            return None
        return await self._store(chat_table, user, seated, request)

    async def _is_taken(self, seated: Seated) -> bool:
        """Return whether a seat's token is still valid: the answer to a repeated request may be outdated."""
        try:
            await self._engine.table(seated.table.id, seated.token)
        except (UnauthorizedError, NotFoundError):
            return False
        return True

    async def _sit_anew(self, chat_table: ChatTable, person: PersonRecord, *, away: bool = False) -> ChatTable:
        if await self._seats.is_banned(chat_table.ref, person.user):
            raise ActionRefusedError("removed_here")
        require_fewer(await self._chat_tables.of_person(person.user), OF_A_PERSON)
        table = await self._lookup.public_view(chat_table)
        if table is not None and was_emptied(table):
            chat_table, table = await empty_table(self._repositories, chat_table, table), None
        if chat_table.kept is not None and table is None:
            table = await self._prepared(chat_table, chat_table.kept)
        if table is None:
            self._openings.count(chat_table, person.user)
        request = SeatRequest(
            key=token_urlsafe(24),
            name=distinct(clean_name(person.name), [seat.name for seat in table.seats] if table else []),
            client_seed=token_urlsafe(12),
            engine=None if table is None else table.id,
            options=chat_table.options if table is None else {},
            seconds=chat_table.seconds if table is None else 0,
            away=away,
        )
        await self._seats.save_request(chat_table.ref, person.user, request)
        return await self._store(chat_table, person.user, await self._send(chat_table, person.user, request), request)

    async def _send(self, chat_table: ChatTable, user: int, request: SeatRequest) -> Seated:
        try:
            if request.engine is not None:
                sit = SitDown(request.name, client_seed=request.client_seed, away=request.away)
                return await self._engine.sit(request.engine, sit, key=request.key)
            wish = OpenTable(
                GameName(chat_table.game),
                request.name,
                options=GivenOptions(request.options),
                turn_seconds=request.seconds or None,
                hints=chat_table.alone,
            )
            try:
                return await self._engine.open_table(wish, key=request.key)
            except MalformedError:
                return await self._engine.open_table(structs.replace(wish, options={}), key=f"{request.key}-plain")
        except REFUSED:
            await self._seats.forget_request(chat_table.ref, user)
            raise

    async def _store(self, chat_table: ChatTable, user: int, seated: Seated, request: SeatRequest) -> ChatTable:
        """Store a seat's token and the data that depends on it; delete the request last."""
        ref, engine, match = chat_table.ref, seated.table.id, seated.table.match
        number, commitment = match.number, match.commitment
        if match.result is not None:
            number, commitment = number + 1, match.next_commitment or ""
        await self._shuffles.keep_commitment(ref, engine, number, commitment)
        await self._shuffles.keep_seed(ref, engine, number, user, request.client_seed)
        if seated.token is not None:
            await self._seats.save(chat_table.ref, user, seated.token)
        if chat_table.engine is None:
            chat_table = structs.replace(chat_table, engine=seated.table.id)
            await self._chat_tables.save(chat_table)
        elif chat_table.over:
            chat_table = await self._lookup.reopen(chat_table)
        if request.engine is None and seated.token is not None:
            await self._engine.give_seed(seated.table.id, seated.seat, seated.token, GiveSeed(request.client_seed))
        await self._shuffles.confirm_seed(ref, engine, number, user)
        await self._chat_tables.touch(chat_table.ref)
        await self._seats.forget_request(chat_table.ref, user)
        return await self._give_up_kept(chat_table)

    async def stand(self, ref: str, user: int) -> None:
        """Remove a person from an open table."""
        async with self._locks.setdefault(ref, asyncio.Lock()):
            chat_table = await self._lookup.chat_table(ref)
            table, token = await self._lookup.view_for(chat_table, user)
            if table.status != "open" or table.you is None:
                raise ActionRefusedError("not_open")
            await self._stand(chat_table, table, user, token)

    async def _stand(self, chat_table: ChatTable, table: Table, user: int, token: str) -> None:
        """Remove a person from an open table. The last person's seat keeps the engine's table, unless it is closed."""
        if table.you is None:
            return
        others = any(seat.kind == "person" and seat.seat != table.you for seat in table.seats)
        if not others and not chat_table.closed:
            await self._seats.forget_request(chat_table.ref, user)
            await self._keep(chat_table, table, table.you, token)
            return
        left = await self._engine.leave(table.id, table.you, token)
        await self._seats.forget(chat_table.ref, user)
        if left.host is None:
            await empty_table(self._repositories, chat_table, table)

    # --- the engine's table of an empty lobby, kept because opening tables counts against everybody's limit

    async def _keep(self, chat_table: ChatTable, table: Table, seat: int, token: str) -> None:
        """Keep the last person's seat at the engine under another name; for the bot, the person has left."""
        for computer in [seated.seat for seated in reversed(table.seats) if seated.kind == "computer"]:
            await self._engine.leave(table.id, computer, token)
            seat -= computer < seat
        await self._engine.set_name(table.id, seat, token, computer_name(table))
        await empty_table(self._repositories, chat_table, table, KeptSeat(table.id, token, time.time()))

    async def _prepared(self, chat_table: ChatTable, kept: KeptSeat) -> Table | None:
        """Set the lobby's options and time at the kept table, and return the table; None if it is no longer open."""
        with suppress(*REFUSED):
            table = await self._engine.table(kept.engine, kept.token)
            wanted = (chat_table.options, chat_table.seconds or None)
            if (table.options, table.turn_seconds) != wanted:
                change = ChangeTable(options=GivenOptions(wanted[0]), turn_seconds=wanted[1])
                table = await self._engine.change_table(kept.engine, kept.token, change)
            return table if table.status == "open" else None
        return None

    async def _give_up_kept(self, chat_table: ChatTable) -> ChatTable:
        """Leave the seat that keeps the engine's table, if any; return the bot's record."""
        kept = chat_table.kept
        if kept is None:
            return chat_table
        with suppress(*REFUSED):
            table = await self._engine.table(kept.engine, kept.token)
            if table.you is not None:
                await self._engine.leave(kept.engine, table.you, kept.token)
        latest = structs.replace(chat_table, kept=None)
        await self._chat_tables.save(latest)
        return latest

    async def give_up(self, ref: str, now: float) -> None:
        """Give up the engine's table of a lobby that is empty for over `KEPT_SECONDS` at `now` (Unix seconds)."""
        async with self._locks.setdefault(ref, asyncio.Lock()):
            chat_table = await self._chat_tables.find(ref)
            if chat_table is not None and chat_table.kept is not None and now - chat_table.kept.since > KEPT_SECONDS:
                await self._give_up_kept(chat_table)

    async def leave(self, ref: str, user: int, why: Departure = "left") -> None:
        """Remove a person from a table in any state; during a match a computer player takes over their hand."""
        async with self._locks.setdefault(ref, asyncio.Lock()):
            await self._leave(await self._lookup.chat_table(ref), user, why)

    async def _leave(self, chat_table: ChatTable, user: int, why: Departure) -> None:
        table, token = await self._lookup.view_for(chat_table, user)
        await self._seats.save_departure(chat_table.ref, user, why)
        if table.status == "open":
            await self._stand(chat_table, table, user, token)
            return
        if table.status == "playing" and table.you is not None:
            await self._seats.record(chat_table.ref, user, table.match.number, table.you)
        if table.you is not None:
            with suppress(UnauthorizedError):  # the person has left already
                await self._engine.leave(table.id, table.you, token)
        await self._seats.forget(chat_table.ref, user)

    async def leave_all(self, user: int) -> list[ChatTable]:
        """Remove a person from all their tables, and return those tables. Raises `EngineError`.

        Tables that the engine no longer has are included.
        """
        tables = await self._chat_tables.of_person(user)
        for chat_table in tables:
            with suppress(ActionRefusedError, NotFoundError):
                await self.leave(chat_table.ref, user)
        return tables

    async def _leave_if_seated(self, chat_table: ChatTable, user: int, why: Departure) -> None:
        """Remove a person from a table that they must leave.

        Raises `UnavailableError`. Any other engine error is logged: the person's token is then useless and is deleted.
        """
        await self._seats.save_departure(chat_table.ref, user, why)
        try:
            async with self._locks.setdefault(chat_table.ref, asyncio.Lock()):
                await self._leave(chat_table, user, why)
        except UnavailableError:
            raise
        except (ActionRefusedError, EngineError) as error:
            if isinstance(error, EngineError) and not isinstance(error, NotFoundError):
                log.warning("departure_failed", code=error.code)
            await self._seats.forget(chat_table.ref, user)

    async def come_back(self, ref: str, user: int) -> None:
        """Give a person's hand back to them from the computer player."""
        table, token = await self._lookup.view_for(await self._lookup.chat_table(ref), user)
        if table.you is not None:
            await self._engine.come_back(table.id, table.you, token)
