"""Draws what has changed at a table, counts and checks finished matches, and stores up to which version that is done.

From the stored version a restarted bot goes on: it sends no message twice and leaves none out.
"""

import asyncio
import time
from collections.abc import Callable, Container

import structlog
from msgspec import structs

from locanda.client import EngineClient
from locanda.errors import UnavailableError, unreachable
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
"""A longer check of a shuffle is begun anew later, so that the table is free for a rematch."""


class TableProgress:
    """A table's timeline, and the ended deals and matches whose messages are still to be sent."""

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
        """Add an item of the event stream. Only a new item makes the end of a deal due to be drawn."""
        ends = self.timeline.apply(item)
        if new:
            self.ends += [(item.id, end) for end in ends]
            if item.table.match.result is not None:
                self.finished[item.table.match.number] = item.table

    def presented_version(self, table: Table, sent: Container[TableSlot]) -> int:
        """Return the version up to which all messages were sent, below that of the first unsent end."""
        self.unsent = {slot: version for slot, version in self.unsent.items() if slot not in sent}
        return min([table.version, *(version - 1 for version in self.unsent.values())])


class ShuffleChecker:
    """Checks the proofs of finished matches, once each, against the commitment and seeds that the bot stored."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup) -> None:
        self._engine = engine
        self._chat_tables = repositories.chat_tables
        self._shuffles = repositories.shuffles
        self._lookup = lookup

    async def check(self, chat_table: ChatTable, over: Table) -> bool:
        """Check a match that is over and store the outcome; return whether it is new.

        Raises `UnavailableError` while the engine does not give the proofs, as in an upgrade: then nothing is stored.
        """
        if await self._shuffles.outcome(chat_table.ref, over.id, over.match.number) is not None:
            return False
        outcome = await self._outcome(chat_table, over)
        if await self._chat_tables.find(chat_table.ref) is None:  # the table was deleted meanwhile
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
        except UnavailableError:
            raise
        except TimeoutError:
            raise unreachable("the proofs of a match did not come in time") from None
        except Exception as error:  # noqa: BLE001  (whatever it is, the table goes on)
            log.warning("shuffle_not_checked", error=repr(error))
            return "unchecked"
        if wrong:
            log.error("shuffle_differs", match=over.match.number, error=wrong[0])
            return "different"
        return "agreed"


class Alarms:
    """For each table, the time at which it is drawn again though nothing has happened there, for a reminder.

    Each drawing of a table sets its alarm again, so alarms are not stored.
    """

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def set(self, ref: str, at: float | None) -> None:
        """Set the time (Unix seconds) at which a table is drawn again, replacing an earlier one; None for never."""
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


class TablePresenter:
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

    async def present(self, chat_table: ChatTable, progress: TableProgress) -> None:
        """Draw everything that has changed, and store the version up to which all messages were sent."""
        table = progress.timeline.table
        if table is None:
            return
        chat_tables, messages = self._repositories.chat_tables, self._repositories.messages
        if was_emptied(table):
            await self._empty(chat_table.ref, table)
            return
        await chat_tables.touch(chat_table.ref)
        if chat_table.over and table.status == "playing":
            await chat_tables.save(structs.replace(chat_table, over=False))
        await self._draw_rematch(chat_table, progress, table)
        await self._draw_ends(chat_table, progress)
        await self._count_matches(chat_table, progress, table)
        if table.status == "open":
            await self._renderer.lobbies.draw(chat_table, table)
        else:
            self._renderer.lobbies.close_options(chat_table.ref)
            drawn = await self._renderer.draw(chat_table, progress.timeline)
            self._passes.begin(drawn.people)
            self._alarms.set(chat_table.ref, drawn.alarm)
        version = progress.presented_version(table, await messages.by_slot(chat_table.ref))
        await chat_tables.record_presented_version(chat_table.ref, version)

    async def present_hands(self, chat_table: ChatTable, progress: TableProgress, users: Container[int]) -> None:
        """Draw the hands of these people, who have selected cards."""
        await self._renderer.draw_hands(chat_table, progress.timeline, users)

    async def _empty(self, ref: str, table: Table) -> None:
        """Store, and draw, that the last person has left an open table: a crash had prevented it."""
        chat_table = await self._repositories.chat_tables.find(ref)
        if chat_table is not None and chat_table.engine == table.id:
            emptied = await empty_table(self._repositories, chat_table, table)
            await self._renderer.lobbies.draw(emptied, None)

    async def _draw_rematch(self, chat_table: ChatTable, progress: TableProgress, table: Table) -> None:
        """Remove the button for a rematch once the rematch has begun."""
        if table.status == "over":
            before = progress.over
            if before is None or before.match.number != table.match.number:
                progress.over = table  # the first one, whose events tell how the match ended
        elif progress.over is not None:
            await self._renderer.remove_rematch_button(chat_table, progress.over)
            progress.over = None

    async def _draw_ends(self, chat_table: ChatTable, progress: TableProgress) -> None:
        for version, ended in progress.ends:
            progress.unsent[await self._renderer.draw_deal_end(chat_table, ended)] = version
        progress.ends.clear()

    async def _count_matches(self, chat_table: ChatTable, progress: TableProgress, table: Table) -> None:
        if table.match.result is not None:
            progress.finished[table.match.number] = table
        for finished in progress.finished.values():
            await self._count(chat_table, finished)
        progress.finished.clear()

    async def _count(self, chat_table: ChatTable, table: Table) -> None:
        """Count a finished match for the group's leaderboard; people who left the match come last."""
        result, match = table.match.result, table.match.number
        if result is None or chat_table.alone:
            return
        places = dict.fromkeys(await self._repositories.seats.leavers(chat_table.ref, match), len(result.ranking))
        seats = await self._lookup.seats(chat_table)
        for user, seat in seats.items():
            places[user] = next(place for place, placed in enumerate(result.ranking) if seat in placed)
        teams = [[user for user, seat in seats.items() if seat in team] for team in result.teams or ()]
        await self._repositories.leaderboards.count(chat_table, match, places, teams)

    async def finish(self, chat_table: ChatTable, table: Table) -> bool:
        """Return whether the match is over and its result sent, and store that: following ends until a rematch.

        The shuffle is checked only then, and the outcome added to the result: the check must not delay the result.
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
        await self._renderer.save(chat_table.ref)  # before the table counts as over: from then on no start draws it
        latest = await self._repositories.chat_tables.find(chat_table.ref)
        if latest is not None:
            await self._repositories.chat_tables.save(structs.replace(latest, over=True))
        return True
