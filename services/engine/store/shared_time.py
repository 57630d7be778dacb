"""Redis' time, which all engines share, and a timer for the earliest recorded time.

The server's clock is compared with this machine's steady clock. Redis reads its time after a command is sent and before
the reply arrives, so each exchange bounds the difference between the clocks. Many exchanges together give narrower
bounds, and slow replies do no harm. This machine's time of day does not matter.
"""

import asyncio
import time
from collections.abc import Callable
from math import inf

DRIFT = 0.001
"""Maximum relative drift of the two clocks. Healthy clocks drift less."""


_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady() -> float:
    """Return the milliseconds since this machine started, including sleep if the system counts it."""
    return time.clock_gettime_ns(_STEADY) / 1e6


def time_of_day() -> float:
    """Return this machine's time of day, in epoch milliseconds."""
    return time.time_ns() / 1e6


class SharedTime:
    """Redis' time in epoch milliseconds. Until it has been measured, this machine's time is used."""

    def __init__(self, own: Callable[[], float] = steady) -> None:
        self.own = own
        """This machine's steady clock, in milliseconds."""
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
        """Learn from an exchange: when it began and ended by this machine's clock, and Redis' time between the two."""
        drift = (received - self._at) * DRIFT
        low, high = redis - received, redis - sent
        if max(low, self._low - drift) <= min(high, self._high + drift):
            low, high = max(low, self._low - drift), min(high, self._high + drift)
        # The bounds contradict each other: a clock was set, or the server replaced. Start again.
        self._low, self._high, self._at = low, high, received
        self._ahead = (low + high) / 2
        self.measured = True


NEVER = 1 << 62


class EarliestWake:
    """The earliest of the recorded times, in epoch milliseconds."""

    def __init__(self) -> None:
        self._at = NEVER
        self._earlier = asyncio.Event()

    def forget(self) -> None:
        """Clear the recorded times, before they are read again."""
        self._at = NEVER

    def note(self, wake: int | None) -> None:
        """Record a time. Wakes the callers that wait for a later time."""
        if wake is not None and wake < self._at:
            self._at = wake
            self._earlier.set()

    async def wait(self, now: Callable[[], int], longest: float) -> None:
        """Wait until the earliest recorded time, but at most `longest` seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + longest
        while (left := min(end - loop.time(), (self._at - now()) / 1000)) > 0:
            self._earlier.clear()
            try:
                async with asyncio.timeout(left):
                    await self._earlier.wait()
            except TimeoutError:
                return
