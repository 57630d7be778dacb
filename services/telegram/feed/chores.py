"""Housekeeping: at the start all tables are taken up again, and now and then those that nobody needs are put away."""

import asyncio
import time

import structlog

from services.telegram.feed.feed import Feed
from services.telegram.memory.memory import Memory
from services.telegram.records import Room
from shared.client import EngineClient
from shared.errors import EngineError
from shared.tasks import end

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 60.0
LOBBY_IDLE = 6 * 3600.0
OVER_IDLE = 24 * 3600.0
PAUSE = 1.0


class Chores:
    """What the house does by itself. Use as an async context manager."""

    def __init__(self, engine: EngineClient, memory: Memory, feed: Feed) -> None:
        self._engine = engine
        self._rooms = memory.rooms
        self._feed = feed
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Chores":
        self._tasks = [
            asyncio.create_task(self._take_up(), name="take up"),
            asyncio.create_task(self._sweep_now_and_then(), name="sweep"),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        await end(*self._tasks)

    async def _take_up(self) -> None:
        """Draw every table that the bot remembers as soon as the engine answers."""
        for room in await self._rooms.existing(await self._rooms.live()):
            while not room.over:
                try:
                    await self._feed.refresh(room.ref)
                    break
                except EngineError:
                    await asyncio.sleep(PAUSE)

    async def _sweep_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep(time.time())
            except Exception:
                log.exception("sweep_failed")

    async def sweep(self, now: float) -> None:
        """Close lobbies that nobody has touched for hours, and forget matches that are long over."""
        for room in await self._rooms.existing(await self._rooms.live(idle_since=now - LOBBY_IDLE)):
            if not room.over:
                await self._close_if_open(room)
            elif room.ref in await self._rooms.live(idle_since=now - OVER_IDLE):
                await self._feed.drop(room)

    async def _close_if_open(self, room: Room) -> None:
        table = None if room.engine is None else await self._engine.table(room.engine)
        if table is None or table.status == "open":
            await self._feed.close(room)
