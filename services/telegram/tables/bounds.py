"""How many tables a person and a chat may open in a minute, and have at once: all chats share one engine."""

import time
from collections import Counter
from collections.abc import Callable

from services.telegram.records import ChatTable
from services.telegram.repositories.chat_tables import LETTERS
from services.telegram.tables.lookup import ActionRefusedError

A_MINUTE, OF_EVENINGS_A_MINUTE = 20, 60
"""Tables that a person, or a chat, opens at the engine in a minute; and the evenings of a chat, all at once."""
OF_A_PERSON, OF_A_CHAT = 30, len(LETTERS)
"""Unfinished tables at which one person sits, and those in one chat."""


def require_fewer(chat_tables: list[ChatTable], most: int) -> None:
    """Raise `ActionRefusedError` unless fewer of the tables are unfinished."""
    if sum(not (other.over or other.closed) for other in chat_tables) >= most:
        raise ActionRefusedError("too_many_tables")


class Openings:
    """Counts the tables that are opened in each minute."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._minute = 0
        self._opened: Counter[tuple[str, int]] = Counter()

    def count(self, chat_table: ChatTable, user: int) -> None:
        """Count a table that is about to be opened. Raises `ActionRefusedError` beyond a bound."""
        minute = int(self._now() // 60)
        if minute != self._minute:
            self._minute, self._opened = minute, Counter()
        most, openers = A_MINUTE, [("chat", chat_table.chat), ("person", user)]
        if chat_table.evening:
            most, openers = OF_EVENINGS_A_MINUTE, [("evenings", chat_table.chat)]
        if any(self._opened[opener] >= most for opener in openers):
            raise ActionRefusedError("too_many_requests")
        self._opened.update(openers)
