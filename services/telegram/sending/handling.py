"""The current handling: its name, its cause, and its messages that belong to no table."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

from services.common.fair_queue import Asker
from services.telegram.sending.messages import Message


class Handling:
    """The handling of an update, or of what else has its own name, and the messages of no table that it has made."""

    def __init__(self, name: int | str, asker: Asker | None) -> None:
        self._name = name
        self._numbers = count()
        self.asker = asker
        self.goes_on = True
        self.held: list[Message] = []

    def next_name(self) -> str:
        """Return the name of the next message, the same when the same is handled again."""
        return f"{self._name}.{next(self._numbers)}"

    def hold(self, message: Message, name: str) -> None:
        """Let a message wait until the end of the handling."""
        message.name, message.held = name, True
        self.held.append(message)


_handling: ContextVar[Handling | None] = ContextVar("handling of an update", default=None)


@contextmanager
def handled(name: int | str, asker: Asker | None) -> Iterator[Handling]:
    """Let this task handle something meanwhile."""
    handling = Handling(name, asker)
    before = _handling.set(handling)
    try:
        yield handling
    finally:
        _handling.reset(before)
        handling.goes_on = False


def under_way() -> Handling | None:
    """Return what this task handles, if it has not ended."""
    handling = _handling.get()
    return handling if handling is not None and handling.goes_on else None


def asker_in(chat: int) -> Asker:
    """Return who has caused what this task does in a chat, also after the handling; the chat where nobody is known."""
    handling = _handling.get()
    return ("chat", chat) if handling is None or handling.asker is None else handling.asker
