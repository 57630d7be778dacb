"""Schedule: selects the next message to deliver, in turns by sender, within Telegram's rate limits."""

from collections.abc import Callable
from sys import maxsize

from services.common.fair_queue import Bounds, FairQueue, Waiting
from services.telegram.records import LobbySlot
from services.telegram.sending.messages import STORED, Message
from services.telegram.sending.rate_limits import RateLimiter

HEAD_START = 10.0
"""Lead of a sender over the others, in messages (about one deal), from which priorities no longer help it."""
FENCED_SECONDS = 0.25
"""Seconds after which messages that wait for the lease are tried again."""


class Schedule:
    """Queue of messages with a next step. Only one call at a time is made in a chat, so its messages stay in order."""

    def __init__(self, limiter: RateLimiter, draws: Callable[[], bool]) -> None:
        """`draws` returns whether messages with a slot may be sent: this process leads and has loaded the state."""
        self._limiter = limiter
        self._draws = draws
        self._queue: FairQueue[Message] = FairQueue(Bounds(maxsize, target_places=lambda _: 1, head_start=HEAD_START))
        self._waiting: dict[Message, Waiting[Message]] = {}
        self._under_way: dict[Message, Waiting[Message]] = {}

    def __len__(self) -> int:
        """Return the number of waiting messages and running calls."""
        return len(self._waiting) + len(self._under_way)

    def touch(self, message: Message, now: float) -> None:
        """Schedule a changed message. A message with a running call is scheduled again after the call."""
        if message in self._under_way:
            return
        if message.step is None:
            self.remove(message)
            return
        waiting = self._waiting.get(message)
        if waiting is None:
            waiting = Waiting(message, message.asker, message.to.chat, message.priority)
        else:
            self._queue.remove(waiting)
        self._put(waiting, now)

    def remove(self, message: Message) -> None:
        """Remove a waiting message."""
        waiting = self._waiting.pop(message, None)
        if waiting is not None:
            self._queue.remove(waiting)

    def take(self, now: float) -> Message | float | None:
        """Return a message whose next step is due, or else the time of the next step; None if no step waits for a time.

        The message's call counts as running until `end`.
        """
        overall = self._limiter.earliest_overall(now)
        if overall > now:
            return overall if self._waiting else None
        while (waiting := self._queue.take(now)) is not None:
            message = waiting.work
            if self._earliest(message, now) <= now:
                self._under_way[message] = self._waiting.pop(message)
                self._limiter.begin_call(now, drawing=message.is_drawing)
                return message
            self._queue.end(waiting, 0.0)
            self._put(waiting, now)
        return self._queue.next_time()

    def end(self, message: Message, now: float) -> None:
        """Record that a message's step is done; its next step takes another turn."""
        self._queue.end(self._under_way.pop(message), 1.0)
        self._limiter.end_call(now)

    def is_under_way(self, message: Message) -> bool:
        """Return whether a message's call is running."""
        return message in self._under_way

    def _put(self, waiting: Waiting[Message], now: float) -> None:
        self._waiting[waiting.work] = waiting
        earliest = self._earliest(waiting.work, now)
        if earliest <= now:
            self._queue.put(waiting)
        else:
            self._queue.put(waiting, earliest)

    def _earliest(self, message: Message, now: float) -> float:
        if message.slot is not None and not self._draws():
            return now + FENCED_SECONDS
        if message.step in STORED:
            return message.not_before
        chat = message.to.chat
        if message.is_drawing:
            earliest = self._limiter.earliest_drawing(chat, now, lobby=isinstance(message.slot, LobbySlot))
        elif message.is_answer:
            earliest = self._limiter.earliest_answer(chat, now)
        else:
            earliest = self._limiter.earliest(chat, now)
        return max(message.not_before, earliest)
