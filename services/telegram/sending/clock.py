"""Monotonic clock of the outbox, which tests replace."""

import asyncio


class MonotonicClock:
    """The event loop's time."""

    def now(self) -> float:
        """Return the time in seconds."""
        return asyncio.get_running_loop().time()

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, at most for this many seconds; None for no limit."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return
