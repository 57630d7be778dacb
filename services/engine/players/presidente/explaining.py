"""Why a move is worth playing: the first reason that is true of it."""

from collections.abc import Sequence

from locanda.games.base import Pass
from locanda.games.presidente import (
    ALMOST_OUT,
    CHEAPEST_ANSWER,
    GOES_OUT,
    KEEPS_STRONG,
    KEEPS_WHOLE,
    LEAVES,
    LONGER_THAN_HANDS,
    NEEDED_LEAST,
    NOTHING_BEATS,
    SAVES_STRENGTH,
    SPLITS_SET,
    STOPS,
    TURNS_ORDER,
    WEAKEST_FIRST,
    Event,
    Give,
    Move,
    Play,
    View,
)
from locanda.reasons import Reason
from services.engine.games.presidente.moves import RANK_CARDS
from services.engine.games.presidente.state import WILD, codes
from services.engine.players.base import Situation
from services.engine.players.presidente.combos import BY_MOVE, Combo, beatable
from services.engine.players.presidente.heuristic import FEW, beats
from services.engine.players.presidente.knowledge import Knowledge, knowledge_of
from services.engine.players.presidente.planning import USUAL, is_strong, plan


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move]) -> Reason:
    """Return why a move is worth playing; a computer player of any level may have chosen it."""
    known = knowledge_of(situation.view)
    if isinstance(move, Give):
        return NEEDED_LEAST.because(cards=list(move.cards))
    if isinstance(move, Pass):
        return _why_pass(known, [BY_MOVE[each] for each in moves if isinstance(each, Play)])
    return _why_play(known, BY_MOVE[move])


def _why_play(known: Knowledge, combo: Combo) -> Reason:
    rest, cards = known.hand ^ combo.cards, list(combo.move.cards)
    if not rest:
        return GOES_OUT.because()
    inverted = known.inverted ^ (combo.is_four and known.rules.revolution)
    groups = plan(rest, inverted)
    if len(groups) == 1:
        return ALMOST_OUT.because(cards=list(groups[0].move.cards))
    if not beatable(combo, known.unseen, inverted=inverted, eight=known.rules.eight):
        return NOTHING_BEATS.because(cards=cards)
    if combo.is_four and USUAL[inverted].cost(rest) < USUAL[not inverted].cost(rest):
        return TURNS_ORDER.because()
    because = _why_lead(known, combo) if known.top is None else _why_answer(known, combo)
    return because or LEAVES.because(count=len(groups))


def _why_lead(known: Knowledge, combo: Combo) -> Reason | None:
    cards = list(combo.move.cards)
    if known.fewest <= FEW and combo.size > known.fewest:
        return LONGER_THAN_HANDS.because(count=known.fewest, cards=cards)
    if combo in plan(known.hand, known.inverted)[:2]:
        return WEAKEST_FIRST.because(cards=cards)
    return None


def _why_answer(known: Knowledge, combo: Combo) -> Reason | None:
    if known.owner <= FEW:
        return STOPS.because(count=known.owner)
    groups = plan(known.hand, known.inverted)
    if combo in groups:
        fitting = [group for group in groups if known.top and beats(group, known.top, inverted=known.inverted)]
        return CHEAPEST_ANSWER.because() if combo is fitting[0] else None
    if combo.form == 1 and combo.rank != WILD and (held := known.hand & RANK_CARDS[combo.rank]) != combo.cards:
        return SPLITS_SET.because(cards=list(codes(held)))
    return None


def _why_pass(known: Knowledge, answers: Sequence[Combo]) -> Reason:
    groups = plan(known.hand, known.inverted)
    whole = [combo for combo in answers if combo in groups]
    if whole and all(is_strong(combo, inverted=known.inverted) for combo in whole if combo.rank != WILD):
        return KEEPS_STRONG.because(cards=list(whole[0].move.cards))
    if answers and not whole:
        broken = [group for group in groups if group.cards & answers[0].cards and group.size > 1]
        if broken:
            return KEEPS_WHOLE.because(cards=list(broken[0].move.cards))
    return SAVES_STRENGTH.because()
