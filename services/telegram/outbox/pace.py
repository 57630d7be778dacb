"""How fast the bot may speak: Telegram's limits as pure bookkeeping over a clock that the caller reads.

About one message a second in a chat, short bursts tolerated; 20 a minute in a group, sends and edits together;
about 30 a second in all (Bot API FAQ, "My bot is hitting limits").
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits to keep; `none()` is for servers that have none."""

    chat_seconds: float = 1.0
    chat_burst: int = 3
    group_minute: int = 20
    group_spare: int = 5
    """Of the group's twenty, how many are kept for messages that are worth more than another drawing of the table."""
    all_second: int = 30
    table_seconds: float = 3.0
    """Between two drawings of one table."""

    @classmethod
    def none(cls) -> "Limits":
        """Return limits that hold nothing back."""
        return cls(0.0, 1, 1_000_000, 0, 1_000_000, 0.0)


@dataclass(slots=True)
class _Chat:
    ahead: float = 0.0
    """The time up to which the chat's allowance is spent."""
    minute: deque[float] = field(default_factory=deque)
    paused: float = 0.0


class Pace:
    """Says when the next message may go, and is told when one went."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._chats: defaultdict[int, _Chat] = defaultdict(_Chat)
        self._second: deque[float] = deque()

    def due(self, chat: int, now: float, *, spare: bool) -> float:
        """Return the earliest time for a message to a chat; `spare`: it can do without the group's reserve."""
        state = self._chats[chat]
        burst = (self.limits.chat_burst - 1) * self.limits.chat_seconds
        return max(now, state.paused, state.ahead - burst, self._group_due(chat, state, now, spare=spare))

    def _group_due(self, chat: int, state: _Chat, now: float, *, spare: bool) -> float:
        if chat > 0:
            return now
        while state.minute and state.minute[0] <= now - MINUTE:
            state.minute.popleft()
        most = self.limits.group_minute - (self.limits.group_spare if spare else 0)
        return now if len(state.minute) < most else state.minute[-most] + MINUTE

    def all_due(self, now: float) -> float:
        """Return the earliest time for a message to anyone."""
        while self._second and self._second[0] <= now - 1.0:
            self._second.popleft()
        return now if len(self._second) < self.limits.all_second else self._second[0] + 1.0

    def start(self, now: float) -> None:
        """Count a call that begins."""
        self._second.append(now)

    def spend(self, chat: int, now: float) -> None:
        """Count a message that has arrived in a chat."""
        state = self._chats[chat]
        state.ahead = max(state.ahead, now) + self.limits.chat_seconds
        if chat < 0:
            state.minute.append(now)

    def pause(self, chat: int, until: float) -> None:
        """Keep silent in one chat (429, `retry_after`); the others are not concerned."""
        self._chats[chat].paused = max(self._chats[chat].paused, until)

    def sweep(self, now: float) -> None:
        """Forget the chats that owe nothing any more."""
        for chat, state in list(self._chats.items()):
            while state.minute and state.minute[0] <= now - MINUTE:
                state.minute.popleft()
            if not state.minute and max(state.ahead, state.paused) <= now:
                del self._chats[chat]
