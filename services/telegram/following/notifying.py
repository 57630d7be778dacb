"""Notifying of a table's updates: draws what has changed, counts and checks finished matches, stores how far it is.

After a restart no message is sent twice and none is left out.
"""

import asyncio
import time
from collections.abc import Callable, Container

import structlog
from msgspec import structs

from locanda.client import EngineClient
from locanda.messages import EventItem, Table
from locanda.shuffle_check import match_errors
from services.telegram.records import ChatTable, MatchEndSlot, ShuffleOutcome, TableSlot
from services.telegram.rendering.renderer import Renderer
from services.telegram.repositories import Repositories
from services.telegram.tables.lookup import TableLookup
from services.telegram.tables.seating import empty_table, was_emptied
from services.telegram.tables.turns import AutomaticPasses
from services.telegram.timeline import DealEnd, Timeline

log = structlog.get_logger(__name__)

CHECK_SECONDS = 10.0
"""A longer check of a shuffle is given up, so that the table is free for a rematch."""


class TableUpdates:
    """A table's timeline, and the ends of deals and matches whose messages are still to be sent."""

    def __init__(self) -> None:
        self.timeline = Timeline()
        self.ends: list[tuple[int, DealEnd]] = []
        """Ends of deals still to be drawn, each with its version."""
        self.unsent: dict[TableSlot, int] = {}
        """Slots of drawn ends of deals whose messages may not have been sent yet, with their versions."""
        self.finished: dict[int, Table] = {}
        """By match, the table at its end, until it is counted: a rematch may begin before that is drawn."""
        self.over: Table | None = None
        """The table at the end of its last match, until the rematch begins."""

    def add(self, item: EventItem, *, new: bool) -> None:
        """Add an item of the event stream; the end of a deal is drawn only where the item is new."""
        ends = self.timeline.apply(item)
        if new:
            self.ends += [(item.id, end) for end in ends]
            if item.table.match.result is not None:
                self.finished[item.table.match.number] = item.table

    def notified_version(self, table: Table, sent: Container[TableSlot]) -> int:
        """Return the version up to which all messages were sent: at most the one before the first unsent end."""
        self.unsent = {slot: version for slot, version in self.unsent.items() if slot not in sent}
        return min([table.version, *(version - 1 for version in self.unsent.values())])


class ShuffleChecker:
    """Checks the proofs of matches that are over, once each, by what the bot kept of them from before."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup) -> None:
        self._engine = engine
        self._chat_tables = repositories.chat_tables
        self._shuffles = repositories.shuffles
        self._lookup = lookup

    async def check(self, chat_table: ChatTable, over: Table) -> bool:
        """Check a match that is over and store the outcome; return whether it is new."""
        if await self._shuffles.outcome(chat_table.ref, over.id, over.match.number) is not None:
            return False
        outcome = await self._outcome(chat_table, over)
        if await self._chat_tables.find(chat_table.ref) is None:  # deleted meanwhile, with all that was kept for it
            return False
        await self._shuffles.record_outcome(chat_table.ref, over.id, over.match.number, outcome)
        return True

    async def _outcome(self, chat_table: ChatTable, over: Table) -> ShuffleOutcome:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                commitment, kept = await self._shuffles.kept(chat_table.ref, over.id, over.match.number)
                if commitment is None:
                    return "unchecked"
                seats = await self._lookup.seats(chat_table)
                seeds = {seats[user]: each.possible_seeds for user, each in kept.items() if user in seats}
                wrong = await match_errors(self._engine, over, commitment, seeds)
        except Exception as error:  # noqa: BLE001  (whatever it is, the table goes on)
            log.warning("shuffle_not_checked", error=repr(error))
            return "unchecked"
        if wrong:
            log.error("shuffle_differs", match=over.match.number, error=wrong[0])
            return "different"
        return "agreed"


class Alarms:
    """For each table the time, if any, at which it is drawn again although nothing has happened there.

    They are set again when a table is drawn, so that none need be stored.
    """

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def set(self, ref: str, at: float | None) -> None:
        """Let a table be drawn again at a time (Unix seconds), in the place of the one before; None for never."""
        timer = self._timers.pop(ref, None)
        if timer is not None:
            timer.cancel()
        if at is not None:
            loop = asyncio.get_running_loop()
            self._timers[ref] = loop.call_later(max(0.0, at - time.time()), self._ring, ref)

    def clear(self) -> None:
        """Remove all alarms."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


