"""Following one table: its events are read from the engine and told, until its match is over and everybody knows."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from services.telegram.feed.news import News
from services.telegram.feed.telling import Teller
from services.telegram.memory.rooms import Rooms
from services.telegram.tracing import untraced
from shared.client import EngineClient
from shared.errors import EngineError, NotFoundError, UnavailableError
from shared.messages import EventItem
from shared.tasks import end

log = structlog.get_logger(__name__)

PAUSE = 1.0


class Following:
    """One table, and the task that follows it; `gone` is called when the engine has forgotten the table."""

    def __init__(
        self, ref: str, engine: EngineClient, rooms: Rooms, teller: Teller, gone: Callable[[str], Awaitable[None]]
    ) -> None:
        self._ref = ref
        self._engine = engine
        self._rooms = rooms
        self._teller = teller
        self._gone = gone
        self._news = News()
        self._queue: asyncio.Queue[EventItem | None] = asyncio.Queue()
        """Events, and between them nothing: look again."""
        self._wanted = False
        """Has somebody asked for a look since this round of following began?"""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at the table, and follow it from now on."""
        self._wanted = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow(), name=f"table {self._ref}")
        self.look_again()

    def look_again(self) -> None:
        """Look at the table again while it is followed."""
        self._queue.put_nowait(None)

    async def stop(self) -> None:
        """Follow it no more; the task that follows it may ask for that, and goes on until it returns."""
        if self._task is not None and self._task is not asyncio.current_task():
            await end(self._task)

    async def _follow(self) -> None:
        untraced()
        while self._wanted:
            try:
                self._wanted = False
                await self._follow_once()
                continue
            except NotFoundError:
                await self._gone(self._ref)
                return
            except UnavailableError:
                pass
            except EngineError as error:
                log.warning("table_not_followed", code=error.code)
            except Exception:
                log.exception("table_not_drawn")
            await asyncio.sleep(PAUSE)
            self._wanted = True

    async def _follow_once(self) -> None:
        room = await self._rooms.room(self._ref)
        if room is None or room.engine is None:
            return
        await self._catch_up(room.engine)
        reader = asyncio.create_task(self._read(room.engine), name=f"events {self._ref}")
        try:
            await self._tell_until_over(reader)
        finally:
            await end(reader)

    async def _catch_up(self, table: str) -> None:
        told = await self._rooms.told(self._ref)
        page = await self._engine.event_page(table)
        for item in page.events:
            self._news.take(item, new=told is None or item.id > told)
        if not page.events:
            self._news.story.look(await self._engine.table(table))

    async def _read(self, table: str) -> None:
        seen = self._news.story.table
        try:
            async for item in self._engine.events(table, after=None if seen is None else seen.version):
                self._queue.put_nowait(item)
        finally:
            self._queue.put_nowait(None)

    async def _tell_until_over(self, reader: asyncio.Task[None]) -> None:
        while True:
            room, table = await self._rooms.room(self._ref), self._news.story.table
            if room is None or room.engine is None or table is None:
                return
            await self._teller.tell(room, self._news)
            if await self._teller.is_told(room, table):
                return
            if reader.done():
                reader.result()
                return
            await self._take_next(room.engine)

    async def _take_next(self, table: str) -> None:
        items = [await self._queue.get()]
        while not self._queue.empty():
            items.append(self._queue.get_nowait())
        events = [item for item in items if item is not None]
        for item in events:
            self._news.take(item, new=True)
        if not events:
            self._news.story.look(await self._engine.table(table))
