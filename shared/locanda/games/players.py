"""Input and output of computer players, and the protocol of each game's players.

A game's players are its package `player`, of the same files everywhere: `knowledge` (what is proved of hidden cards),
`sampling` (hidden deals that agree with it), `heuristic` (`easy`, `medium`, which of them are `QUICK`, and why a move
is worth playing) and `search` (`hard`, and the standing of a seat where deals are long); if a game needs them,
`planning` (whole turns or hands), `features` and `judgement` (how good a position or a choice is), `policy` (how
play-outs go on) and `endings` (positions that are solved).
A game whose rules are too slow for play-outs has them once more in `fast`, on plain integers that are changed in place.

A player gets a `Situation` and nothing else: the view of its own seat, and the public events since the deal. Everything
here is pure: random numbers come from the generator that is passed in, so that a choice can be reproduced.

In a race, all candidate moves are tried in the same hidden deals, and those that fall behind drop out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import sqrt
from random import Random
from time import monotonic, thread_time
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from locanda.explanations import Reason
from locanda.games.game import AnyDealState

Skill: TypeAlias = Literal["beginner", "expert"]

EQUAL = 0.005
"""Two moves are equal whose values differ by less."""

V = TypeVar("V")
E = TypeVar("E")
M = TypeVar("M")
D = TypeVar("D", bound=AnyDealState)


@dataclass(frozen=True, slots=True)
class Situation(Generic[V, E]):
    """A player's knowledge on its turn."""

    view: V
    """The view of its own seat."""
    history: tuple[E, ...] | None
    """The events of the game since the cards were dealt, oldest first; None if they are not known."""


@dataclass(frozen=True, slots=True)
class WeighedMove(Generic[M]):
    """A move and its expected value in a search; higher is better for the player."""

    move: M
    value: float
    """Expected share of the win (0 to 1), or points where the game counts them: see the game's `weigh`."""
    simulations: int
    """The number of simulations with the move."""
    behind: float = 0.0
    """Its mean difference from the best move, over the simulations with both."""


@dataclass(frozen=True, slots=True)
class Analysis(Generic[M]):
    """The result of a search: the best move, and all candidates, best first."""

    best: M
    weighed: tuple[WeighedMove[M], ...]
    simulations: int
    """How many hidden deals were drawn."""

    @property
    def is_proved(self) -> bool:
        """Whether no other move came to more than the best one: a favourite stays unless another is surely better."""
        return all(weighed.behind >= 0 for weighed in self.weighed if weighed.move != self.best)

    def is_equal(self, move: M) -> bool:
        """Return whether a move came to as much as the best one, within a difference that no player notices."""
        return any(weighed.behind < EQUAL for weighed in self.weighed if weighed.move == move)


@dataclass(slots=True)
class Budget:
    """The limit of a search: iterations, processor time, a moment, or the first of several.

    With iterations alone a choice depends only on the situation and the random generator. The time is the calling
    thread's, so that other processes on the machine do not weaken a player.
    """

    iterations: int | None = None
    cpu_milliseconds: float | None = None
    until: float | None = None
    """A time of `time.monotonic`, which all processes of a machine share."""
    done: int = field(default=0, init=False)
    _end: float | None = field(default=None, init=False)

    def begin(self) -> None:
        """Let the time run; else it runs from the first iteration."""
        if self._end is None and self.cpu_milliseconds is not None:
            self._end = thread_time() + self.cpu_milliseconds / 1000

    def take(self) -> bool:
        """Count one more iteration; return whether it is still allowed."""
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
    """The computer players of one game. Legal moves are never empty when they are called, and often more than one.

    `V`: the game's view, `E`: its events, `M`: its moves, `D`: the state of its deals.
    """

    easy: Callable[[Situation[V, E], Sequence[M], Random], M]
    """The choice of a beginner."""
    medium: Callable[[Situation[V, E], Sequence[M], Random], M]
    """The choice of an experienced player who counts cards. It takes a few milliseconds as a rule."""
    weigh: Callable[[Situation[V, E], Sequence[M], Random, Budget], Analysis[M]]
    """The search of `hard`."""
    sample: Callable[[Situation[V, E], Random], D]
    """A deal that agrees with everything public or proved; hidden cards are drawn at random."""
    plays_on: Callable[[Situation[V, E], Sequence[M], Random], M]
    """The choice of an experienced player in the play-outs with which moves are priced."""
    explain: Callable[[Situation[V, E], M, Sequence[M], Skill], Reason | None]
    """A true reason for one of the legal moves; None if there is none besides the choice itself.

    A beginner's reason is only what can be seen at once, since they have not weighed the moves.
    """
    quick: Sequence[Literal["easy", "medium"]] = ()
    """The levels that always choose in less than a millisecond, the best one last: the engine asks them on its event
    loop, and in place of a better level whose choice does not come in time.
    """

    standing: Callable[[V], float] | None = None
    """A seat's expected share of the win, from its view only, for games whose deals are too long for play-outs to the
    end.
    """