class Notifier:
    """Brings the messages of any table up to date."""

    def __init__(
        self,
        repositories: Repositories,
        lookup: TableLookup,
        checker: ShuffleChecker,
        renderer: Renderer,
        passes: AutomaticPasses,
        alarms: Alarms,
    ) -> None:
        self._repositories = repositories
        self._lookup = lookup
        self._checker = checker
        self._renderer = renderer
        self._passes = passes
        self._alarms = alarms

    async def notify(self, chat_table: ChatTable, updates: TableUpdates) -> None:
        """Draw everything that has changed, and store the version up to which all messages were sent."""
        table = updates.timeline.table
        if table is None:
            return
        chat_tables, messages = self._repositories.chat_tables, self._repositories.messages
        if was_emptied(table):
            await self._empty(chat_table.ref, table)
            return
        await chat_tables.touch(chat_table.ref)
        if chat_table.over and table.status == "playing":
            await chat_tables.save(structs.replace(chat_table, over=False))
        await self._draw_rematch(chat_table, updates, table)
        await self._draw_ends(chat_table, updates)
        await self._count_matches(chat_table, updates, table)
        if table.status == "open":
            await self._renderer.lobbies.draw(chat_table, table)
        else:
            self._renderer.lobbies.close_options(chat_table.ref)
            drawn = await self._renderer.draw(chat_table, updates.timeline)
            self._passes.begin(drawn.people)
            self._alarms.set(chat_table.ref, drawn.alarm)
        await self._renderer.save()
        version = updates.notified_version(table, await messages.by_slot(chat_table.ref))
        await chat_tables.record_notified_version(chat_table.ref, version)

    async def _empty(self, ref: str, table: Table) -> None:
        """Store that the last person has left an open table, where a crash has prevented it, and draw it so."""
        chat_table = await self._repositories.chat_tables.find(ref)
        if chat_table is not None and chat_table.engine == table.id:
            emptied = await empty_table(self._repositories, chat_table, table)
            await self._renderer.lobbies.draw(emptied, None)

    async def _draw_rematch(self, chat_table: ChatTable, updates: TableUpdates, table: Table) -> None:
        """Remove the button for a rematch once the rematch has begun."""
        if table.status == "over":
            before = updates.over
            if before is None or before.match.number != table.match.number:
                updates.over = table  # the first one, whose events tell how the match ended
        elif updates.over is not None:
            await self._renderer.remove_rematch_button(chat_table, updates.over)
            updates.over = None

    async def _draw_ends(self, chat_table: ChatTable, updates: TableUpdates) -> None:
        for version, ended in updates.ends:
            updates.unsent[await self._renderer.draw_deal_end(chat_table, ended)] = version
        updates.ends.clear()

    async def _count_matches(self, chat_table: ChatTable, updates: TableUpdates, table: Table) -> None:
        if table.match.result is not None:
            updates.finished[table.match.number] = table
        for finished in updates.finished.values():
            await self._count(chat_table, finished)
        updates.finished.clear()

    async def _count(self, chat_table: ChatTable, table: Table) -> None:
        """Count a finished match for the group's leaderboard: who has left it comes last."""
        result, match = table.match.result, table.match.number
        if result is None or chat_table.alone:
            return
        places = dict.fromkeys(await self._repositories.seats.leavers(chat_table.ref, match), len(result.ranking))
        for user, seat in (await self._lookup.seats(chat_table)).items():
            places[user] = next(place for place, seats in enumerate(result.ranking) if seat in seats)
        await self._repositories.leaderboards.count(chat_table, match, places)

    async def finish(self, chat_table: ChatTable, table: Table) -> bool:
        """Return whether the match is over and its result sent, and store so: nothing to follow until a rematch.

        Only then is its shuffle checked, and the outcome added to the result: no check delays the result.
        """
        if table.status != "over":
            return False
        if table.match.result is None:
            return True
        slot = MatchEndSlot(chat_table.ref, table.match.number)
        if slot not in await self._repositories.messages.by_slot(chat_table.ref):
            return False
        if await self._checker.check(chat_table, table):
            await self._renderer.draw_result(chat_table, table)
        latest = await self._repositories.chat_tables.find(chat_table.ref)
        if latest is not None:
            await self._repositories.chat_tables.save(structs.replace(latest, over=True))
        return True
