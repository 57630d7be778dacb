"""The choice of `hard`: the best plan for the turn, with weights that were evolved to win deals.

Hidden deals are not searched: with these weights, a search over drawn deals in which the other player answers won less
(docs/players.md).
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
"""How much a lead in the mazzetti, and the worth of a turn, in cards, raise the odds of a win (logarithm), times the
root of the cards left. Fitted to 6,300 deals that the weights played against themselves."""
USUAL = 0.5
"""The worth of a turn that leaves the odds as they are."""


def weigh(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random, _budget: Budget) -> Analysis[Move]:
    """Weigh each move by the best plan that begins with it. The value is the expected share of the win.

    This takes a few milliseconds, whatever the budget.
    """
    view = situation.view
    seen, legal = outlook(view, knowledge(view, situation.history)), by_step(moves, view)
    values = {step: share(seen, worth) for step, worth in _worths(seen, legal, EVOLVED).items()}
    order = sorted(legal, key=values.__getitem__, reverse=True)
    most = values[order[0]]
    weighed = tuple(WeighedMove(legal[step], values[step], 0, most - values[step]) for step in order)
    return Analysis(weighed[0].move, weighed, simulations=0)


def _worths(seen: Outlook, legal: dict[Step, Move], weights: Weights) -> dict[Step, float]:
    """Return the value of the best plan that begins with each of these steps."""
    turn, best = Turn(seen, weights, PLANNING), dict[Step, float]()
    for plan in turn.plans():
        if plan.steps and plan.steps[0] in legal:
            first = plan.steps[0]
            best[first] = max(plan.value, best.get(first, plan.value))
    return {step: best[step] if step in best else turn.worth(step) for step in legal}


def share(seen: Outlook, worth: float) -> float:
    """Return the expected share of the win after a turn whose end has this value."""
    return _odds(seen.own.left, seen.other.left, worth)


def standing(view: View) -> float:
    """Return the share of the win that a seat may expect by the lead in the mazzetti."""
    seat = view.seat or 0
    return _odds(view.mazzetti[seat].count, view.mazzetti[1 - seat].count, USUAL)


def _odds(own: int, other: int, worth: float) -> float:
    return 1 / (1 + exp(-(LEAD * (other - own) + WORTH * (worth - USUAL)) / sqrt(own + other)))
