"""The players that do not search hidden deals: a beginner, and one who plans whole turns."""

from collections.abc import Sequence
from random import Random

from locanda.games.diavoletto import Build, Discard, Event, Move, View
from services.engine.games.diavoletto.state import CARDS, JOKER
from services.engine.players.base import Situation
from services.engine.players.diavoletto.knowledge import knowledge
from services.engine.players.diavoletto.outlook import Outlook, Step, outlook, step_of
from services.engine.players.diavoletto.turns import Plan, Thoroughness, Turn
from services.engine.players.diavoletto.weights import EXPERIENCE

NOTICED = 0.25
"""How likely a beginner is to see that a card of the hand or of a column goes on a build."""

PLANNING = Thoroughness(nodes=150, endings=4)


def easy(_situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Return the choice of a beginner: the mazzetto's card if it can be played, and now and then another one.

    They do not look ahead, but waste no joker either.
    """
    builds = [move for move in moves if isinstance(move, Build)]
    own = [move for move in builds if move.source == "mazzetto"]
    endings = [move for move in moves if not isinstance(move, Build)]
    seen = own or [move for move in builds if _natural(move) and rng.random() < NOTICED]
    if seen or not endings:
        return rng.choice(seen or builds)
    return rng.choice([move for move in endings if _natural(move)] or endings)


def _natural(move: Move) -> bool:
    return not isinstance(move, Build | Discard) or CARDS[move.card] != JOKER


def medium(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Return the first move of the best plan for the turn."""
    view = situation.view
    seen = outlook(view, knowledge(view, situation.history))
    legal = by_step(moves, view)
    return legal[best_plan(seen, legal).steps[0]]


def best_plan(seen: Outlook, legal: dict[Step, Move]) -> Plan:
    """Return the plan of an experienced player; it begins with a legal move."""
    plans = [plan for plan in Turn(seen, EXPERIENCE, PLANNING).plans() if plan.steps and plan.steps[0] in legal]
    return max(plans, key=lambda plan: plan.value, default=Plan(0.0, (next(iter(legal)),)))


def by_step(moves: Sequence[Move], view: View) -> dict[Step, Move]:
    """Return the legal moves by their form in ranks, which no two share."""
    return {step_of(move, view): move for move in moves}
