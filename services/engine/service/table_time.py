"""The time of transitions, and how long before a computer player's move its search begins."""

from collections.abc import Callable

from services.engine.service.move_time import LEAD, MoveTime
from services.engine.table.state import TransitionContext


class TableTime:
    """The clock for transitions, and for searches of computer players in the pause before their moves."""

    def __init__(self, now: Callable[[], int], think_ms: int, cpu_ms: float | None) -> None:
        """`now` returns epoch milliseconds.

        `think_ms` is the pause before a move, `cpu_ms` the processor time of a search.
        """
        self.now = now
        self._lead_ms = think_ms if cpu_ms is None else min(think_ms, round(LEAD * cpu_ms))
        self.wait_ms = think_ms - self._lead_ms
        """Milliseconds from the previous move until the search begins."""

    def at(self, ahead: float = 0.0) -> TransitionContext:
        """Return the context of a transition that happens `ahead` seconds from now."""
        return TransitionContext(self.now() + round(ahead * 1000), self.wait_ms)

    def move(self) -> MoveTime:
        """Return the time of a computer player's move whose search begins now."""
        return MoveTime(self._lead_ms / 1000)
