"""The players that do not search hidden deals, a beginner and one who plans whole turns; and the reasons for a move."""

from collections.abc import Sequence
from random import Random

from locanda.cards import RANKS
from locanda.explanations import Reason
from locanda.games.diavoletto.deal import ACE, CARDS, JOKER
from locanda.games.diavoletto.player.judgement import EXPERIENCE
from locanda.games.diavoletto.player.knowledge import (
    HAND_SOURCE,
    MAZZETTO_SOURCE,
    Outlook,
    Step,
    knowledge,
    outlook,
    step_of,
)
from locanda.games.diavoletto.player.planning import Plan, Thoroughness, Turn
from locanda.games.diavoletto.types import (
    ACE_OWED,
    BLOCKS,
    CHAIN,
    DIGS,
    EMPTIES_HAND,
    EMPTY_COLUMN,
    FREES_MAZZETTO,
    FROM_MAZZETTO,
    GETS_MOVING,
    IN_ORDER,
    KEEPS_JOKER,
    LAST_CARD,
    LEAST_USEFUL,
    NOTHING_LEFT,
    ON_EQUAL,
    WITHHOLDS,
    Build,
    Discard,
    Event,
    Move,
    View,
)
from locanda.games.players import Situation

NOTICED = 0.25
"""How likely a beginner is to see that a card of the hand or of a column goes on a build."""

PLANNING = Thoroughness(nodes=150, endings=4)


def easy(_situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Return the choice of a beginner: usually the mazzetto's card, if it can be played, sometimes another card.

    They do not look ahead, but they do not waste jokers either.
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
    """Return the legal moves by their form in ranks, which no two of them share."""
    return {step_of(move, view): move for move in moves}


# --- why a move is worth playing


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move]) -> Reason:
    """Return why the move is worth playing."""
    view = situation.view
    if isinstance(move, Build):
        return _of_build(situation, move, moves)
    if isinstance(move, Discard):
        return _of_discard(view, move, moves)
    return NOTHING_LEFT.because()


def _own_top(view: View) -> str:
    return view.mazzetti[view.seat or 0].top or "Kh"


def _other_top(view: View) -> str:
    return view.mazzetti[1 - (view.seat or 0)].top or "Kh"


# --- builds


def _of_build(situation: Situation[View, Event], move: Build, moves: Sequence[Move]) -> Reason:
    view = situation.view
    if move.source == "mazzetto":
        last = view.mazzetti[view.seat or 0].count == 1
        return LAST_CARD.because(card=move.card) if last else FROM_MAZZETTO.because(card=move.card)
    if move.build is None:
        return ACE_OWED.because()
    seen = outlook(view, knowledge(view, situation.history))
    plan = _plan_with(seen, step_of(move, view), by_step(moves, view))
    return _planned(view, plan) or _of_lone_build(view, seen, move)


def _plan_with(seen: Outlook, step: Step, legal: dict[Step, Move]) -> Plan | None:
    """Return the best plan that begins with a step, or contains it before the mazzetto's next card is turned up."""
    if step not in legal:
        return None
    plans = [plan for plan in Turn(seen, EXPERIENCE, PLANNING).plans() if step in _foreseen(plan)]
    return max(plans, key=lambda plan: plan.value, default=None)


def _foreseen(plan: Plan) -> tuple[Step, ...]:
    """Return the steps until the mazzetto's card is played, or all."""
    for number, (source, _, _) in enumerate(plan.steps):
        if source == MAZZETTO_SOURCE:
            return plan.steps[: number + 1]
    return plan.steps


def _planned(view: View, plan: Plan | None) -> Reason | None:
    if plan is None:
        return None
    steps = _foreseen(plan)
    if steps[-1][0] == MAZZETTO_SOURCE:
        count, goal = len(steps) - 1, _own_top(view)
        return FREES_MAZZETTO.because(goal=goal) if count == 1 else CHAIN.because(count=count, goal=goal)
    if steps[-1][0] == HAND_SOURCE and len(steps) >= len(view.hand or ()):
        return EMPTIES_HAND.because()
    return None


def _of_lone_build(view: View, seen: Outlook, move: Build) -> Reason:
    need = len(view.builds[move.build]) if isinstance(move.build, int) else ACE
    if need == seen.other.top and seen.needs >> 4 * need & 15 == 1:
        return BLOCKS.because(goal=_other_top(view))
    if move.column is not None and len(view.columns[view.seat or 0][move.column]) > 1:
        return DIGS.because(below=view.columns[view.seat or 0][move.column][-2])
    return GETS_MOVING.because()


# --- discards


def _of_discard(view: View, move: Discard, moves: Sequence[Move]) -> Reason:
    playable = [other for other in moves if isinstance(other, Build)]
    column = view.columns[view.seat or 0][move.column] if isinstance(move.column, int) else ()
    if playable and any(CARDS[other.card] != JOKER for other in playable):
        return WITHHOLDS.because(goal=_other_top(view))
    if not column:
        return EMPTY_COLUMN.because(card=move.card)
    if CARDS[move.card] != JOKER and CARDS[column[-1]] != JOKER:
        gap = RANKS.index(column[-1][0]) - RANKS.index(move.card[0])
        if gap == 0:
            return ON_EQUAL.because(card=move.card, below=column[-1])
        if gap == 1:
            return IN_ORDER.because(card=move.card, below=column[-1])
    if "*" in (view.hand or ()) and CARDS[move.card] != JOKER:
        return KEEPS_JOKER.because(goal=_own_top(view))
    return LEAST_USEFUL.because(card=move.card, goal=_own_top(view))
