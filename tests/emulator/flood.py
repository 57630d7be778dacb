"""Flood control: the rate of sends and edits that Telegram allows a bot, and the wait after more of them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from tests.emulator.clock import EmulatorClock
from tests.emulator.refusals import too_many_requests
from tests.emulator.state import ChatState


@dataclass(frozen=True)
class FloodLimits:
    """Limits on the number of sends and edits together; None for no limit."""

    chat_burst: int | None = None
    group_per_minute: int | None = None
    total_per_second: int | None = None

    @classmethod
    def none(cls) -> FloodLimits:
        """Returns no limits, for tests that are not about flood control."""
        return cls()

    @classmethod
    def real(cls) -> FloodLimits:
        """Returns Telegram's known limits: 1 a second in a chat after a burst, 20 a minute in a group, 30 a second."""
        return cls(chat_burst=5, group_per_minute=20, total_per_second=30)


@dataclass
class Flood:
    """Counts the bot's requests, and refuses requests over the limits. A refused request does not count."""

    clock: EmulatorClock
    limits: FloodLimits
    _spent: dict[int, deque[float]] = field(default_factory=dict)
    _all: deque[float] = field(default_factory=deque)
    _punished: dict[int, float] = field(default_factory=dict)

    def punish(self, chat_id: int, seconds: float) -> None:
        """Answers 429 to requests in a chat for a number of seconds."""
        self._punished[chat_id] = self.clock.now() + seconds

    def spend(self, chat: ChatState) -> None:
        """Counts one send or edit. Raises the refusal 429 if it exceeds a limit."""
        now = self.clock.now()
        spent = self._spent.setdefault(chat.id, deque())
        _forget(spent, now - 60)
        _forget(self._all, now - 60)
        wait = max(
            self._punished.get(chat.id, now) - now,
            _wait(self._all, now, 1.0, self.limits.total_per_second),
            0.0 if chat.private else _wait(spent, now, 60.0, self.limits.group_per_minute),
            self._burst(spent, now),
        )
        if wait > 0:
            raise too_many_requests(wait)
        spent.append(now)
        self._all.append(now)

    def _burst(self, spent: deque[float], now: float) -> float:
        """Returns the seconds to wait for a chat's token bucket of size `chat_burst`, refilled by one each second."""
        if self.limits.chat_burst is None:
            return 0.0
        level, last = 0.0, 0.0
        for at in spent:
            level, last = max(0.0, level - (at - last)) + 1, at
        return max(0.0, level - (now - last) + 1 - self.limits.chat_burst)


def _forget(spent: deque[float], before: float) -> None:
    while spent and spent[0] < before:
        spent.popleft()


def _wait(spent: deque[float], now: float, window: float, limit: int | None) -> float:
    if limit is None:
        return 0.0
    recent = [at for at in spent if at > now - window]
    return recent[-limit] + window - now if len(recent) >= limit else 0.0
