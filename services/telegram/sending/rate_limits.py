"""Telegram's rate limits: when the next message may be sent, to a chat and in total.

About one message a second in a chat, with short bursts; 20 a minute in a group, sends and edits together; about 30 a
second in total (Bot API FAQ, "My bot is hitting limits, how do I avoid this?").

Telegram counts a call at an unknown moment between its start and its answer. So a call counts here from its start until
the period of the limit has passed after its answer. A server that keeps these limits then refuses none, however long
calls travel.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field

SECOND, MINUTE = 1.0, 60.0


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits to keep, in seconds and numbers of messages."""

    chat_seconds: float = 1.0
    chat_burst: int = 3
    group_minute: int = 20
    group_spare: int = 5
    """How many of the group's messages in a minute are reserved for others than drawings."""
    all_second: int = 30

    @property
    def table_seconds(self) -> float:
        """The seconds between two drawings of a table, so that the limit of a minute is not used up before its end."""
        return MINUTE / (self.group_minute - self.group_spare)

    @classmethod
    def none(cls) -> "RateLimits":
        """Return limits that delay nothing, for servers without limits."""
        return cls(0.0, 1, 1_000_000_000, 0, 1_000_000)


@dataclass(slots=True)
class _ChatState:
    allowed_from: float = 0.0
    """The time until which the chat's messages, at one per `chat_seconds`, use up its allowance."""
    minute: deque[float] = field(default_factory=deque)
    drawings: deque[float] = field(default_factory=deque)
    """Those of the minute's messages that drew a table or lobby again."""
    paused_until: float = 0.0

    def forget_before(self, time: float) -> None:
        """Forget the messages up to a time."""
        for times in (self.minute, self.drawings):
            while times and times[0] <= time:
                times.popleft()


class RateLimiter:
    """Computes when the next message may be sent, from those that were."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self._chats: defaultdict[int, _ChatState] = defaultdict(_ChatState)
        self._forget_from = 0.0
        self._under_way = 0
        """Calls that have begun and not ended."""
        self._ended: deque[float] = deque()
        """When the calls of the last second have ended."""

    def earliest(self, chat: int, now: float) -> float:
        """Return the earliest time for a message to a chat."""
        state = self._chats[chat]
        state.forget_before(now - MINUTE)
        burst = (self.limits.chat_burst - 1) * self.limits.chat_seconds
        earliest = max(now, state.paused_until, state.allowed_from - burst)
        most = self.limits.group_minute
        return earliest if len(state.minute) < most else max(earliest, state.minute[-most] + MINUTE)

    def earliest_drawing(self, chat: int, now: float, *, lobby: bool) -> float:
        """Return the earliest time for drawing a table or a lobby again.

        Drawings in a group are spread over the minute, so that none waits long after a burst, and they leave a reserve
        for other messages. A lobby answers presses, so it is drawn at once while half of the minute's messages are
        left.
        """
        earliest, state = self.earliest(chat, now), self._chats[chat]
        if not state.drawings:
            return earliest
        last, others = state.drawings[-1], len(state.minute) - len(state.drawings)
        most = self.limits.group_minute - max(self.limits.group_spare, others)
        left = most - len(state.drawings)
        if lobby and left > most // 2:
            return earliest
        freed = state.drawings[min(max(0, -left), len(state.drawings) - 1)] + MINUTE
        even = (freed - last) / (max(0, left) + 1)
        return max(earliest, last + (even if lobby else max(even, self.limits.table_seconds)))

    def earliest_overall(self, now: float) -> float:
        """Return the earliest time for a message to any chat; a second from now if that depends on running calls."""
        while self._ended and self._ended[0] <= now - SECOND:
            self._ended.popleft()
        if self._under_way + len(self._ended) < self.limits.all_second:
            return now
        return (self._ended[0] if self._ended else now) + SECOND

    def begin_call(self) -> None:
        """Count a call, to whatever chat, from now on."""
        self._under_way += 1

    def end_call(self, now: float) -> None:
        """Count a call for one more second: it was answered, or has failed."""
        self._under_way -= 1
        self._ended.append(now)

    def count_message(self, chat: int, now: float, *, drawing: bool = False) -> None:
        """Count a message whose call to a chat has ended; `drawing`: it has drawn a table or a lobby again."""
        state = self._chats[chat]
        state.allowed_from = max(state.allowed_from, now) + self.limits.chat_seconds
        if chat < 0:
            state.minute.append(now)
            if drawing:
                state.drawings.append(now)

    def pause(self, chat: int, until: float) -> None:
        """Send nothing to a chat until a time (error 429, `retry_after`)."""
        self._chats[chat].paused_until = max(self._chats[chat].paused_until, until)

    def forget_idle_chats(self, now: float) -> None:
        """Drop the state of chats whose messages delay nothing any more; at most once a minute."""
        if now < self._forget_from:
            return
        self._forget_from = now + MINUTE
        for chat, state in list(self._chats.items()):
            state.forget_before(now - MINUTE)
            if not state.minute and max(state.allowed_from, state.paused_until) <= now:
                del self._chats[chat]
