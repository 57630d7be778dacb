"""Telegram's rate limits: when the next message may be sent to a chat, and to all chats together. Time is an argument.

About one message a second in a chat, with short bursts; 20 a minute in a group, sends and edits together;
about 30 a second in all (Bot API FAQ, "My bot is hitting limits, how do I avoid this?").
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits to keep, in seconds and numbers of messages."""

    chat_seconds: float = 1.0
    chat_burst: int = 3
    group_minute: int = 20
    group_spare: int = 5
    """How many of the group's messages in a minute are reserved for others than repeated drawings of the table."""
    all_second: int = 30
    table_seconds: float = 3.0
    """Between two drawings of one table."""

    @classmethod
    def none(cls) -> "RateLimits":
        """Return limits that delay nothing, for servers without limits."""
        return cls(0.0, 1, 1_000_000, 0, 1_000_000, 0.0)


@dataclass(slots=True)
class _ChatState:
    allowed_from: float = 0.0
    """The time until which the chat's messages, at one per `chat_seconds`, use up its allowance."""
    minute: deque[float] = field(default_factory=deque)
    paused_until: float = 0.0


class RateLimiter:
    """Computes when messages may be sent, from those that were."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self._chats: defaultdict[int, _ChatState] = defaultdict(_ChatState)
        self._second: deque[float] = deque()

    def earliest(self, chat: int, now: float, *, keep_reserve: bool) -> float:
        """Return the earliest time for a message to a chat; `keep_reserve` leaves the group's reserve untouched."""
        state = self._chats[chat]
        burst = (self.limits.chat_burst - 1) * self.limits.chat_seconds
        in_group = self._earliest_in_group(chat, state, now, keep_reserve=keep_reserve)
        return max(now, state.paused_until, state.allowed_from - burst, in_group)

    def _earliest_in_group(self, chat: int, state: _ChatState, now: float, *, keep_reserve: bool) -> float:
        if chat > 0:
            return now
        while state.minute and state.minute[0] <= now - MINUTE:
            state.minute.popleft()
        most = self.limits.group_minute - (self.limits.group_spare if keep_reserve else 0)
        return now if len(state.minute) < most else state.minute[-most] + MINUTE

    def earliest_overall(self, now: float) -> float:
        """Return the earliest time for a message to any chat."""
        while self._second and self._second[0] <= now - 1.0:
            self._second.popleft()
        return now if len(self._second) < self.limits.all_second else self._second[0] + 1.0

    def count_call(self, now: float) -> None:
        """Count a call at its start, for the limit of all chats together."""
        self._second.append(now)

    def count_message(self, chat: int, now: float) -> None:
        """Count a message that has arrived in a chat."""
        state = self._chats[chat]
        state.allowed_from = max(state.allowed_from, now) + self.limits.chat_seconds
        if chat < 0:
            state.minute.append(now)

    def pause(self, chat: int, until: float) -> None:
        """Send nothing to a chat until a time (error 429, `retry_after`)."""
        self._chats[chat].paused_until = max(self._chats[chat].paused_until, until)

    def forget_idle_chats(self, now: float) -> None:
        """Drop the state of chats whose messages delay nothing any more."""
        for chat, state in list(self._chats.items()):
            while state.minute and state.minute[0] <= now - MINUTE:
                state.minute.popleft()
            if not state.minute and max(state.allowed_from, state.paused_until) <= now:
                del self._chats[chat]
