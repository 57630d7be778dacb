"""Checks that computer players' reasons for their moves are true, by the rules and by random deals."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from types import ModuleType
from typing import Any, ClassVar, TypeAlias
from unittest.mock import patch

from locanda.explanations import BEST_ESTIMATE, BEST_IN_PLAY_OUTS, BY_FEEL, NONE_SURELY_BETTER, ONLY_MOVE
from locanda.games import players
from locanda.games.choosing import Choice, choose
from locanda.games.game import AnyGame
from locanda.games.players import AnyPlayers, AnySituation, Budget, Race, RaceRules, Situation
from locanda.games.registry import has_part
from locanda.messages import ComputerLevel
from services.engine.table.fairness import shuffle


@dataclass(frozen=True, slots=True)
class Explained:
    """A move, its reason, and the player's knowledge."""

    deal: Any
    view: Any
    history: tuple[Any, ...]
    moves: Sequence[Any]
    move: Any
    facts: Any
    level: ComputerLevel
    simulations: int
    tried: Sequence[tuple[frozenset[Any], Sequence[float]]] = ()
    """The candidates of the search's race: the possible first moves of each, and its value in each simulation."""


Claims: TypeAlias = dict[str, Callable[[Explained], bool]]
"""Functions that check whether a reason is true of a move, by the reason's code."""

SURELY = 2.5
"""Difference in standard errors above which one candidate is certainly better than another."""


def came_out_best(case: Explained, *, by: float = 0.0) -> bool:
    """Return whether no other candidate was ahead by more than `by` standard errors, over the deals of both."""
    own = [values for moves, values in case.tried if case.move in moves]
    others = [values for moves, values in case.tried if case.move not in moves]
    return not case.tried or any(all(_lead(other, values) <= by for other in others) for values in own)


def _lead(ahead: Sequence[float], behind: Sequence[float]) -> float:
    gaps = [mine - theirs for mine, theirs in zip(ahead, behind, strict=False)]
    mean = round(fmean(gaps), 9) if gaps else 0.0  # sums of equal values may differ in their last digit
    error = stdev(gaps) / sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    return mean / error if error else inf * mean if mean else 0.0


SHARED: Claims = {
    ONLY_MOVE.code: lambda case: len(case.moves) == 1,
    BEST_IN_PLAY_OUTS.code: lambda case: case.simulations > 0 and came_out_best(case),
    NONE_SURELY_BETTER.code: lambda case: not came_out_best(case) and came_out_best(case, by=SURELY),
    BEST_ESTIMATE.code: lambda case: case.level != "easy" and not any(values for _, values in case.tried),
    BY_FEEL.code: lambda case: case.level == "easy",
}


class RecordedRace(Race[Any]):
    """A race whose values are recorded, to compare them with the reason."""

    races: ClassVar[list["RecordedRace"]] = []

    def __init__(self, candidates: Sequence[Any], rules: RaceRules) -> None:
        super().__init__(candidates, rules)
        self.races.append(self)


def recorded_choice(
    game: AnyGame, situation: AnySituation, level: ComputerLevel, rng: Random
) -> tuple[Choice, list[tuple[frozenset[Any], list[float]]]]:
    """Choose a move; return the choice, and the candidates of its race with their values."""
    RecordedRace.races = []
    with patch.object(players, "Race", RecordedRace):
        choice = choose(game, situation, level, rng, Budget(iterations=16))
    begun_by = getattr(_reasons_of(game.name), "begun_by", lambda _view, candidate: frozenset({candidate}))
    return choice, [
        (begun_by(situation.view, candidate), values)
        for race in RecordedRace.races
        for candidate, values in zip(race._moves, race._values, strict=True)
    ]


def _reasons_of(game: str) -> ModuleType | None:
    return import_module(f"tests.games.{game}.reasons") if has_part(game, "player") else None


def claims_of(game: str) -> Claims:
    """Return the claims of a game's own and shared reasons."""
    own: Claims = getattr(_reasons_of(game), "CLAIMS", {})
    return SHARED | own


def drawn(case: Explained, players: AnyPlayers, count: int) -> Iterator[Any]:
    """Yield deals that agree with the player's knowledge."""
    rng = Random(count)
    return (players.sample(Situation(case.view, case.history), rng) for _ in range(count))


def false_reasons(
    game: AnyGame, level: ComputerLevel, count: int, seed: int, options: Any = None
) -> tuple[Counter[str], list[tuple[str, Explained]]]:
    """Play deals between players of a level until they gave enough reasons; return their counts and the false ones."""
    claims, counts, false = claims_of(game.name), Counter[str](), list[tuple[str, Explained]]()
    while counts.total() < count:
        rng, seed = Random(f"reasons {seed}"), seed + 1
        chosen = game.options() if options is None else options
        seats = rng.choice(list(game.seats(chosen)))
        order = tuple((seat,) for seat in rng.sample(range(seats), seats))
        deal, history = game.deal(chosen, seats, 0, rng.randbytes(32), shuffle, order), ()
        while deal.turn is not None and counts.total() < count:
            view, moves = game.view(deal, deal.turn), game.moves(deal)
            choice, tried = recorded_choice(game, Situation(view, history), level, rng)
            facts, code = choice.reason.facts, choice.reason.code
            case = Explained(deal, view, history, moves, choice.move, facts, level, choice.simulations, tried)
            counts[code] += 1
            if not claims[code](case):
                false.append((code, case))
            deal, events = game.play(deal, choice.move, shuffle)
            history = (*history, *events)
    return counts, false
