"""The time of a computer player's move, which is independent of the length of its thought.

A forced move is found at once, a choice takes a search, so a watcher could distinguish them. So the thought goes on
within the pause before the move, and the move is made at the pause's end, whatever was found by then; if the engine
itself is late, a whole number of leads later.
"""

import asyncio
from math import ceil

LEAD = 3.0
"""How many times a search's processor time the thought begins before the move: processes share the machine."""
SEARCHING = 0.75
"""The part of the lead after which a search ends with its best move."""
WAITING = 0.9
"""The part after which its result is given up, on a machine that is too busy."""


class MoveTime:
    """The time of a move whose thought begins now; `lead` in seconds, 0 for at once."""

    def __init__(self, lead: float) -> None:
        self._began = asyncio.get_running_loop().time()
        self._lead = lead

    @property
    def search_ends(self) -> float | None:
        """When a search for the move ends, by `time.monotonic`; None for whenever it likes."""
        return self._began + SEARCHING * self._lead if self._lead else None

    def patience(self) -> float | None:
        """Return for how many seconds from now to wait for a search; None for as long as it takes."""
        return max(0.0, self.left() - (1 - WAITING) * self._lead) if self._lead else None

    def left(self) -> float:
        """Return the seconds until the next moment at which the move may be made."""
        if not self._lead:
            return 0.0
        passed = asyncio.get_running_loop().time() - self._began
        return max(1, ceil(passed / self._lead)) * self._lead - passed
