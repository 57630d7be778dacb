"""The players without search, `easy` and `medium`, which plans whole turns; and the reasons for moves."""

from collections.abc import Sequence
from random import Random

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
    COMES_LATER,
    DIGS,
    EMPTIES_HAND,
    EMPTY_COLUMN,
    FREES_MAZZETTO,
    FROM_MAZZETTO,
    GETS_MOVING,
    IN_ORDER,
    KEEPS_JOKER,
    LAST_CARD,
    NOTHING_LEFT,
    ON_EQUAL,
    WITHHOLDS,
    Build,
    Discard,
    Event,
    Move,
    View,
)
from locanda.games.players import Situation, Skill

OWN_GOAL_SEEN = 0.18
"""Probability that a beginner notices, before each move, that the mazzetto's top card fits on a build.

With a probability of 1, a beginner would win 83 % of the deals against random play.
"""

QUICK = ("easy",)
PLANNING, PLAYING_ON = Thoroughness(nodes=150, endings=4), Thoroughness(nodes=40, endings=2)


def easy(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Choose as a beginner, who plays any card that fits on a build, often overlooking the mazzetto's.

    They do not look ahead, but they keep their columns in order and save jokers, so that deals come to an end.
    """
    view = situation.view
    builds = [move for move in moves if isinstance(move, Build)]
    own = [move for move in builds if move.source == "mazzetto"]
    if own and (view.mazzetti[view.seat or 0].count == 1 or rng.random() < OWN_GOAL_SEEN):
        return own[0]
    seen = [move for move in builds if move not in own and _natural(move)]
    endings = [move for move in moves if not isinstance(move, Build)]
    if own and not seen:
        return own[0]
    if seen or not endings:
        return rng.choice(seen or builds)
    kept = [move for move in endings if _natural(move)] or endings
    return rng.choice([move for move in kept if _in_order(view, move)] or kept)


def _natural(move: Move) -> bool:
    return not isinstance(move, Build | Discard) or CARDS[move.card] != JOKER


def _in_order(view: View, move: Move) -> bool:
    """Return whether a discard keeps the order of its column.

    It keeps the order on a card of the same or the next higher rank, on a joker, and in an empty column.
    """
    if not isinstance(move, Discard) or not isinstance(move.column, int):
        return True
    column = view.columns[view.seat or 0][move.column]
    return not column or CARDS[column[-1]] == JOKER or (CARDS[column[-1]] >> 2) - (CARDS[move.card] >> 2) in (0, 1)


def medium(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Choose the first move of the best plan for the turn."""
    return _planned_move(situation, moves, PLANNING)


def plays_on(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Choose like `medium` but in half the time, for play-outs: examine fewer plans, and ignore the history."""
    return _planned_move(Situation(situation.view, None), moves, PLAYING_ON)


def _planned_move(situation: Situation[View, Event], moves: Sequence[Move], thoroughness: Thoroughness) -> Move:
    """Return the first move of the best plan by the weights of an experienced player."""
    view, legal = situation.view, by_step(moves, situation.view)
    turn = Turn(outlook(view, knowledge(view, situation.history)), EXPERIENCE, thoroughness)
    plans = [plan for plan in turn.plans() if plan.steps and plan.steps[0] in legal]
    best = max(plans, key=lambda plan: plan.value, default=Plan(0.0, (next(iter(legal)),)))
    return legal[best.steps[0]]


def by_step(moves: Sequence[Move], view: View) -> dict[Step, Move]:
    """Return the legal moves by their steps, which have ranks instead of cards. No two moves have the same step."""
    return {step_of(move, view): move for move in moves}


# --- reasons for moves


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move], skill: Skill) -> Reason | None:
    """Return the reason for a move. A beginner neither plans the turn nor looks at the other mazzetto."""
    view = situation.view
    if isinstance(move, Build):
        return _of_build(situation, move, skill)
    if isinstance(move, Discard):
        return _of_discard(view, move, moves, skill)
    return NOTHING_LEFT.because()


def _own_top(view: View) -> str | None:
    return view.mazzetti[view.seat or 0].top


def _other_top(view: View) -> str | None:
    return view.mazzetti[1 - (view.seat or 0)].top


# --- builds


def _of_build(situation: Situation[View, Event], move: Build, skill: Skill) -> Reason:
    view, card = situation.view, move.card
    if move.source == "mazzetto":
        last = view.mazzetti[view.seat or 0].count == 1
        return (LAST_CARD if last else FROM_MAZZETTO).because(card=card)
    if move.build is None:
        return ACE_OWED.because(card=card)
    seen = outlook(view, knowledge(view, situation.history))
    planned = None if skill == "beginner" else _of_plans(view, seen, step_of(move, view), card)
    return planned or _of_lone_build(view, seen, move)


def _of_plans(view: View, seen: Outlook, step: Step, card: str) -> Reason | None:
    """Return a reason from the plans: the card leads to the mazzetto's card, or helps to empty the hand."""
    turn, goal = Turn(seen, EXPERIENCE, PLANNING), _own_top(view)
    chain = next((chain for chain in turn.chains() if step in chain), None)
    if chain is not None and goal is not None:
        if len(chain) == 1:
            return FREES_MAZZETTO.because(card=card, goal=goal)
        return CHAIN.because(card=card, count=len(chain), goal=goal)
    plans = [plan for plan in turn.plans() if step in plan.steps]
    steps = max(plans, key=lambda plan: plan.value).steps if plans else ()
    sources = [source for source, _, _ in steps]
    if MAZZETTO_SOURCE in sources or sources[-1:] != [HAND_SOURCE]:
        return None
    return EMPTIES_HAND.because(card=card) if sources.count(HAND_SOURCE) == len(view.hand or ()) else None


def _of_lone_build(view: View, seen: Outlook, move: Build) -> Reason:
    need, goal = _need(view, move), _other_top(view)
    if goal is not None and need == seen.other.top and seen.needs >> 4 * need & 15 == 1:
        return BLOCKS.because(card=move.card, goal=goal)
    if move.column is not None and len(view.columns[view.seat or 0][move.column]) > 1:
        return DIGS.because(card=move.card, below=view.columns[view.seat or 0][move.column][-2])
    return GETS_MOVING.because(card=move.card)


def _need(view: View, move: Build) -> int:
    return len(view.builds[move.build]) if isinstance(move.build, int) else ACE


# --- discards


def _of_discard(view: View, move: Discard, moves: Sequence[Move], skill: Skill) -> Reason | None:
    natural = [other for other in moves if isinstance(other, Build) and CARDS[other.card] != JOKER]
    if natural:
        return None if skill == "beginner" else _why_not_built(view, move, natural)
    column = view.columns[view.seat or 0][move.column] if isinstance(move.column, int) else ()
    if not column:
        return EMPTY_COLUMN.because(card=move.card)
    if JOKER in (CARDS[move.card], CARDS[column[-1]]):
        return None
    return _of_column(view, move.card, column[-1])


def _of_column(view: View, card: str, below: str) -> Reason | None:
    """Return why a card is discarded on the card `below`; neither is a joker."""
    goal, rank = _own_top(view), CARDS[card] >> 2
    gap = (CARDS[below] >> 2) - rank
    if gap in (0, 1):
        return (IN_ORDER if gap else ON_EQUAL).because(card=card, below=below)
    if "*" in (view.hand or ()):
        return KEEPS_JOKER.because(card=card)
    if goal is None or any(CARDS[goal] >> 2 < len(build) <= rank for build in view.builds):
        return None
    return COMES_LATER.because(card=card, goal=goal) if rank >= CARDS[goal] >> 2 else None


def _why_not_built(view: View, move: Discard, builds: Sequence[Build]) -> Reason | None:
    """Return why no card is played to a build: each play would help the other player to play their mazzetto."""
    goal = _other_top(view)
    if goal is None:
        return None
    highest = max((need for need in map(len, view.builds) if need <= CARDS[goal] >> 2), default=ACE)
    if highest < CARDS[goal] >> 2 and all(_need(view, other) == highest for other in builds):
        return WITHHOLDS.because(card=move.card, goal=goal)
    return None
