"""Redis' commands on hashes and sets, with the types that they have here: redis-py gives one union for all its clients.

Values are text; yes and no are `true` and `false`.
"""

from collections.abc import Awaitable, Mapping
from typing import Any, cast

from redis.asyncio import Redis


async def hget(redis: Redis, key: str, field: str) -> str | None:
    """Return one field of a hash, if it is there."""
    return cast("str | None", await answered(redis.hget(key, field)))


async def hgetall(redis: Redis, key: str) -> dict[str, str]:
    """Return all fields of a hash; none where there is no such hash."""
    return cast("dict[str, str]", await answered(redis.hgetall(key)))


async def hset(redis: Redis, key: str, fields: Mapping[str, object]) -> None:
    """Set fields of a hash."""
    await answered(redis.hset(key, mapping={name: _text(value) for name, value in fields.items()}))


async def hdel(redis: Redis, key: str, field: str) -> None:
    """Delete a field of a hash."""
    await answered(redis.hdel(key, field))


async def sadd(redis: Redis, key: str, member: str) -> None:
    """Put something into a set."""
    await answered(redis.sadd(key, member))


async def srem(redis: Redis, key: str, member: str) -> None:
    """Take something out of a set."""
    await answered(redis.srem(key, member))


async def smembers(redis: Redis, key: str) -> set[str]:
    """Return what is in a set."""
    return cast("set[str]", await answered(redis.smembers(key)))


async def copy(redis: Redis, old: str, new: str) -> None:
    """Copy a hash to another key, which a cluster may keep on another node."""
    fields = await hgetall(redis, old)
    if fields:
        await hset(redis, new, fields)


async def answered(answer: Any) -> Any:  # noqa: ANN401 - as redis-py has it
    """Wait for an answer that is typed as one of either client, the one that waits and the one that does not."""
    return await cast("Awaitable[Any]", answer)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
