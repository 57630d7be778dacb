"""The choice of `hard`: the best plan for the turn, with weights that were evolved to win deals.

Hidden deals are not searched: with these weights, a search over drawn deals in which the other player answers won less
(docs/players.md).
"""

from collections.abc import Iterator, Sequence
from itertools import repeat
from math import exp, sqrt
from random import Random

from locanda.games.diavoletto.player.heuristic import by_step
from locanda.games.diavoletto.player.judgement import EVOLVED, EXPERIENCE, Weights
from locanda.games.diavoletto.player.knowledge import Outlook, Step, knowledge, outlook, step_of
from locanda.games.diavoletto.player.planning import Thoroughness, Turn
from locanda.games.diavoletto.types import Event, Move, View
from locanda.games.players import Analysis, Budget, Situation, WeighedMove, agreed

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
    worths = _worths(seen, legal, EVOLVED)
    order = sorted(legal, key=lambda step: worths[step], reverse=True)
    weighed = tuple(WeighedMove(legal[step], share(seen, worths[step]), simulations=0) for step in order)
    return Analysis(weighed[0].move, weighed, simulations=0)


def differences(situation: Situation[View, Event], first: Move, second: Move, _rng: Random) -> Iterator[float]:
    """Yield without end by how much more the best plan that begins with the first of two moves is worth.

    It is the same each time: a play-out takes a fifth of a second, so that the weights judge here too. What the weights
    of experience do not say as well is no difference.
    """
    view = situation.view
    seen = outlook(view, knowledge(view, situation.history))
    one, other = (step_of(move, view) for move in (first, second))
    judged = [_worths(seen, {one: first, other: second}, weights) for weights in (EVOLVED, EXPERIENCE)]
    yield from repeat(agreed([share(seen, worths[one]) - share(seen, worths[other]) for worths in judged]))


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
    own, other = seen.own.left, seen.other.left
    return 1 / (1 + exp(-(LEAD * (other - own) + WORTH * (worth - USUAL)) / sqrt(own + other)))
