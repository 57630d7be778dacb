"""Limits on the tables that a person and a chat may open in a minute and have unfinished: all chats share an engine."""

import time
from collections import Counter
from collections.abc import Callable

from services.telegram.records import ChatTable
from services.telegram.repositories.chat_tables import LETTERS
from services.telegram.tables.lookup import ActionRefusedError

A_MINUTE, OF_EVENINGS_A_MINUTE = 20, 60
"""Maximum number of tables opened in a minute by a person or in a chat, and for the evenings of a chat."""
OF_A_PERSON, OF_A_CHAT = 30, len(LETTERS)
"""Maximum number of unfinished tables of a person, and in a chat."""


def require_fewer(chat_tables: list[ChatTable], most: int) -> None:
    """Raise `ActionRefusedError` if `most` or more of the tables are unfinished."""
    if sum(not (other.over or other.closed) for other in chat_tables) >= most:
        raise ActionRefusedError("too_many_tables")


class Openings:
    """Counts the tables opened in the current minute."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._minute = 0
        self._opened: Counter[tuple[str, int]] = Counter()

    def count(self, chat_table: ChatTable, user: int) -> None:
        """Count a table that is about to be opened. Raises `ActionRefusedError` above a limit."""
        minute = int(self._now() // 60)
        if minute != self._minute:
            self._minute, self._opened = minute, Counter()
        most, openers = A_MINUTE, [("chat", chat_table.chat), ("person", user)]
        if chat_table.evening:
            most, openers = OF_EVENINGS_A_MINUTE, [("evenings", chat_table.chat)]
        if any(self._opened[opener] >= most for opener in openers):
            raise ActionRefusedError("too_many_requests")
        self._opened.update(openers)
