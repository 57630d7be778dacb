"""What Redis says when it does not serve, said without its words: they can quote a command, and so a hand."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.exceptions import RedisClusterException, RedisError, ResponseError

REDIS_ERRORS = (RedisError, RedisClusterException, OSError)

REPLY_SECONDS = 2.0

T = TypeVar("T")


class StoreDownError(Exception):
    """Redis is away, read-only, loading, out of memory, or refuses: nothing was confirmed."""


async def guarded(ask: Callable[[], Awaitable[T]]) -> T:
    """Return what Redis replies, asked once more if it keeps silent. Raises `StoreDownError`."""
    try:
        try:
            return await _in_time(ask)
        except TimeoutError:
            return await _in_time(ask)
    except REDIS_ERRORS as error:
        reason = reason_of(error)
    # Out here, so that the error of Redis is not even this one's context.
    raise StoreDownError(reason)


async def _in_time(ask: Callable[[], Awaitable[T]]) -> T:
    # Not by redis-py's own timeout: it is slower, and before Python 3.12 it can swallow a cancellation.
    async with asyncio.timeout(REPLY_SECONDS):
        return await ask()


def reason_of(error: Exception) -> str:
    """Name an error of Redis: its class, and the code that a plain refusal begins with (`MISCONF`, `NOAUTH`, …)."""
    name = type(error).__name__
    if type(error) is not ResponseError:
        return name
    code = str(error).partition(" ")[0]
    return f"{name} {code}" if code.isalpha() and code.isupper() else name
