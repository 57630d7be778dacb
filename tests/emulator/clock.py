"""The emulator's clock, which tests move forward, and the signal that something changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class EmulatorClock:
    """The Unix time, plus the seconds that a test has added."""

    def __init__(self) -> None:
        self._added = 0.0

    def now(self) -> float:
        return time.time() + self._added

    def advance(self, seconds: float) -> None:
        self._added += seconds


class Numbers:
    """A counter, used because `itertools.count` cannot be copied from Python 3.14 on."""

    def __init__(self, first: int, step: int = 1) -> None:
        self._next = first
        self._step = step

    def __next__(self) -> int:
        number = self._next
        self._next += self._step
        return number


class ChangeSignal:
    """Wakes tasks that wait for a condition on the emulator's state."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        self._event.set()
        self._event = asyncio.Event()

    async def until(self, true: Callable[[], object], seconds: float) -> bool:
        """Waits for a condition, checked after every change; returns whether it became true within these seconds."""
        try:
            async with asyncio.timeout(seconds):
                while not true():
                    await self._event.wait()
        except TimeoutError:
            return bool(true())
        return True
