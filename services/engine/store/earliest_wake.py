"""The earliest time at which a table wants to be woken, as far as this process knows: so long may its clock sleep."""

import asyncio
from collections.abc import Callable

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
