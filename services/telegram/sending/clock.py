"""The monotonic clock of the sender; tests replace it."""

import asyncio
from typing import Protocol


class MonotonicClock(Protocol):
    """A monotonic clock."""

    def now(self) -> float:
        """Return the time in seconds."""

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, at most for this many seconds; without a limit if that is None."""


class LoopClock:
    """The event loop's time."""

    def now(self) -> float:
        """Return the event loop's time in seconds."""
        return asyncio.get_running_loop().time()

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, at most for this many seconds; without a limit if that is None."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return
