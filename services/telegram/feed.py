"""The feed: follows the engine's events of every live table and has the painter draw what changed.

What has been told is remembered, so that after a restart nothing is told twice and nothing is left out.
"""

import asyncio
import time

import structlog
from msgspec import structs

from services.telegram.memory.memory import Memory
from services.telegram.memory.migration import migrate
from services.telegram.outbox.outbox import Outbox
from services.telegram.outbox.parcels import Slot
from services.telegram.painter import Painter
from services.telegram.records import Room
from services.telegram.story import DealEnd, Story
from services.telegram.tables import Tables
from services.telegram.tracing import untraced
from shared.client import EngineClient
from shared.errors import EngineError, NotFoundError, UnavailableError
from shared.messages import EventItem, Table
from shared.tasks import end

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 60.0
LOBBY_IDLE = 6 * 3600.0
OVER_IDLE = 24 * 3600.0
PAUSE = 1.0

Work = EventItem | None
"""An event, or none: look again."""


class _Line:
    """The way from a table's events to its painter: what has not been drawn yet."""

    def __init__(self) -> None:
        self.story = Story()
        self.queue: asyncio.Queue[Work] = asyncio.Queue()
        self.ends: list[tuple[int, DealEnd]] = []
        """Ends of deals to be told, with the version that brought each."""
        self.pending: dict[str, int] = {}
        """Their slots and versions while they may not have been sent yet."""
        self.over: Table | None = None
        """The table as its last match ended."""
        self.task: asyncio.Task[None] | None = None
        self.wanted = False
        """Has somebody asked for a look since this round of following began?"""


