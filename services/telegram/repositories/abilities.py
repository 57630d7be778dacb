"""Repository of what Telegram lets this bot do: custom emoji, ephemeral messages."""

from collections.abc import Mapping

from redis.asyncio import Redis

from services.telegram.repositories import connection, keys

BELIEVED_SECONDS = 7 * 24 * 3600
"""Seconds for which the result for a server is kept: later it may run a newer release."""


class AbilityRepository:
    """Stores what one process of the bot has found out, for all of them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def emoji_ids(self) -> dict[str, str]:
        """Return the ids of the custom emoji by the names of their pictures; empty if the bot may use none."""
        return await connection.hgetall(self._redis, keys.CUSTOM_EMOJI)

    async def keep_emoji(self, ids: Mapping[str, str]) -> None:
        """Store the ids of the custom emoji."""
        await connection.hset(self._redis, keys.CUSTOM_EMOJI, ids)

    async def forget_emoji(self) -> None:
        """Delete the ids of the custom emoji."""
        await connection.answer_of(self._redis.delete(keys.CUSTOM_EMOJI))

    async def has_ephemeral(self, server: str) -> bool | None:
        """Return whether a Bot API server, by its address, shows messages to one person alone; None if not known."""
        found = await connection.answer_of(self._redis.get(keys.ephemeral(server)))
        return None if found is None else found == "1"

    async def record_ephemeral(self, server: str, *, known: bool) -> None:
        """Store whether a server shows messages to one person alone."""
        await connection.answer_of(self._redis.set(keys.ephemeral(server), str(int(known)), ex=BELIEVED_SECONDS))
