"""The errors that callers of the store see, and the name of an error of Redis without its message."""

from redis.exceptions import ResponseError

from services.engine.errors import ProblemError

REPLY_SECONDS = 2.0
"""A connection without a reply for this long counts as dead."""


class StoreDownError(ProblemError):
    """Redis is unreachable, read-only, loading, out of memory, or refuses commands: nothing was confirmed."""

    def __init__(self, reason: str = "") -> None:
        """`reason`: the name of the error of Redis, for logs."""
        super().__init__("store_down")
        self.args = (reason,)


class DamagedError(ProblemError):
    """A stored value has another type or other bytes than it must have. Other values are not affected."""

    def __init__(self) -> None:
        super().__init__("damaged_table")


class NewerFormError(ProblemError):
    """A stored value has a form that this release does not know: a newer release wrote it."""

    def __init__(self) -> None:
        super().__init__("newer_release")


def is_wrong_type(error: Exception) -> bool:
    """Return whether Redis refused a command, or one in a script, because a key holds another type of value."""
    return isinstance(error, ResponseError) and "WRONGTYPE" in str(error)


def reason_of(error: Exception) -> str:
    """Return the class of an error of Redis, and the code that begins its message (`MISCONF`, `NOAUTH`, …).

    Never the message itself: it can quote a command, and so a hand.
    """
    name = type(error).__name__
    if type(error) is not ResponseError:
        return name
    code = str(error).partition(" ")[0]
    return f"{name} {code}" if code.isalpha() and code.isupper() else name