AnyPlayers: TypeAlias = GamePlayers[Any, Any, Any, Any]
"""The players of any game, for code that treats them all alike."""
AnySituation: TypeAlias = Situation[Any, Any]

Policy: TypeAlias = Callable[[Any, int, Sequence[Any]], Any]
"""`policy` of a game's module `policy`: from a deal, the seat on turn and its legal moves to one of them.

A game without players of its own may have one. It plays deals on in the search of `medium` and `hard`, sees whole
deals there, and goes by the seat's own hand and what lies open alone.
"""


# --- a race between candidate moves, which searches share


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceRules:
    """When a candidate drops out of a race, and what beats the favourite."""

    first: int = 12
    """The number of iterations before candidates may drop out."""
    each: int = 4
    """The number of iterations between comparisons."""
    drop: float = 2.2
    """How far behind the leader a candidate drops out, in standard errors of the paired difference."""
    favour: float = 0.0
    """How far ahead of the favourite (the first one) a candidate is preferred, in standard errors."""


class Race(Generic[M]):
    """The values of candidate moves over the same simulations. The first candidate is the heuristic's favourite."""

    def __init__(self, candidates: Sequence[M], rules: RaceRules) -> None:
        self._moves = list(candidates)
        self._rules = rules
        self._values: list[list[float]] = [[] for _ in candidates]
        self.running = list(range(len(candidates)))
        """The candidates that are still tried, by their position."""

    def add(self, values: Sequence[float]) -> None:
        """Add the values of one simulation: one for each candidate still in the race, in their order."""
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
        """Return the lead of one candidate in standard errors, over the simulations with both."""
        gaps = self._gaps(ahead, behind)
        if len(gaps) < 2:
            return 0.0
        mean = sum(gaps) / len(gaps)
        spread = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))
        if spread == 0:
            return 0.0 if mean == 0 else float("inf") if mean > 0 else float("-inf")
        return mean / spread

    def _gaps(self, ahead: int, behind: int) -> list[float]:
        """Return the lead of one candidate in each simulation with both."""
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
        gaps = self._gaps(best, candidate)
        behind = sum(gaps) / len(gaps) if gaps else 0.0
        return WeighedMove(self._moves[candidate], self._mean(candidate), len(self._values[candidate]), behind)


def race(
    candidates: Sequence[M],
    simulate: Callable[[Sequence[int]], Iterable[float]],
    budget: Budget,
    rules: RaceRules = RaceRules(),
) -> Analysis[M]:
    """Run a race until the budget is used up or one candidate is left.

    `simulate` draws one hidden deal, plays it to its end after each of the candidates given by position, and gives
    their values one after another: a simulation within which the time is up does not count.
    """
    running = Race(candidates, rules)
    while len(running.running) > 1 and budget.take():
        values = list(takewhile(lambda _: not budget.is_over, simulate(tuple(running.running))))
        if len(values) == len(running.running):
            running.add(values)
    return running.analysis()
