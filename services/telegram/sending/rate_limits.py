"""Telegram's rate limits: computes when the next message may be sent, to a chat and in total.

The limits are about one message a second in a chat, with short bursts; 20 a minute in a group, edits included; about 30
a second in total (Bot API FAQ, "My bot is hitting limits, how do I avoid this?").

Telegram counts a call at an unknown moment between its start and its answer. So this module counts a call from its
start until one period of the limit after its answer. Telegram then refuses no call, even on a slow network.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field
from math import ceil

SECOND, MINUTE = 1.0, 60.0
SPREAD = 0.9
"""Share of a second's messages that are spread evenly over the second; the burst at its start makes up the rest."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The rate limits, in seconds and numbers of messages."""

    chat_seconds: float = 1.0
    chat_burst: int = 3
    group_minute: int = 20
    group_spare: int = 5
    """Number of a group's messages in a minute that its tables leave to answers."""
    group_answer_seconds: float = 6.0
    group_answers: int = 6
    """In a group with a table, after `group_answers` answers, one answer is sent every `group_answer_seconds`. That
    leaves half of the group's messages to the table, and no answer has to wait for the end of a minute."""
    all_second: int = 30
    all_burst: int = 5
    """Number of messages to all chats that may be sent at once. Further messages are spread over the second, so that
    none has to wait for the end of the second."""
    all_drawings: int = 20
    """Maximum number of redrawings of tables and lobbies in a second, among all messages."""

    @property
    def table_seconds(self) -> float:
        """Seconds between two drawings of a table that spread the group's limit over the minute."""
        return MINUTE / (self.group_minute - self.group_spare)

    @classmethod
    def none(cls) -> "RateLimits":
        """Return limits without delays, for servers without rate limits."""
        most = 1_000_000_000
        return cls(0.0, 1, most, 0, 0.0, 1, most, most, most)


@dataclass(slots=True)
class _Pace:
    """A rate of one message per interval, with a short burst."""

    seconds: float
    burst: int
    until: float = 0.0
    """The time from which the messages counted so far no longer matter."""

    @property
    def earliest(self) -> float:
        return self.until - (self.burst - 1) * self.seconds

    def count(self, now: float) -> None:
        self.until = max(self.until, now) + self.seconds


@dataclass(slots=True)
class _ChatState:
    pace: _Pace
    answers: _Pace
    minute: deque[float] = field(default_factory=deque)
    of_tables: deque[float] = field(default_factory=deque)
    """Times of the last minute's messages that are not answers."""
    paused_until: float = 0.0

    def forget_before(self, time: float) -> None:
        """Remove the messages up to a time."""
        for times in (self.minute, self.of_tables):
            while times and times[0] <= time:
                times.popleft()


class RateLimiter:
    """Computes when the next message may be sent, from the messages so far."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self._chats = defaultdict[int, _ChatState](
            lambda: _ChatState(
                _Pace(limits.chat_seconds, limits.chat_burst), _Pace(limits.group_answer_seconds, limits.group_answers)
            )
        )
        self._pace = _Pace(SECOND / (SPREAD * limits.all_second), limits.all_burst)
        self._drawings = _Pace(SECOND / limits.all_drawings, limits.all_burst)
        self._forget_from = 0.0
        self._under_way = 0
        self._ended: deque[float] = deque()
        """End times of the last second's calls."""

    def earliest(self, chat: int, now: float) -> float:
        """Return the earliest time for a message to a chat."""
        state = self._chats[chat]
        state.forget_before(now - MINUTE)
        earliest = max(now, state.paused_until, state.pace.earliest)
        most = self.limits.group_minute
        return earliest if len(state.minute) < most else max(earliest, state.minute[-most] + MINUTE)

    def earliest_answer(self, chat: int, now: float) -> float:
        """Return the earliest time for an answer to a person in a chat."""
        earliest, state = self.earliest(chat, now), self._chats[chat]
        return max(earliest, state.answers.earliest) if state.of_tables else earliest

    def earliest_drawing(self, chat: int, now: float, *, lobby: bool) -> float:
        """Return the earliest time to draw a table or a lobby again.

        A group's drawings are spread over the minute, so that none waits long after a burst. They leave a reserve for
        answers: `group_spare`, or the number of the last minute's answers if that is higher. While answers wait for
        their own pace, the reserve includes the answers that this pace allows until the minute has room again. Once the
        minute is full, answers go first.

        A lobby responds to presses, so it is drawn at once while more than half of the drawings' share of the minute is
        left.
        """
        earliest, state = max(self.earliest(chat, now), self._drawings.earliest), self._chats[chat]
        if not state.of_tables:
            return earliest
        limits, last, drawn = self.limits, state.of_tables[-1], len(state.of_tables)
        if len(state.minute) >= limits.group_minute:
            earliest += limits.chat_seconds
        answers = len(state.minute) - drawn
        if state.answers.earliest > now:
            answers += ceil((state.minute[0] + MINUTE - now) / limits.group_answer_seconds)
        most = max(limits.group_spare, limits.group_minute - max(limits.group_spare, answers))
        left = most - drawn
        if lobby and left > most // 2:
            return earliest
        freed = state.of_tables[min(max(0, -left), drawn - 1)] + MINUTE
        even = (freed - last) / (max(0, left) + 1)
        return max(earliest, last + (even if lobby else max(even, self.limits.table_seconds)))

    def earliest_overall(self, now: float) -> float:
        """Return the earliest time for a message to any chat; a second from now if that depends on running calls."""
        while self._ended and self._ended[0] <= now - SECOND:
            self._ended.popleft()
        earliest = max(now, self._pace.earliest)
        if self._under_way + len(self._ended) < self.limits.all_second:
            return earliest
        return max(earliest, (self._ended[0] if self._ended else now) + SECOND)

    def begin_call(self, now: float, *, drawing: bool = False) -> None:
        """Count a call to any chat from now on."""
        self._under_way += 1
        self._pace.count(now)
        if drawing:
            self._drawings.count(now)

    def end_call(self, now: float) -> None:
        """Record that a call has ended; it counts for one more second."""
        self._under_way -= 1
        self._ended.append(now)

    def count_message(self, chat: int, now: float, *, answer: bool = False) -> None:
        """Count a message to a chat after its call: an answer to a person, or a message of a table."""
        state = self._chats[chat]
        state.pace.count(now)
        if chat < 0:
            state.minute.append(now)
            if answer:
                state.answers.count(now)
            else:
                state.of_tables.append(now)

    def pause(self, chat: int, until: float) -> None:
        """Block a chat until a time (error 429, `retry_after`)."""
        self._chats[chat].paused_until = max(self._chats[chat].paused_until, until)

    def forget_idle_chats(self, now: float) -> None:
        """Drop the state of chats without recent messages, at most once a minute."""
        if now < self._forget_from:
            return
        self._forget_from = now + MINUTE
        for chat, state in list(self._chats.items()):
            state.forget_before(now - MINUTE)
            if not state.minute and max(state.pace.until, state.paused_until) <= now:
                del self._chats[chat]
