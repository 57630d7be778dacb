"""The search of `hard`: the best plans of the turn race against one another over hidden deals.

After a plan, the other player's best turn is sought with the hand that the hidden deal gives them; what follows is
judged. So a plan is worth less the more hands answer it well.
"""

from collections.abc import Sequence
from math import exp, inf, sqrt
from random import Random

from locanda.games.diavoletto import Event, Move, View
from services.engine.players.base import Analysis, Budget, Situation, WeighedMove
from services.engine.players.diavoletto.heuristic import best_plan, by_step
from services.engine.players.diavoletto.knowledge import knowledge
from services.engine.players.diavoletto.outlook import MAZZETTO_SOURCE, Outlook, Step, outlook
from services.engine.players.diavoletto.position import Position
from services.engine.players.diavoletto.sampling import draw
from services.engine.players.diavoletto.turns import QUICK, Plan, Thoroughness, Turn
from services.engine.players.diavoletto.weights import LEARNED
from services.engine.players.racing import RaceRules, race

MOST_CANDIDATES = 6
MARGIN = 0.5
"""By how many mazzetto cards a plan may be behind the best one to be tried."""
COMPARED = 2
"""So many moves are always tried, however far they are apart: who compares two of them is to know by how much."""

PLANNING = Thoroughness(nodes=200, endings=6)
RULES = RaceRules(first=8, each=4, drop=2.0, favour=1.0)
CAUTIOUS = RaceRules(first=8, each=4, drop=2.2, favour=inf)
"""Where columns must descend, `medium`'s plan is kept: the weights were fitted to free columns, and lost there."""
SPREAD = 0.6
"""How uncertain a lead is: it counts for the less, the more cards are left."""
TURNS = 1
"""How many turns after the plan are played, the last one in thought only."""


def weigh(situation: Situation[View, Event], moves: Sequence[Move], rng: Random, budget: Budget) -> Analysis[Move]:
    """Weigh the best plans for the turn; a move's value is the expected share of the win of the best that it begins."""
    view = situation.view
    known = knowledge(view, situation.history)
    legal = by_step(moves, view)
    seen = outlook(view, known)
    plans = candidates(seen, legal)
    if seen.descending:
        first = best_plan(seen, legal)
        plans = [first, *(plan for plan in plans if plan.steps[0] != first.steps[0])]
    rules = CAUTIOUS if seen.descending else RULES
    seat = view.seat or 0

    def simulate(running: Sequence[int]) -> list[float]:
        start, chance = Position(draw(view, known, rng)), rng.random()
        return [_outcome(start.copy(), plans[each], seat, Random(chance)) for each in running]  # noqa: S311  (in thought)

    return _by_move(race(plans, simulate, budget, rules), seen, legal)


def candidates(seen: Outlook, legal: dict[Step, Move]) -> list[Plan]:
    """Return the best plan for each first step worth a thought, best first; one at least."""
    best: dict[Step, Plan] = {}
    for plan in Turn(seen, LEARNED, PLANNING).plans():
        first = plan.steps[0] if plan.steps else None
        if first in legal and (first not in best or plan.value > best[first].value):
            best[first] = plan
    if not best:
        return [Plan(0.0, (step,)) for step in legal]
    plans = sorted(best.values(), key=lambda plan: plan.value, reverse=True)
    if len(legal) == COMPARED:
        return [*plans, *(Plan(plans[-1].value, (step,)) for step in legal if step not in best)]
    return [plan for plan in plans[:MOST_CANDIDATES] if plan.value > plans[0].value - MARGIN]


def _by_move(found: Analysis[Plan], seen: Outlook, legal: dict[Step, Move]) -> Analysis[Move]:
    """Return an analysis of plans as one of the moves that they begin with."""
    weighed = []
    for each in found.weighed:
        value = each.value if each.simulations else share(seen.own.left, seen.other.left, each.move.value)
        weighed.append(WeighedMove(legal[each.move.steps[0]], value, each.simulations))
    return Analysis(legal[found.best.steps[0]], tuple(weighed), found.simulations)


# --- what comes of a plan


def _outcome(position: Position, plan: Plan, seat: int, chance: Random) -> float:
    """Play the plan in a hidden deal, and on from there; return the expected share of the win."""

    def shuffled(pile: bytes) -> bytes:
        return bytes(chance.sample(pile, len(pile)))

    ended = 0
    while True:
        turn = position.turn
        for step in plan.steps:
            position.play(step, shuffled)
            if step[0] == MAZZETTO_SOURCE:
                break
        if position.turn is None:
            return position.win(seat)
        ended += position.turn != turn
        plan = Turn(position.outlook(), LEARNED, QUICK).best()
        if ended == TURNS:
            own, other = len(position.mazzetti[seat]), len(position.mazzetti[1 - seat])
            return share(own, other, plan.value if position.turn == seat else -plan.value)


def share(own: int, other: int, value: float) -> float:
    """Return the expected share of the win with so many cards left in the mazzetti, and a value of the position."""
    return 1 / (1 + exp(-(other - own + value) / (SPREAD * sqrt(own + other + 4))))
