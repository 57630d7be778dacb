"""The feed: which tables are followed; drawing one anew, closing it, forgetting it."""

import asyncio

from services.telegram.feed.following import Following
from services.telegram.feed.telling import Teller
from services.telegram.memory.memory import Memory
from services.telegram.painter.painter import Painter
from services.telegram.records import Room
from services.telegram.tables.tables import Tables
from shared.client import EngineClient


class Feed:
    """Follows tables. Use as an async context manager: leaving it follows none any more."""

    def __init__(self, engine: EngineClient, memory: Memory, tables: Tables, painter: Painter) -> None:
        self._engine = engine
        self._memory = memory
        self._opening = tables.opening
        self._painter = painter
        self._teller = Teller(memory, tables.looking, painter)
        self._followed: dict[str, Following] = {}

    async def __aenter__(self) -> "Feed":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(following.stop() for following in self._followed.values()))

    async def refresh(self, ref: str) -> None:
        """Draw a table anew; one that is played at is followed from now on."""
        room = await self._memory.rooms.room(ref)
        if room is None:
            return
        if room.engine is None:
            await self._stop(ref)
            await self._painter.lobbies.draw(room, None)
            return
        if ref not in self._followed:
            self._followed[ref] = Following(ref, self._engine, self._memory.rooms, self._teller, self._gone)
        self._followed[ref].start()

    def look_again(self, ref: str) -> None:
        """Let whoever follows a table look again: something that he waited for has been sent."""
        if ref in self._followed:
            self._followed[ref].look_again()

    async def close(self, room: Room) -> None:
        """Close a table: everybody leaves, its messages say so, and it is forgotten."""
        await self._stop(room.ref)
        await self._painter.lobbies.close(room)
        for user in await self._memory.seats.tokens(room.ref):
            await self._painter.hands.farewell(room, user)
        await self._opening.close(room)
        self._forget(room.ref)

    async def drop(self, room: Room) -> None:
        """Forget a table; its messages stay as they are."""
        await self._memory.rooms.drop(room)
        self._forget(room.ref)

    async def _gone(self, ref: str) -> None:
        """Forget a table that the engine has forgotten."""
        room = await self._memory.rooms.room(ref)
        if room is not None:
            await self._painter.lobbies.close(room)
            await self._memory.rooms.drop(room)
        self._forget(ref)

    async def _stop(self, ref: str) -> None:
        following = self._followed.pop(ref, None)
        if following is not None:
            await following.stop()

    def _forget(self, ref: str) -> None:
        self._followed.pop(ref, None)
        self._painter.forget(ref)
