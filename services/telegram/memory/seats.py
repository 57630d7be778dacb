"""Seats: who sits at which table, with what token, and the cards that he has taken up.

Tokens are kept here and nowhere else.
"""

import msgspec
from redis.asyncio import Redis

from services.telegram.memory import keys, typed
from services.telegram.records import Picked


class Seats:
    """The seats of people at tables."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def keep(self, ref: str, user: int, token: str) -> None:
        """Remember a person's seat by its token."""
        await typed.hset(self._redis, keys.tokens(ref), {str(user): token})
        await typed.sadd(self._redis, keys.rooms_of(user), ref)

    async def forget(self, ref: str, user: int) -> None:
        """Forget a person's seat."""
        for key in (keys.tokens, keys.rung, keys.picked):
            await typed.hdel(self._redis, key(ref), str(user))
        await typed.srem(self._redis, keys.rooms_of(user), ref)

    async def token(self, ref: str, user: int) -> str | None:
        """Return a person's token at a table."""
        return await typed.hget(self._redis, keys.tokens(ref), str(user))

    async def tokens(self, ref: str) -> dict[int, str]:
        """Return the tokens of a table by person."""
        tokens = await typed.hgetall(self._redis, keys.tokens(ref))
        return {int(user): token for user, token in tokens.items()}

    # --- the tables of a person

    async def rooms_of(self, user: int) -> list[str]:
        """Return the tables at which a person sits."""
        return sorted(await typed.smembers(self._redis, keys.rooms_of(user)))

    async def forget_rooms_of(self, user: int) -> None:
        """Forget at which tables a person sits."""
        await self._redis.delete(keys.rooms_of(user))

    async def forget_room(self, ref: str) -> None:
        """Forget that anybody sits at a table."""
        for user in await self.tokens(ref):
            await typed.srem(self._redis, keys.rooms_of(user), ref)

    # --- cards taken up

    async def picked(self, ref: str, user: int, version: int) -> frozenset[int]:
        """Return the places of the cards that a person has taken up in this version of the table."""
        found = await typed.hget(self._redis, keys.picked(ref), str(user))
        kept = None if found is None else msgspec.json.decode(found, type=Picked)
        return kept.places if kept is not None and kept.version == version else frozenset()

    async def pick(self, ref: str, user: int, version: int, places: frozenset[int]) -> None:
        """Remember the cards that a person has taken up."""
        kept = msgspec.json.encode(Picked(version, places)).decode()
        await typed.hset(self._redis, keys.picked(ref), {str(user): kept})
