"""What Redis says when it does not serve, said without its words: they can quote a command, and so a hand."""

from collections.abc import Awaitable
from typing import TypeVar

from redis.exceptions import RedisClusterException, RedisError, ResponseError

REDIS_ERRORS = (RedisError, RedisClusterException, OSError)

T = TypeVar("T")


class StoreDownError(Exception):
    """Redis is away, read-only, loading, out of memory, or refuses: nothing was confirmed."""


async def guarded(command: Awaitable[T]) -> T:
    """Return what a command of Redis returns. Raises `StoreDownError`."""
    try:
        return await command
    except REDIS_ERRORS as error:
        reason = reason_of(error)
    # Out here, so that the error of Redis is not even this one's context.
    raise StoreDownError(reason)


def reason_of(error: Exception) -> str:
    """Name an error of Redis: its class, and the code that a plain refusal begins with (`MISCONF`, `NOAUTH`, …)."""
    name = type(error).__name__
    if type(error) is not ResponseError:
        return name
    code = str(error).partition(" ")[0]
    return f"{name} {code}" if code.isalpha() and code.isupper() else name
