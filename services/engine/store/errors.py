"""What Redis says when it does not serve, said without its words: they can quote a command, and so a hand."""

from redis.exceptions import RedisClusterException, RedisError, ResponseError

REDIS_ERRORS = (RedisError, RedisClusterException, OSError)

REPLY_SECONDS = 2.0
"""After so long without a reply a connection counts as dead."""


class StoreDownError(Exception):
    """Redis is away, read-only, loading, out of memory, or refuses: nothing was confirmed."""


def reason_of(error: Exception) -> str:
    """Name an error of Redis: its class, and the code that a plain refusal begins with (`MISCONF`, `NOAUTH`, …)."""
    name = type(error).__name__
    if type(error) is not ResponseError:
        return name
    code = str(error).partition(" ")[0]
    return f"{name} {code}" if code.isalpha() and code.isupper() else name
