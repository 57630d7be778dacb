"""The bot's Redis client, and the Redis commands of the repositories with exact types.

redis-py types each command for its blocking and its asyncio client together. Values are text; booleans are stored as
`true` and `false`.
"""

from collections.abc import Awaitable, Mapping
from typing import Any, cast

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from services.common.redis_urls import NoEmbeddedRedisError, RedisUrlError, embedded_client, open_client
from services.common.settings import SettingsError

log = structlog.get_logger(__name__)

RETRY = Retry(ExponentialBackoff(cap=1.0, base=0.05), retries=5)
"""Attempts for a command, with pauses that grow to one second, while Redis does not answer."""

TIME_LIMITS: Mapping[str, Any] = {"socket_timeout": 3.0, "socket_connect_timeout": 1.0}
"""Seconds for an answer, and for a connection."""


def connect(url: str) -> Redis:
    """Return a client that decodes answers to text for a Redis URL; for an empty one, of a Redis inside this process.

    The server need not answer yet. Raises `SettingsError` if no client understands the URL, or if it is empty and
    fakeredis is not installed.
    """
    try:
        if not url:
            embedded = embedded_client(decode_responses=True)
            log.warning(
                "bot_redis_embedded", detail="the bot's chats, tables and settings are lost when this process ends"
            )
            return embedded
        # The client of a cluster has the same commands, but not the same base class.
        return cast("Redis", open_client(url, decode_responses=True, retry=RETRY, driver_info=None, **TIME_LIMITS))
    except (RedisUrlError, NoEmbeddedRedisError) as error:
        problem = f"REDIS_URL is {error}."
    raise SettingsError(problem)


async def hget(redis: Redis, key: str, field: str) -> str | None:
    """Return one field of a hash, if it exists."""
    return cast("str | None", await answer_of(redis.hget(key, field)))


async def hgetall(redis: Redis, key: str) -> dict[str, str]:
    """Return all fields of a hash; an empty dict where it does not exist."""
    return cast("dict[str, str]", await answer_of(redis.hgetall(key)))


async def hset(redis: Redis, key: str, fields: Mapping[str, object]) -> None:
    """Set fields of a hash."""
    await answer_of(redis.hset(key, mapping={name: _text(value) for name, value in fields.items()}))


async def hsetnx(redis: Redis, key: str, field: str, value: str) -> None:
    """Set a field of a hash unless it exists."""
    await answer_of(redis.hsetnx(key, field, value))


async def hdel(redis: Redis, key: str, *fields: str) -> None:
    """Delete fields of a hash."""
    await answer_of(redis.hdel(key, *fields))


async def sadd(redis: Redis, key: str, member: str) -> None:
    """Add a member to a set."""
    await answer_of(redis.sadd(key, member))


async def srem(redis: Redis, key: str, member: str) -> None:
    """Remove a member from a set."""
    await answer_of(redis.srem(key, member))


async def smembers(redis: Redis, key: str) -> set[str]:
    """Return the members of a set."""
    return cast("set[str]", await answer_of(redis.smembers(key)))


async def copy(redis: Redis, old: str, new: str) -> None:
    """Copy a hash to another key, by reading and writing: a cluster may keep the keys on two nodes."""
    fields = await hgetall(redis, old)
    if fields:
        await hset(redis, new, fields)


async def answer_of(command: Any) -> Any:  # noqa: ANN401 - as in redis-py
    """Return the answer of a command, which redis-py types as of its blocking or its asyncio client."""
    return await cast("Awaitable[Any]", command)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
