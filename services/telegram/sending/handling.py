"""Context of the update (or other event) that a task is handling, for the messages that it sends."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

from services.common.fair_queue import Asker
from services.telegram.sending.messages import Message


class Handling:
    """The handling of an update or event that `asker` caused, with its messages that belong to no table."""

    def __init__(self, name: int | str, asker: Asker | None) -> None:
        self._name = name
        self._numbers = count()
        self.asker = asker
        self.goes_on = True
        self.held: list[Message] = []

    def next_name(self) -> str:
        """Return a name for the next message. Handling the same event again gives the same names."""
        return f"{self._name}.{next(self._numbers)}"

    def hold(self, message: Message, name: str) -> None:
        """Hold a message back until the end of the handling."""
        message.name, message.held = name, True
        self.held.append(message)


_handling: ContextVar[Handling | None] = ContextVar("handling of an update", default=None)


@contextmanager
def handled(name: int | str, asker: Asker | None) -> Iterator[Handling]:
    """Return a context in which this task handles an event."""
    handling = Handling(name, asker)
    before = _handling.set(handling)
    try:
        yield handling
    finally:
        _handling.reset(before)
        handling.goes_on = False


def under_way() -> Handling | None:
    """Return the handling under way in this task, or None."""
    handling = _handling.get()
    return handling if handling is not None and handling.goes_on else None


def asker_in(chat: int) -> Asker:
    """Return the person or chat that caused this task's work, also after the handling has ended; `chat` if unknown."""
    handling = _handling.get()
    return ("chat", chat) if handling is None or handling.asker is None else handling.asker
