"""Repository of the custom emoji that the bot may use: the ids of the pictures by their names."""

from collections.abc import Mapping

from redis.asyncio import Redis

from services.telegram.repositories import connection, keys


class CustomEmojiRepository:
    """The ids, which are no secret, and of one set alone."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def ids(self) -> dict[str, str]:
        """Return the ids; an empty dict where the bot may use none. Raises what redis-py raises."""
        return await connection.hgetall(self._redis, keys.CUSTOM_EMOJI)

    async def keep(self, ids: Mapping[str, str]) -> None:
        """Store the ids. Raises what redis-py raises."""
        await connection.hset(self._redis, keys.CUSTOM_EMOJI, ids)

    async def forget(self) -> None:
        """Delete the ids. Raises what redis-py raises."""
        await connection.answer_of(self._redis.delete(keys.CUSTOM_EMOJI))
