"""The time that all engines share: that of one Redis server, measured against this machine's own steady clock.

Every exchange with that server bounds the difference between the two clocks: its time was read after the command was
sent and before the reply came. The bounds of many exchanges together are narrower than those of each, and a slow reply
does no harm. So it does not matter what this machine takes for the time of day.
"""

import time
from collections.abc import Callable
from math import inf

DRIFT = 0.001
"""By how much the two clocks may run apart, more than any healthy clock does."""


def steady() -> float:
    """Return milliseconds since this machine was started, those in which it slept included where the system knows."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock) / 1e6


def time_of_day() -> float:
    """Return what this machine takes for the time, in epoch milliseconds."""
    return time.time_ns() / 1e6


class SharedTime:
    """Redis' time in epoch milliseconds; before it was measured, this machine's."""

    def __init__(self, own: Callable[[], float] = steady) -> None:
        self.own = own
        """This machine's clock, in milliseconds."""
        self.measured = False
        self._ahead = time_of_day() - own()
        self._low, self._high, self._at = -inf, inf, own()

    def now(self) -> int:
        """Return the time."""
        return int(self.own() + self._ahead)

    def microseconds(self) -> int:
        """Return the time in epoch microseconds."""
        return int((self.own() + self._ahead) * 1000)

    def learn(self, sent: float, redis: float, received: float) -> None:
        """Learn from one exchange: when it began and ended by this machine's clock, and Redis' time in between."""
        drift = (received - self._at) * DRIFT
        low, high = redis - received, redis - sent
        if max(low, self._low - drift) <= min(high, self._high + drift):
            low, high = max(low, self._low - drift), min(high, self._high + drift)
        # Otherwise a clock was set, or the server replaced: what was known before counts no longer.
        self._low, self._high, self._at = low, high, received
        self._ahead = (low + high) / 2
        self.measured = True
