"""The emulator's clock, which tests move forward, and the signal that something changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class EmulatorClock:
    """Seconds since the epoch, plus what a test has added."""

    def __init__(self) -> None:
        self._added = 0.0

    def now(self) -> float:
        return time.time() + self._added

    def advance(self, seconds: float) -> None:
        self._added += seconds


class Numbers:
    """Rising numbers. `itertools.count` cannot be copied from Python 3.14 on."""

    def __init__(self, first: int, step: int = 1) -> None:
        self._next = first
        self._step = step

    def __next__(self) -> int:
        number = self._next
        self._next += self._step
        return number


class ChangeSignal:
    """Wakes those who wait for a condition on the emulator's state."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        self._event.set()
        self._event = asyncio.Event()

    async def until(self, true: Callable[[], object], seconds: float) -> bool:
        """Whether the condition became true in time; it is checked after every change."""
        try:
            async with asyncio.timeout(seconds):
                while not true():
                    await self._event.wait()
        except TimeoutError:
            return bool(true())
        return True
