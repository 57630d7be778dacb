"""The time that all engines share, that of one Redis server, and until when a clock may sleep.

The server's time is measured against this machine's own steady clock. Every exchange with that server bounds the
difference between the two clocks: its time was read after the command was sent and before the reply came. The bounds of
many exchanges together are narrower than those of each, and a slow reply does no harm. So it does not matter what this
machine takes for the time of day.
"""

import asyncio
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


NEVER = 1 << 62


class EarliestWake:
    """The earliest of the times noted, in epoch milliseconds."""

    def __init__(self) -> None:
        self._at = NEVER
        self._earlier = asyncio.Event()

    def forget(self) -> None:
        """Forget all times: they are about to be read anew. What is noted meanwhile counts."""
        self._at = NEVER

    def note(self, wake: int | None) -> None:
        """Note a time; whoever waits for a later one learns of it."""
        if wake is not None and wake < self._at:
            self._at = wake
            self._earlier.set()

    async def wait(self, now: Callable[[], int], longest: float) -> None:
        """Return when the earliest time has come, at the latest after so many seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + longest
        while (left := min(end - loop.time(), (self._at - now()) / 1000)) > 0:
            self._earlier.clear()
            try:
                async with asyncio.timeout(left):
                    await self._earlier.wait()
            except TimeoutError:
                return
