"""The time that passes."""

import asyncio
from typing import Protocol


class Clock(Protocol):
    """Time, so that tests need not wait for it."""

    def now(self) -> float:
        """Return seconds of a clock that only goes forward."""

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, but no longer than this."""


class RealClock:
    """The event loop's time."""

    def now(self) -> float:
        """Return the event loop's time."""
        return asyncio.get_running_loop().time()

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return
