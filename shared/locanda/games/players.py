"""Interface of computer players, and the race that their searches share.

Each game's players are in its package `player`, with the same modules everywhere:

- `knowledge`: proved facts about hidden cards; `sampling`: hidden deals that agree with it.
- `heuristic`: the levels `easy` and `medium`, which of them are `QUICK`, and the reasons for moves.
- `search`: the level `hard` and, for long deals, the standing of a seat.
- If needed: `planning` (whole turns or hands), `features` and `judgement` (evaluation of positions or choices),
  `policy` (moves in play-outs) and `endings` (exactly solved positions).

If a game's rules are too slow for play-outs, its module `fast` implements them a second time, with integers that change
in place.

A player gets a `Situation` and nothing else: the view of its own seat and the public events since the deal. All
functions are pure; they take a random generator, so that choices can be reproduced.

In a race, all candidate moves are played out in the same hidden deals, and moves that fall behind are dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf, sqrt
from random import Random
from time import monotonic, thread_time
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from locanda.explanations import Reason
from locanda.games.game import AnyDealState

Skill: TypeAlias = Literal["beginner", "expert"]

EQUAL = 0.005
"""A move is as good as the best if its value is lower by less than this, or by less than a standard error."""

V = TypeVar("V")
E = TypeVar("E")
M = TypeVar("M")
D = TypeVar("D", bound=AnyDealState)


@dataclass(frozen=True, slots=True)
class Situation(Generic[V, E]):
    """A player's knowledge on its turn."""

    view: V
    """The view of the player's own seat."""
    history: tuple[E, ...] | None
    """The game's events since the deal, oldest first; None if unknown."""


@dataclass(frozen=True, slots=True)
class WeighedMove(Generic[M]):
    """A move with its expected value in a search; higher is better for the player."""

    move: M
    value: float
    """Expected share of the win (0 to 1), or points in games that say so in `weigh`."""
    simulations: int
    """Number of play-outs of the move."""
    behind: float = 0.0
    """Mean difference between the best move's value and this move's value, over play-outs of the same deals."""
    error: float = 0.0
    """Standard error of `behind`; infinite with fewer than two play-outs."""


@dataclass(frozen=True, slots=True)
class Analysis(Generic[M]):
    """Result of a search: the best move, and all candidates, best first."""

    best: M
    weighed: tuple[WeighedMove[M], ...]
    simulations: int
    """Number of hidden deals drawn."""

    @property
    def is_proved(self) -> bool:
        """Whether no other move scored higher.

        The favourite can win a race with a lower score: see `RaceRules.favour`.
        """
        return all(weighed.behind >= 0 for weighed in self.weighed if weighed.move != self.best)

    def is_tied(self, move: M) -> bool:
        """Return whether a move is the best, or scored almost the same."""
        return move == self.best or any(own.behind < EQUAL for own in self.weighed if own.move == move)

    def is_equal(self, move: M) -> bool:
        """Return whether the search does not show a move to be worse than the best."""
        return self.is_tied(move) or any(own.behind < own.error for own in self.weighed if own.move == move)


@dataclass(slots=True)
class Budget:
    """Limit of a search: iterations, processor time, or a deadline, whichever comes first.

    With iterations only, a choice depends only on the situation and the random generator. Processor time is that
    of the calling thread, so other processes do not weaken a player.
    """

    iterations: int | None = None
    cpu_milliseconds: float | None = None
    until: float | None = None
    """Deadline as a value of `time.monotonic`, which all processes of a machine share."""
    done: int = field(default=0, init=False)
    _end: float | None = field(default=None, init=False)

    def begin(self) -> None:
        """Start to count processor time. Without this call, counting starts with the first iteration."""
        if self._end is None and self.cpu_milliseconds is not None:
            self._end = thread_time() + self.cpu_milliseconds / 1000

    def take(self) -> bool:
        """Use one iteration; return False if the budget is used up."""
        self.begin()
        if self.iterations is not None and self.done >= self.iterations:
            return False
        if self.is_over:
            return False
        self.done += 1
        return True

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        if self._end is not None and thread_time() >= self._end:
            return True
        return self.until is not None and self.done > 0 and monotonic() >= self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlayers(Generic[V, E, M, D]):
    """The computer players of a game. They are called with at least one legal move.

    Type parameters: `V` the game's view, `E` its events, `M` its moves, `D` the state of its deals.
    """

    easy: Callable[[Situation[V, E], Sequence[M], Random], M]
    """Chooses as a beginner."""
    medium: Callable[[Situation[V, E], Sequence[M], Random], M] | None
    """Chooses as an experienced player who counts cards, usually within some milliseconds. None: use a short search."""
    weigh: Callable[[Situation[V, E], Sequence[M], Random, Budget], Analysis[M]]
    """The search of the level `hard`."""
    sample: Callable[[Situation[V, E], Random], D]
    """Returns a random deal that agrees with all public and proved facts."""
    plays_on: Callable[[Situation[V, E], Sequence[M], Random], M]
    """Chooses as an experienced player in the play-outs that price moves (`locanda.games.pricing`)."""
    explain: Callable[[Situation[V, E], M, Sequence[M], Skill], Reason | None]
    """Returns a true reason for a legal move; None if no reason applies.

    A beginner's reason uses only obvious facts, since a beginner does not compare moves.
    """
    quick: Sequence[Literal["easy", "medium"]] = ()
    """Levels that always choose within a millisecond, the best one last. The engine calls them on its event loop, and
    uses them instead of a better level that does not answer in time."""

    standing: Callable[[Situation[V, E]], float] | None = None
    """Returns a seat's expected share of the win as its turn begins, for games whose deals are too long for complete
    play-outs."""


