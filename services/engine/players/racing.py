"""A race between candidate moves: all are tried in the same hidden deals, and those that fall behind drop out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Generic, TypeVar

from services.engine.players.base import Analysis, Budget, WeighedMove

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceRules:
    """When a candidate drops out of a race, and what beats the favourite."""

    first: int = 12
    """After how many iterations candidates may drop out."""
    each: int = 4
    """Every how many iterations they are compared."""
    drop: float = 2.2
    """By how many standard errors of the paired difference a candidate must be behind the leader to drop out."""
    favour: float = 0.0
    """By how many standard errors another candidate must be ahead of the favourite (the first one) to be preferred."""


class Race(Generic[M]):
    """Values of candidates over the same simulations. The first candidate is the favourite of the heuristic."""

    def __init__(self, candidates: Sequence[M], rules: RaceRules) -> None:
        self._moves = list(candidates)
        self._rules = rules
        self._values: list[list[float]] = [[] for _ in candidates]
        self.running = list(range(len(candidates)))
        """The candidates that are still tried, by their position."""

    def add(self, values: Sequence[float]) -> None:
        """Take the values of one simulation, one for each candidate still in the race, in their order."""
        for each, value in zip(self.running, values, strict=True):
            self._values[each].append(value)
        tried = len(self._values[self.running[0]])
        if tried >= self._rules.first and tried % self._rules.each == 0:
            self._drop_out()

    def _drop_out(self) -> None:
        leader = max(self.running, key=lambda each: sum(self._values[each]))
        self.running = [each for each in self.running if each == leader or self._lead(leader, each) < self._rules.drop]

    def _lead(self, ahead: int, behind: int) -> float:
        """Return by how many standard errors one candidate is ahead of another, where both were tried."""
        both = min(len(self._values[ahead]), len(self._values[behind]))
        if both < 2:
            return 0.0
        gaps = [mine - theirs for mine, theirs in zip(self._values[ahead][:both], self._values[behind], strict=False)]
        mean = sum(gaps) / both
        spread = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (both - 1) / both)
        if spread == 0:
            return 0.0 if mean == 0 else float("inf") if mean > 0 else float("-inf")
        return mean / spread

    def analysis(self) -> Analysis[M]:
        """Return what the race has found."""
        order = sorted(range(len(self._moves)), key=self._rank, reverse=True)
        best = order[0]
        if best != 0 and self._lead(best, 0) < self._rules.favour:
            best = 0
        weighed = [self._weighed(each) for each in [best, *(each for each in order if each != best)]]
        return Analysis(self._moves[best], tuple(weighed), max(map(len, self._values)))

    def _rank(self, candidate: int) -> tuple[bool, float, int]:
        return candidate in self.running, self._mean(candidate), -candidate

    def _mean(self, candidate: int) -> float:
        values = self._values[candidate]
        return sum(values) / len(values) if values else 0.0

    def _weighed(self, candidate: int) -> WeighedMove[M]:
        return WeighedMove(self._moves[candidate], self._mean(candidate), len(self._values[candidate]))


def race(
    candidates: Sequence[M],
    simulate: Callable[[Sequence[int]], Sequence[float]],
    budget: Budget,
    rules: RaceRules = RaceRules(),
) -> Analysis[M]:
    """Let candidates race until the budget is used or one is left.

    `simulate` draws one hidden deal, plays it to its end after each of the candidates given by position, and returns
    their values.
    """
    running = Race(candidates, rules)
    while len(running.running) > 1 and budget.take():
        running.add(simulate(tuple(running.running)))
    return running.analysis()
