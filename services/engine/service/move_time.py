"""When a computer player moves. The time does not depend on how long the computation takes.

A forced move needs no search, while a choice does, so a watcher could tell them apart by time. So the search begins a
fixed time before the move (the lead), and the move is made at the end of the lead, with the best move that the search
has found. If the engine is late, the move is made a whole number of leads later.
"""

import asyncio
from math import ceil

LEAD = 3.0
"""The lead as a multiple of the search's processor time, since processes share the machine."""
SEARCHING = 0.75
"""Fraction of the lead after which a search ends with its best move so far."""
WAITING = 0.9
"""Fraction of the lead after which a search is abandoned because the machine is too busy."""


class MoveTime:
    """The time of a move whose search begins now. `lead` is in seconds; 0 means immediately."""

    def __init__(self, lead: float) -> None:
        self._began = asyncio.get_running_loop().time()
        self._lead = lead

    @property
    def search_ends(self) -> float | None:
        """The time when the search for the move ends, in seconds of `time.monotonic`; None for no limit."""
        return self._began + SEARCHING * self._lead if self._lead else None

    def patience(self) -> float | None:
        """Return how many seconds from now to wait for the search; None for no limit."""
        return max(0.0, self.left() - (1 - WAITING) * self._lead) if self._lead else None

    def left(self) -> float:
        """Return the seconds until the move may be made."""
        if not self._lead:
            return 0.0
        passed = asyncio.get_running_loop().time() - self._began
        return max(1, ceil(passed / self._lead)) * self._lead - passed