AnyPlayers: TypeAlias = GamePlayers[Any, Any, Any, Any]
"""The players of any game, for code that works with all games."""
AnySituation: TypeAlias = Situation[Any, Any]

Policy: TypeAlias = Callable[[Any, int, Sequence[Any]], Any]
"""The function `policy` of a game's module `policy`: chooses a move from a deal, the seat on turn and its legal moves.

A game without its own players may have a policy. The search of `medium` and `hard` uses it for play-outs. The policy
gets the whole deal, but must use only the seat's own hand and the public cards.
"""


# --- races between candidate moves, shared by the searches


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, which is infinite for fewer than two values."""
    mean = sum(values) / max(1, len(values))
    if len(values) < 2:
        return mean, inf
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceRules:
    """The rules for dropping a candidate from a race, and for preferring another candidate to the favourite."""

    first: int = 12
    """Number of iterations before candidates may be dropped."""
    each: int = 4
    """Number of iterations between comparisons."""
    drop: float = 2.2
    """A candidate is dropped if it is this far behind the leader, in standard errors of the paired difference."""
    favour: float = 0.0
    """A candidate is preferred only if it is this far ahead of the favourite, the first candidate, in standard
    errors."""


class Race(Generic[M]):
    """Collects values of candidate moves over the same play-outs. The first candidate is the heuristic's favourite."""

    def __init__(self, candidates: Sequence[M], rules: RaceRules) -> None:
        self._moves = list(candidates)
        self._rules = rules
        self._values: list[list[float]] = [[] for _ in candidates]
        self.running = list(range(len(candidates)))
        """Candidates not dropped, by index."""

    def add(self, values: Sequence[float]) -> None:
        """Add the values of one play-out, one for each running candidate, in their order."""
        for candidate, value in zip(self.running, values, strict=True):
            self._values[candidate].append(value)
        tried = len(self._values[self.running[0]])
        if tried >= self._rules.first and tried % self._rules.each == 0:
            self._drop_out()

    def _drop_out(self) -> None:
        leader = max(self.running, key=lambda candidate: sum(self._values[candidate]))
        self.running = [
            candidate
            for candidate in self.running
            if candidate == leader or self._lead(leader, candidate) < self._rules.drop
        ]

    def _lead(self, ahead: int, behind: int) -> float:
        """Return one candidate's lead over another in standard errors, over the play-outs in which both took part."""
        mean, error = mean_and_error(self._gaps(ahead, behind))
        return mean / error if error else inf * mean if mean else 0.0

    def _gaps(self, ahead: int, behind: int) -> list[float]:
        """Return the difference between two candidates in each play-out in which both took part."""
        pairs = zip(self._values[ahead], self._values[behind], strict=False)
        return [mine - theirs for mine, theirs in pairs]

    def analysis(self) -> Analysis[M]:
        """Return the result of the race."""
        order = sorted(range(len(self._moves)), key=self._rank, reverse=True)
        best = order[0]
        if best != 0 and self._lead(best, 0) < self._rules.favour:
            best = 0
        weighed = [
            self._weighed(candidate, best)
            for candidate in [best, *(candidate for candidate in order if candidate != best)]
        ]
        return Analysis(self._moves[best], tuple(weighed), max(map(len, self._values)))

    def _rank(self, candidate: int) -> tuple[bool, float, int]:
        return candidate in self.running, self._mean(candidate), -candidate

    def _mean(self, candidate: int) -> float:
        values = self._values[candidate]
        return sum(values) / len(values) if values else 0.0

    def _weighed(self, candidate: int, best: int) -> WeighedMove[M]:
        behind, error = mean_and_error(self._gaps(best, candidate))
        behind = round(behind, 9)  # sums of equal values may differ in their last digit
        return WeighedMove(self._moves[candidate], self._mean(candidate), len(self._values[candidate]), behind, error)


def race(
    candidates: Sequence[M],
    simulate: Callable[[Sequence[int]], Iterable[float]],
    budget: Budget,
    rules: RaceRules = RaceRules(),
) -> Analysis[M]:
    """Run a race until the budget is used up or only one candidate is left.

    `simulate` gets the indexes of the running candidates. It draws one hidden deal and yields the value of each
    candidate's play-out in that deal. If time runs out before the last candidate, the values of this deal are ignored.
    """
    running = Race(candidates, rules)
    while len(running.running) > 1 and budget.take():
        values = list(takewhile(lambda _: not budget.is_over, simulate(tuple(running.running))))
        if len(values) == len(running.running):
            running.add(values)
    return running.analysis()
