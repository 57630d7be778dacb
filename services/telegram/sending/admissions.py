"""Rate limits for messages that are sent without the outbox."""

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass, field

from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.rate_limits import RateLimiter


@dataclass(frozen=True, slots=True)
class Admissions:
    """Counts messages sent without the outbox against Telegram's limits, or makes them wait."""

    limiter: RateLimiter
    clock: MonotonicClock
    _waiting: set[Hashable] = field(default_factory=set)

    def admits(self, chat: int) -> bool:
        """Return whether the limits allow a message to a chat now, and count it if so."""
        now = self.clock.now()
        if self._earliest(chat, now) > now:
            return False
        self.limiter.begin_call(now)
        self.limiter.end_call(now)
        self.limiter.count_message(chat, now, answer=True)
        return True

    async def admitted(self, chat: int, what: Hashable) -> bool:
        """Wait until the limits allow a message, and count it; return false if a message named `what` waits already."""
        if what in self._waiting:
            return False
        self._waiting.add(what)
        try:
            while not self.admits(chat):
                now = self.clock.now()
                await self.clock.wait(asyncio.Event(), self._earliest(chat, now) - now)
        finally:
            self._waiting.discard(what)
        return True

    def _earliest(self, chat: int, now: float) -> float:
        return max(self.limiter.earliest(chat, now), self.limiter.earliest_overall(now))
