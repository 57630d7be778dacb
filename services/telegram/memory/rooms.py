"""Tables as the bot knows them: which there are, in which chat each stands, and how far it has been told."""

import time
from collections.abc import Iterable
from secrets import token_urlsafe
from typing import cast

import msgspec
from redis.asyncio import Redis

from services.telegram.memory import keys, typed
from services.telegram.memory.seats import Seats
from services.telegram.records import Room

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Rooms:
    """The tables of all chats."""

    def __init__(self, redis: Redis, seats: Seats) -> None:
        self._redis = redis
        self._seats = seats

    async def room(self, ref: str) -> Room | None:
        """Return a table, unless it is gone."""
        found = await typed.hget(self._redis, keys.room(ref), "room")
        return None if found is None else msgspec.json.decode(found, type=Room)

    async def keep(self, room: Room) -> None:
        """Remember a table."""
        await typed.hset(self._redis, keys.room(room.ref), {"room": msgspec.json.encode(room).decode()})
        await typed.sadd(self._redis, keys.rooms_in(room.chat), room.ref)
        await self.touch(room.ref)

    async def touch(self, ref: str) -> None:
        """Note that a table is in use."""
        await self._redis.zadd(keys.LIVE, {ref: time.time()})

    async def drop(self, room: Room) -> None:
        """Forget a table with all that belongs to it."""
        await self._seats.forget_room(room.ref)
        await typed.srem(self._redis, keys.rooms_in(room.chat), room.ref)
        await self._redis.zrem(keys.LIVE, room.ref)
        for key in keys.OF_A_TABLE:
            await self._redis.delete(key(room.ref))

    # --- which there are

    async def live(self, *, idle_since: float | None = None) -> list[str]:
        """Return all tables, or those that were last used before a time."""
        most = "+inf" if idle_since is None else idle_since
        return cast("list[str]", await self._redis.zrangebyscore(keys.LIVE, "-inf", most))

    async def existing(self, refs: Iterable[str]) -> list[Room]:
        """Return those of these tables that are still there, in the order of their letters."""
        found = [room for room in [await self.room(ref) for ref in refs] if room is not None]
        return sorted(found, key=lambda room: room.letter)

    async def of_person(self, user: int) -> list[Room]:
        """Return the tables at which a person sits."""
        return await self.existing(await self._seats.rooms_of(user))

    async def in_chat(self, chat: int) -> list[str]:
        """Return the tables of a chat."""
        return sorted(await typed.smembers(self._redis, keys.rooms_in(chat)))

    async def forget_chat(self, chat: int) -> None:
        """Forget which tables stand in a chat."""
        await self._redis.delete(keys.rooms_in(chat))

    async def siblings(self, chat: int, thread: int | None) -> list[Room]:
        """Return the tables of one chat, or of one topic of it, whose match is not over."""
        rooms = await self.existing(await self.in_chat(chat))
        return [room for room in rooms if room.thread == thread and not room.over]

    async def letter(self, chat: int, thread: int | None, *, of: str | None = None) -> str:
        """Return the first free letter for a table in this place; `of` is the table itself, if it has one."""
        taken = {room.letter for room in await self.siblings(chat, thread) if room.ref != of}
        return next((letter for letter in LETTERS if letter not in taken), "Z")

    # --- how far each has been told

    async def told(self, ref: str) -> int | None:
        """Return the engine's version up to which everything has been told."""
        found = await typed.hget(self._redis, keys.room(ref), "told")
        return None if found is None else int(found)

    async def tell(self, ref: str, version: int | None) -> None:
        """Remember up to which version everything has been told; none to start again."""
        if version is None:
            await typed.hdel(self._redis, keys.room(ref), "told")
        else:
            await typed.hset(self._redis, keys.room(ref), {"told": version})


def new_ref() -> str:
    """Return a fresh reference for a table: 8 characters."""
    return token_urlsafe(6)