class Feed:
    """Follows tables. Use as an async context manager; entering it takes up every table that the bot remembers."""

    def __init__(self, engine: EngineClient, memory: Memory, tables: Tables, painter: Painter, outbox: Outbox) -> None:
        self._engine = engine
        self._memory = memory
        self._tables = tables
        self._painter = painter
        self._outbox = outbox
        self._lines: dict[str, _Line] = {}
        self._chores: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Feed":
        self._chores = [
            asyncio.create_task(self._take_up(), name="take up"),
            asyncio.create_task(self._sweep_now_and_then(), name="sweep"),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        await end(*self._chores, *(line.task for line in self._lines.values() if line.task))

    async def _take_up(self) -> None:
        """Draw every table that the bot remembers as soon as the engine answers."""
        for room in await self._memory.rooms.existing(await self._memory.rooms.live()):
            while not room.over:
                try:
                    await self.refresh(room.ref)
                    break
                except EngineError:
                    await asyncio.sleep(PAUSE)

    async def refresh(self, ref: str) -> None:
        """Draw a table anew; one that is played at is followed from now on."""
        room = await self._memory.rooms.room(ref)
        if room is None:
            return
        line = self._lines.get(ref)
        if room.engine is None:
            await self._stop(ref)
            await self._painter.lobby(room, None)
            return
        if line is None:
            line = self._lines[ref] = _Line()
        line.wanted = True
        if line.task is None or line.task.done():
            line.task = asyncio.create_task(self._follow(ref, line), name=f"table {ref}")
        line.queue.put_nowait(None)

    async def close(self, room: Room) -> None:
        """Close a table: everybody leaves, its messages say so, and it is forgotten."""
        await self._stop(room.ref)
        await self._painter.closed(room)
        for user in await self._memory.seats.tokens(room.ref):
            await self._painter.farewell(room, user)
        await self._tables.close(room)
        self._forget(room.ref)

    async def _stop(self, ref: str) -> None:
        line = self._lines.pop(ref, None)
        if line is not None and line.task is not None and line.task is not asyncio.current_task():
            await end(line.task)

    def _forget(self, ref: str) -> None:
        self._lines.pop(ref, None)
        self._painter.forget(ref)

    # --- one table

    async def _follow(self, ref: str, line: _Line) -> None:
        untraced()
        while line.wanted:
            try:
                line.wanted = False
                await self._follow_once(ref, line)
                continue
            except NotFoundError:
                await self._gone(ref)
                return
            except UnavailableError:
                await asyncio.sleep(PAUSE)
            except EngineError as error:
                log.warning("table_not_followed", code=error.code)
                await asyncio.sleep(PAUSE)
            except Exception:
                log.exception("table_not_drawn")
                await asyncio.sleep(PAUSE)
            line.wanted = True

    async def _follow_once(self, ref: str, line: _Line) -> None:
        room = await self._memory.rooms.room(ref)
        if room is None or room.engine is None:
            return
        told = await self._memory.rooms.told(ref)
        page = await self._engine.event_page(room.engine)
        for item in page.events:
            self._take(line, item, new=told is None or item.id > told)
        if not page.events:
            line.story.look(await self._engine.table(room.engine))
        reader = asyncio.create_task(self._read(room.engine, line), name=f"events {ref}")
        try:
            await self._draw_until_over(ref, line, reader)
        finally:
            await end(reader)

    async def _read(self, engine: str, line: _Line) -> None:
        after = line.story.table.version if line.story.table else None
        try:
            async for item in self._engine.events(engine, after=after):
                line.queue.put_nowait(item)
        finally:
            line.queue.put_nowait(None)

    async def _draw_until_over(self, ref: str, line: _Line, reader: asyncio.Task[None]) -> None:
        while True:
            room = await self._memory.rooms.room(ref)
            if room is None or room.engine is None or line.story.table is None:
                return
            await self._draw(room, line)
            if await self._is_told(room, line):
                return
            if reader.done():
                reader.result()
                return
            await self._take_next(room, line)

    async def _take_next(self, room: Room, line: _Line) -> None:
        items = [await line.queue.get()]
        while not line.queue.empty():
            items.append(line.queue.get_nowait())
        for item in items:
            if item is not None:
                self._take(line, item, new=True)
        if room.engine is not None and all(item is None for item in items):
            line.story.look(await self._engine.table(room.engine))

    def _take(self, line: _Line, item: EventItem, *, new: bool) -> None:
        ends = line.story.follow(item)
        if new:
            line.ends += [(item.id, end) for end in ends]

    async def _draw(self, room: Room, line: _Line) -> None:
        table = line.story.table
        if table is None:
            return
        await self._memory.rooms.touch(room.ref)
        if room.over and table.status == "playing":
            await self._memory.rooms.keep(structs.replace(room, over=False))
        await self._tell_rematch(room, line, table)
        for version, ended in line.ends:
            line.pending[await self._painter.deal_end(room, ended)] = version
        line.ends.clear()
        await self._count(room, table)
        if table.status == "open":
            await self._painter.lobby(room, table)
        else:
            self._painter.close_options(room.ref)
            await self._painter.table(room, line.story)
        await self._remember(room.ref, line, table)

    async def _tell_rematch(self, room: Room, line: _Line, table: Table) -> None:
        """Take the rematch's button away once it has begun."""
        if table.status == "over":
            line.over = table
        elif line.over is not None:
            await self._painter.rematched(room, line.over)
            line.over = None

    async def _count(self, room: Room, table: Table) -> None:
        """Count a finished match for the group's leaderboard."""
        result = table.match.result
        if result is None or room.alone:
            return
        seats = await self._tables.seats(room)
        winners = [user for user, seat in seats.items() if seat in result.ranking[0]]
        await self._memory.boards.count(room, table.match.number, winners, seats)

    async def _remember(self, ref: str, line: _Line, table: Table) -> None:
        """Remember how far everything has been told: not beyond the end of a deal that is still to be sent."""
        sent = await self._memory.messages.of(ref)
        line.pending = {slot: version for slot, version in line.pending.items() if slot not in sent}
        await self._memory.rooms.tell(ref, min([table.version, *(version - 1 for version in line.pending.values())]))

    async def _is_told(self, room: Room, line: _Line) -> bool:
        """Tell whether the match is over and everybody knows; then there is nothing to follow until a rematch."""
        table = line.story.table
        if table is None or table.status != "over":
            return False
        if table.match.result is None:
            return True
        if f"over:{table.match.number}" not in await self._memory.messages.of(room.ref):
            return False
        await self._memory.rooms.keep(structs.replace(room, over=True))
        return True

    async def _gone(self, ref: str) -> None:
        """Forget a table that the engine has forgotten."""
        room = await self._memory.rooms.room(ref)
        if room is not None:
            await self._painter.closed(room)
            await self._memory.rooms.drop(room)
        self._forget(ref)

    # --- what the outbox learns

    async def placed(self, slot: Slot, message: int | None) -> None:
        """Remember a new message."""
        await self._memory.messages.place(slot.ref, slot.name, message or 0)
        kind, _, user = slot.name.partition(":")
        if kind == "hand":
            await self._painter.has_rung(slot, int(user))
        elif kind in {"over", "end"} and (line := self._lines.get(slot.ref)) is not None:
            line.queue.put_nowait(None)

    async def closed(self, chat: int, reason: str) -> None:
        """Note that the bot may not write to a chat; who is gone for good leaves his tables."""
        if chat < 0:
            if "kicked" in reason or "not a member" in reason or "deactivated" in reason or "not found" in reason:
                await self._memory.chats.settle(chat, present=False)
            return
        await self._memory.people.reach(chat, reachable=False)
        if "blocked" in reason or "deactivated" in reason:
            await self.depart(chat)
            return
        for ref in await self._memory.seats.rooms_of(chat):
            await self.refresh(ref)

    async def moved(self, old: int, new: int) -> None:
        """Follow a group to the supergroup that it became."""
        if await self._memory.chats.whereabouts(old) == new:
            return
        await migrate(self._memory, old, new)
        self._outbox.move(old, new)
        for room in await self._memory.rooms.existing(await self._memory.rooms.in_chat(new)):
            await self.refresh(room.ref)

    async def depart(self, user: int, *, chat: int | None = None) -> None:
        """Let a person leave all his tables, or those of one chat; computer players take over."""
        try:
            left = await self._tables.leave_all(user, chat=chat)
        except EngineError as error:
            log.warning("departure_failed", code=error.code)
            return
        for room in left:
            await self.refresh(room.ref)

    # --- housekeeping

    async def _sweep_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep(time.time())
            except Exception:
                log.exception("sweep_failed")

    async def sweep(self, now: float) -> None:
        """Close lobbies that nobody has touched for hours, and forget matches that are long over."""
        for room in await self._memory.rooms.existing(await self._memory.rooms.live(idle_since=now - LOBBY_IDLE)):
            if room.over:
                if room.ref in await self._memory.rooms.live(idle_since=now - OVER_IDLE):
                    await self._memory.rooms.drop(room)
                    self._forget(room.ref)
                continue
            table = None if room.engine is None else await self._engine.table(room.engine)
            if table is None or table.status == "open":
                await self.close(room)
