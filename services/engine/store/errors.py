"""Errors of the store, and the names of Redis errors without their messages."""

from redis.exceptions import ResponseError

from services.engine.errors import ProblemError

REPLY_SECONDS = 2.0
"""Seconds without a reply after which a connection counts as dead."""


class StoreDownError(ProblemError):
    """Redis is unreachable, read-only, loading, out of memory, or refuses commands. Nothing was confirmed."""

    def __init__(self, reason: str = "") -> None:
        """`reason`: the name of the Redis error, for logs."""
        super().__init__("store_down")
        self.args = (reason,)


class DamagedError(ProblemError):
    """A stored value has the wrong type or invalid bytes. This error says nothing about other values."""

    def __init__(self) -> None:
        super().__init__("damaged_table")


class NewerFormError(ProblemError):
    """A stored value has a format that this release does not know: a newer release wrote it."""

    def __init__(self) -> None:
        super().__init__("newer_release")


def is_wrong_type(error: Exception) -> bool:
    """Return whether a command or script failed because a key holds a value of the wrong type."""
    return isinstance(error, ResponseError) and "WRONGTYPE" in str(error)


def reason_of(error: Exception) -> str:
    """Return the class of a Redis error, and the code at the beginning of its message (`MISCONF`, `NOAUTH`, …).

    The message itself is never returned, since it can quote a command, and so the cards of a hand.
    """
    name = type(error).__name__
    if type(error) is not ResponseError:
        return name
    code = str(error).partition(" ")[0]
    return f"{name} {code}" if code.isalpha() and code.isupper() else name
