"""What Redis says when it does not serve, said without its words: they can quote a command, and so a hand."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.exceptions import ConnectionError as LostError
from redis.exceptions import NoScriptError, RedisClusterException, RedisError, ResponseError

REDIS_ERRORS = (RedisError, RedisClusterException, OSError)

REPLY_SECONDS = 2.0
"""After so long without a reply a connection counts as dead."""

C = TypeVar("C")


class StoreDownError(Exception):
    """Redis is away, read-only, loading, out of memory, or refuses: nothing was confirmed."""


async def guarded(send: Callable[[C], Awaitable[object]], command: C) -> object:
    """Return what Redis replies, asked once more if the connection broke or it keeps silent. Raises `StoreDownError`.

    Asking twice is safe: every script knows when it has done this very thing before.
    """
    try:
        try:
            return await send(command)
        except (LostError, TimeoutError):
            return await send(command)
    except NoScriptError:
        raise
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
