"""Alarms: for each table the time at which it is drawn again although nothing has happened there."""

import asyncio
import time
from collections.abc import Callable


class Alarms:
    """At most one alarm for each table. They are set again when a table is drawn, so that none need be stored."""

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def set(self, ref: str, at: float | None) -> None:
        """Let a table be drawn again at a time (Unix seconds), in the place of the one before; None for never."""
        timer = self._timers.pop(ref, None)
        if timer is not None:
            timer.cancel()
        if at is not None:
            loop = asyncio.get_running_loop()
            self._timers[ref] = loop.call_later(max(0.0, at - time.time()), self._ring, ref)

    def clear(self) -> None:
        """Remove all alarms."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
