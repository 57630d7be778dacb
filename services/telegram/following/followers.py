"""Followers: one task for each table, which draws the table after each change.

To draw a table is to compute the contents of its messages and to pass them to the outbox. Changes come from the
engine's events, from the bot's stored data (`Changes`), and from timers.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import structlog
from msgspec import structs

from locanda.client import EngineClient
from locanda.errors import EngineError, NotFoundError, UnavailableError
from locanda.messages import EventItem, SaidRemark, Table
from services.common.processes import BackgroundTasks, end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.accounts import act_for
from services.telegram.drawing.facts import SeatedPerson
from services.telegram.drawing.hands import Drawn, next_alarm
from services.telegram.drawing.tables import wanted_messages
from services.telegram.evenings.following import Evenings
from services.telegram.following.facts import FactReader
from services.telegram.following.results import MatchResults
from services.telegram.following.titles import Titles
from services.telegram.play.timeline import Timeline
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox
from services.telegram.tables.passes import AutomaticPasses
from services.telegram.tables.seating import empty_table, was_emptied
from services.telegram.tables.tables import Tables
from services.telegram.updates import clear_request_id

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0
AT_ONCE, NEXT_SECONDS = 4, 0.05
"""Maximum number of tables drawn at once after a change of a person or a chat; if there are more, the pause between
tables. So one person cannot keep the bot drawing all the time."""
OVER_SECONDS = 3600.0
"""Seconds for which a table is followed after the end of a match or after its last change: on the web page people may
begin the next match. Each followed table takes one of the event streams that the engine allows."""


def awaits_others(table: Table) -> bool:
    """Return whether a person has agreed to a rematch that has not begun."""
    if table.rematch is None:
        return False
    stay = (table.rematch.answers[seat.seat] for seat in table.seats if seat.kind == "person")
    return bool(table.rematch.newcomers) or any(stay)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowerParts:
    """The parts of the bot that followers use."""

    engine: EngineClient
    repositories: Repositories
    tables: Tables
    facts: FactReader
    outbox: Outbox
    background: BackgroundTasks
    results: MatchResults
    titles: Titles
    passes: AutomaticPasses


class TableFollower:
    """Follows one table with a task that draws it.

    The task ends for a table that is deleted, not yet opened at the engine, or over for `OVER_SECONDS`. `wake` starts
    it again.
    """

    def __init__(self, ref: str, parts: FollowerParts, forget: Callable[[str], None]) -> None:
        self._ref = ref
        self._parts = parts
        self._forget = forget
        self._timeline = Timeline()
        self._drawn: Drawn = {}
        self.drawn_version = -1
        """The version of the engine's table at the last drawing."""
        self._counted: set[int] = set()
        """Matches already counted for the leaderboard."""
        self._recorded: set[int] = set()
        """Matches whose players are already recorded."""
        self._presented_deal: tuple[int, int] | None = None
        """The match and deal whose version was last stored for release 0.1.0."""
        self.idle = False
        """Whether the table is drawn and the follower waits for the next change."""
        self._items: list[EventItem | SaidRemark] = []
        """Events and remarks not yet applied to the timeline."""
        self._awake = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._redis_is_away = False
        """Whether the current outage of Redis has been logged."""

    @property
    def running(self) -> bool:
        """Whether the follower's task is running."""
        return self._task is not None and not self._task.done()

    def wake(self) -> None:
        """Draw the table again, because something has changed."""
        self._awake.set()
        self.idle = False
        if not self.running:
            self._task = asyncio.create_task(self._follow(), name=f"table {self._ref}")

    async def stop(self) -> None:
        """Stop following."""
        self.set_alarm(None)
        if self._task is not None:
            await end(self._task)

    async def _follow(self) -> None:
        clear_request_id()
        while self._awake.is_set():
            self.idle = False
            try:
                self._awake.clear()
                await self._follow_once()
                continue
            except UnavailableError:
                pass
            except NotFoundError:
                await self._close()
            except EngineError as error:
                log.warning("table_not_followed", code=error.code)
            except REDIS_ERRORS as error:
                if not self._redis_is_away:
                    log.warning("table_not_drawn", reason=type(error).__name__)
                self._redis_is_away = True
            except Exception:
                log.exception("table_not_drawn")
            await asyncio.sleep(RETRY_SECONDS)
            self._awake.set()

    async def _close(self) -> None:
        """Close the table, or delete it after its matches, because the engine no longer has it."""
        with suppress(*REDIS_ERRORS):
            chat_table = await self._parts.repositories.chat_tables.find(self._ref)
            if chat_table is not None and chat_table.over:
                await self._parts.repositories.chat_tables.delete(chat_table)
            elif chat_table is not None:
                await self._parts.tables.setup.close(chat_table)

    async def _follow_once(self) -> None:
        """Draw the table now, and after each change while the same people sit there."""
        chat_table = await self._parts.repositories.chat_tables.find(self._ref)
        if chat_table is None:
            self._forget(self._ref)
            return
        act_for(chat_table.chat)
        await self._parts.tables.seating.finish(chat_table)
        chat_table = await self._parts.repositories.chat_tables.find(self._ref) or chat_table
        if chat_table.engine is None or chat_table.closed:
            self._timeline = Timeline()
            await self._draw(chat_table)
            if chat_table.closed:
                await self._parts.outbox.settled(self._ref)
                await self._parts.repositories.chat_tables.delete(chat_table)
            return
        await self._catch_up(chat_table.engine)
        tokens = await self._parts.repositories.seats.tokens(self._ref)
        reader = asyncio.create_task(self._read(chat_table.engine, [*tokens.values()]), name=f"events {self._ref}")
        reader.add_done_callback(self._note_end)
        try:
            if await self._draw_until_over(chat_table.engine, reader, tokens):
                self._awake.set()
        finally:
            await end(reader)

    async def _catch_up(self, table: str) -> None:
        """Read the past events that the engine still has, which belong to the table's latest versions."""
        if self._timeline.table is None or self._timeline.table.id != table:
            self._timeline, self._counted, self._recorded = Timeline(), set(), set()
        page = await self._parts.engine.event_page(table)
        for item in page.events:
            self._timeline.apply(item)
        if not page.events:
            self._timeline.refresh(await self._parts.engine.table(table))

    async def _read(self, table: str, tokens: Sequence[str]) -> None:
        """Collect the table's events; cache the view of each person at the table after each event."""
        known = self._timeline.table
        after, keep = None if known is None else known.version, partial(self._parts.tables.lookup.keep_view, self._ref)
        async for item in self._parts.engine.events(table, after=after, seats=tokens, seen=keep, heard=self._happened):
            self._happened(item)

    def _happened(self, item: EventItem | SaidRemark) -> None:
        self._items.append(item)
        self._awake.set()

    def _note_end(self, reader: asyncio.Task[None]) -> None:
        """Wake the follower when the stream of events ends by itself."""
        if not reader.cancelled():
            self._awake.set()

    async def _draw_until_over(self, engine: str, reader: asyncio.Task[None], tokens: Mapping[int, str]) -> bool:
        """Draw the table after each change until it need not be followed; return whether to continue."""
        while True:
            self._apply_items()
            chat_table, table = await self._parts.repositories.chat_tables.find(self._ref), self._timeline.table
            if chat_table is None or table is None or chat_table.closed or chat_table.engine != engine:
                return True
            if await self._is_another(chat_table, table, tokens):
                return True
            await self._draw(chat_table)
            self._redis_is_away = False
            all_shown = table.status == "over" and await self._is_all_shown(chat_table, table)
            over = all_shown and not awaits_others(table)
            if over:
                await self._store_over()
            if reader.done():
                reader.result()
                return True
            self.idle = True
            if not over:
                await self._next(over=table.status == "over" and not all_shown)
            elif not await self._woken_in_time():
                return False
            self.idle = False
            self._awake.clear()

    async def _is_another(self, chat_table: ChatTable, table: Table, tokens: Mapping[int, str]) -> bool:
        """Return whether the table was closed or emptied, or other people sit there; update the stored table if so."""
        if any(event["type"] == "closed" for event in table.events):
            await self._parts.tables.setup.close(chat_table)
            return True
        await self._parts.tables.seating.finish(chat_table)
        if await self._parts.repositories.seats.tokens(self._ref) != tokens:
            return True
        if was_emptied(table):
            await empty_table(self._parts.repositories, chat_table, table)
            return True
        return False

    def _apply_items(self) -> None:
        for item in self._items:
            if isinstance(item, SaidRemark):
                self._timeline.hear(item)
            else:
                self._timeline.apply(item)
        self._items.clear()

    async def _woken_in_time(self) -> bool:
        """Return whether something changes within `OVER_SECONDS`."""
        try:
            async with asyncio.timeout(OVER_SECONDS):
                return await self._awake.wait()
        except TimeoutError:
            return False

    async def _next(self, *, over: bool) -> None:
        """Wait for the next change; once the match is over, also until all its messages have arrived."""
        if not over:
            await self._awake.wait()
            return
        waits: list[asyncio.Task[object]] = [
            asyncio.create_task(self._awake.wait()),
            asyncio.create_task(self._parts.outbox.settled(self._ref)),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(*waits)

    async def _draw(self, chat_table: ChatTable) -> None:
        """Pass the current contents of all messages to the outbox."""
        shown, table = await self._parts.outbox.shown(self._ref), self._timeline.table
        for number, over in self._timeline.over.items():
            if number not in self._counted:
                await self._parts.results.count(chat_table, over)
                self._parts.background.start(self._parts.titles.show(chat_table.chat))
                self._counted.add(number)
        if chat_table.over and table is not None and (table.status == "playing" or awaits_others(table)):
            chat_table = await self._parts.tables.lookup.reopen(chat_table)
        facts = await self._parts.facts.read(chat_table, self._timeline, shown)
        if facts is None:
            return
        if table is not None:
            await self._parts.repositories.chat_tables.touch(self._ref)
            if table.status != "open":
                self._parts.tables.setup.show_options(self._ref, shown=False)
        if table is not None and table.status == "playing" and table.match.number not in self._recorded:
            await self._record(facts.people, table.match.number)
        shown = await self._parts.outbox.shown(self._ref)  # again: a question may have ended meanwhile
        wanted = wanted_messages(facts, shown, self._drawn)
        self._parts.outbox.show(Address(chat_table.chat, chat_table.thread), wanted, shown)
        for person in facts.people:
            self._parts.passes.begin(person.table, person.token, person.passes)
        self.set_alarm(next_alarm(facts, wanted))
        self.drawn_version = -1 if table is None else table.version
        if table is not None and self._presented_deal != (table.match.number, table.match.deal):
            self._presented_deal = table.match.number, table.match.deal
            await self._parts.repositories.chat_tables.record_presented_version(self._ref, table.version)

    async def _record(self, people: Sequence[SeatedPerson], match: int) -> None:
        """Store the people who play in a match that has begun."""
        for person in people:
            if person.table.match.number == match and person.table.you is not None:
                await self._parts.repositories.seats.record(self._ref, person.user, match, person.table.you)
        self._recorded.add(match)

    async def _is_all_shown(self, chat_table: ChatTable, over: Table) -> bool:
        """Return whether all messages of a finished match have arrived and its shuffles are checked.

        The check begins after the result has arrived, so it does not delay the result. Its outcome is added to the
        result.
        """
        if not self._parts.outbox.is_settled(self._ref):
            return False
        return not await self._parts.results.check(chat_table, over)

    async def _store_over(self) -> None:
        """Record in the stored table that its finished match is completely shown."""
        latest = await self._parts.repositories.chat_tables.find(self._ref)
        if latest is not None and not latest.over:
            await self._parts.repositories.chat_tables.save(structs.replace(latest, over=True))

    def set_alarm(self, at: float | None) -> None:
        """Set a timer that draws the table again at `at` (Unix seconds), for a reminder; None cancels the timer."""
        if self._alarm is not None:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = None if at is None else loop.call_later(max(0.0, at - time.time()), self.wake)


class TableFollowers:
    """The followers of all tables: an async context manager that stops them on exit."""

    def __init__(self, parts: FollowerParts, evenings: Evenings) -> None:
        self._parts = parts
        self.evenings = evenings
        self._followers: dict[str, TableFollower] = {}
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "TableFollowers":
        self._task = asyncio.create_task(self._run(), name="changes of tables")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            await end(self._task)
        await asyncio.gather(*(follower.stop() for follower in self._followers.values()))

    def count(self) -> int:
        """Return how many tables have a follower."""
        return len(self._followers)

    async def _run(self) -> None:
        """Wake the followers of changed tables and evenings."""
        changes = self._parts.repositories.changes
        while True:
            subject = await changes.next()
            self.evenings.wake(subject.kind, subject.name)
            try:
                refs = await self._parts.repositories.tables_of(subject)
            except REDIS_ERRORS as error:
                log.warning("table_not_drawn", reason=type(error).__name__)
                changes.note(subject)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if len(refs) <= AT_ONCE:
                for ref in refs:
                    self.wake(ref)
            else:
                changes.rest(subject)
                self._parts.background.start(self._wake_in_turn(refs, partial(changes.end_rest, subject)))

    async def _wake_in_turn(self, refs: Sequence[str], done: Callable[[], None]) -> None:
        """Draw many tables, one every `NEXT_SECONDS`."""
        for ref in refs:
            self.wake(ref)
            await asyncio.sleep(NEXT_SECONDS)
        done()

    def find(self, ref: str) -> TableFollower | None:
        """Return the follower of a table."""
        return self._followers.get(ref)

    def wake(self, ref: str) -> None:
        """Draw a table again, and follow it from now on."""
        if ref not in self._followers:
            self._followers[ref] = TableFollower(ref, self._parts, self.forget)
        self._followers[ref].wake()

    def forget(self, ref: str) -> None:
        """Drop the follower and caches of a deleted table."""
        follower = self._followers.pop(ref, None)
        if follower is not None:
            follower.set_alarm(None)
        self._parts.tables.lookup.forget_table(ref)
        self._parts.outbox.forget_table(ref)
