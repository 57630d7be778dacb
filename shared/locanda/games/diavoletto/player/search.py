"""The level `hard`: chooses the best plan for the turn, with weights that were evolved to win deals.

It does not try out random deals of the hidden cards. A search over random deals and the opponent's replies, with the
same weights, won less often (docs/players.md).
"""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random

from locanda.games.diavoletto.player.heuristic import by_step
from locanda.games.diavoletto.player.judgement import EVOLVED, Weights
from locanda.games.diavoletto.player.knowledge import Outlook, Step, knowledge, outlook
from locanda.games.diavoletto.player.planning import Thoroughness, Turn
from locanda.games.diavoletto.types import Event, Move, View
from locanda.games.players import Analysis, Budget, Situation, WeighedMove

PLANNING = Thoroughness(nodes=200, endings=6)
LEAD, WORTH = 1.8, 1.0
"""Logistic coefficients of the lead in the mazzetti and of a turn's value, for each card, divided by the square root of
the number of cards left. They were fitted to 6,300 deals of the weights against themselves."""
USUAL = 0.5
"""Value of a turn that does not change the chances."""


def weigh(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random, _budget: Budget) -> Analysis[Move]:
    """Value each move by the best plan that begins with it, as the expected share of the win."""
    view = situation.view
    seen, legal = outlook(view, knowledge(view, situation.history)), by_step(moves, view)
    values = {step: share(seen, worth) for step, worth in _worths(seen, legal, EVOLVED).items()}
    order = sorted(legal, key=values.__getitem__, reverse=True)
    most = values[order[0]]
    weighed = tuple(WeighedMove(legal[step], values[step], 0, most - values[step]) for step in order)
    return Analysis(weighed[0].move, weighed, simulations=0)


def _worths(seen: Outlook, legal: dict[Step, Move], weights: Weights) -> dict[Step, float]:
    """Return the value of the best plan for each legal first step."""
    turn, best = Turn(seen, weights, PLANNING), dict[Step, float]()
    for plan in turn.plans():
        if plan.steps and plan.steps[0] in legal:
            first = plan.steps[0]
            best[first] = max(plan.value, best.get(first, plan.value))
    return {step: best[step] if step in best else turn.worth(step) for step in legal}


def share(seen: Outlook, worth: float) -> float:
    """Return the expected share of the win after a turn of this value."""
    own, other = seen.own.left, seen.other.left
    return 1 / (1 + exp(-(LEAD * (other - own) + WORTH * (worth - USUAL)) / sqrt(own + other)))


def standing(situation: Situation[View, Event]) -> float:
    """Return a seat's expected share of the win as its turn begins."""
    seen = outlook(situation.view, knowledge(situation.view, None))
    return share(seen, Turn(seen, EVOLVED, PLANNING).best().value)
