"""The players without search, `easy` and `medium`, and the reasons for moves."""

from collections.abc import Mapping, Sequence
from random import Random

from locanda.explanations import Reason
from locanda.games.base import Pass
from locanda.games.players import Situation, Skill
from locanda.games.presidente.deal import codes, decoded
from locanda.games.presidente.fast import ABOVE, BELOW, BY_MOVE, Combo, beatable, combo_of_move, forbidden
from locanda.games.presidente.moves import PASS, RANK_CARDS
from locanda.games.presidente.player.endings import ending_of, winning
from locanda.games.presidente.player.knowledge import Knowledge, knowledge_of
from locanda.games.presidente.player.planning import HIGHEST, USUAL, is_strong, plan
from locanda.games.presidente.player.policy import FEW, answer, beats, gift, lead
from locanda.games.presidente.types import (
    ALMOST_OUT,
    BITS,
    CARDS,
    CHEAPEST_ANSWER,
    GOES_OUT,
    KEEPS_STRONG,
    KEEPS_WHOLE,
    LEAVES,
    LONGER_THAN_HANDS,
    NEEDED_LEAST,
    NOTHING_BEATS,
    PLAYS_LOW,
    SAVES_STRENGTH,
    SPLITS_SET,
    STOPS,
    TURNS_ORDER,
    WAITS_TO_WIN,
    WEAKEST_FIRST,
    WILD,
    WINS_ENDING,
    Event,
    Give,
    Move,
    Play,
    View,
)

QUICK = ("easy", "medium")
SHORT_ENDING = 12
"""Most cards of an ending that is solved to explain a move; solving takes a millisecond or two."""
FEW_BEAT = 4
"""A card may be taken out of a set if the share of unseen cards that beat it is at most 1 / `FEW_BEAT`."""


# --- choices

SHYNESS = 0.4
"""Probability that a beginner passes although they could beat the table."""
LOW = 2
"""A beginner plays combinations that are at most this many ranks above the lowest playable combination."""
HASTE = 0.58
"""Probability that a beginner plays a random combination."""


def gift_of(known: Knowledge) -> int:
    """Return the cards that `medium` gives for the tax."""
    return gift(known.hand, known.view.dues[0][2])


def medium(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:  # noqa: ARG001
    """Follow a plan for the hand, and count the unseen cards that can still beat each combination."""
    known = knowledge_of(situation.view)
    if known.view.dues:
        return Give(codes(gift_of(known)))
    if known.top is None:
        chosen: Combo | None = lead(known.rules, known.hand, known.unseen, known.fewest, inverted=known.inverted)
    else:
        chosen = answer(known.rules, known.hand, known.top, known.owner, inverted=known.inverted)
    if chosen is None and known.top is not None and known.owner <= FEW:
        return _stopping(known, moves)
    return PASS if chosen is None else chosen.move


def _stopping(known: Knowledge, moves: Sequence[Move]) -> Move:
    """Return the cheapest move that beats a player who is about to go out, even if it breaks up combinations.

    Returns a pass if there is no such move.
    """
    answers = [move for move in moves if isinstance(move, Play)]
    return min(answers, key=lambda move: _height(known, move)) if answers else PASS


def easy(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Go out if possible. Otherwise play a low or a random combination, or pass unless a player is about to go out."""
    known = knowledge_of(situation.view)
    heights = {move: _height(known, move) for move in moves if not isinstance(move, Pass)}
    for move in heights:
        if isinstance(move, Play) and len(move.cards) == known.hand.bit_count():
            return move
    if known.top is None and not known.view.dues:
        heights = _longer(heights, known.fewest) or heights
    if not heights or (known.top is not None and known.fewest > FEW and rng.random() < SHYNESS):
        return PASS
    if rng.random() < HASTE:
        return rng.choice(list(heights))
    lowest = min(heights.values())
    return rng.choice([move for move, height in heights.items() if height <= lowest + LOW])


def _longer(heights: Mapping[Play | Give, int], fewest: int) -> dict[Play | Give, int]:
    """Keep only combinations of several cards if another player could end the deal with a single card."""
    if fewest > 1:
        return {}
    return {move: height for move, height in heights.items() if isinstance(move, Play) and len(move.cards) > 1}


def _height(known: Knowledge, move: Play | Give) -> int:
    """Return the strength of a combination, or of the highest card of a gift; the joker is the highest."""
    if isinstance(move, Give):
        return max(CARDS[code] // BITS for code in move.cards)
    combo = BY_MOVE[move]
    if combo.has_joker:
        return 2 * HIGHEST
    return HIGHEST - combo.rank if known.inverted else combo.rank


# --- reasons for moves


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move], skill: Skill) -> Reason | None:
    """Return the reason for a move. A beginner considers only their own cards."""
    known = knowledge_of(situation.view)
    if isinstance(move, Give):
        return NEEDED_LEAST.because(cards=list(move.cards)) if decoded(move.cards) == gift_of(known) else None
    if skill == "beginner":
        return None if isinstance(move, Pass) else _seen_at_once(known, move, moves)
    if _wins_ending(known, move):
        return WAITS_TO_WIN.because() if isinstance(move, Pass) else WINS_ENDING.because(cards=list(move.cards))
    if isinstance(move, Pass):
        return _why_pass(known, [BY_MOVE[other] for other in moves if isinstance(other, Play)])
    return _why_play(known, BY_MOVE[move])


def _seen_at_once(known: Knowledge, move: Play, moves: Sequence[Move]) -> Reason | None:
    if BY_MOVE[move].cards == known.hand:
        return GOES_OUT.because(cards=list(move.cards))
    heights = [_height(known, other) for other in moves if isinstance(other, Play)]
    low = _height(known, move) <= min(heights) + LOW < max(heights)
    return PLAYS_LOW.because(cards=list(move.cards)) if low else None


def _wins_ending(known: Knowledge, move: Play | Pass) -> bool:
    """Return whether the move wins a solved ending, other than by simply playing the whole hand."""
    combo = combo_of_move(move)
    if sum(known.counts) > SHORT_ENDING or (combo is not None and combo.cards == known.hand):
        return False
    ending = ending_of(known)
    return ending is not None and bool(winning(ending, [combo]))


def _why_play(known: Knowledge, combo: Combo) -> Reason | None:
    rest, cards = known.hand ^ combo.cards, list(combo.move.cards)
    if not rest:
        return GOES_OUT.because(cards=cards)
    inverted = known.inverted ^ (combo.is_four and known.rules.revolution)
    groups = plan(rest, inverted)
    if len(groups) == 1 and not forbidden(known.rules, rest, groups[0], leading=True):
        return ALMOST_OUT.because(cards=cards, rest=list(groups[0].move.cards))
    if not beatable(combo, known.unseen, inverted=inverted, eight=known.rules.eight):
        return NOTHING_BEATS.because(cards=cards)
    if combo.is_four and known.rules.revolution and USUAL[inverted].cost(rest) < USUAL[not inverted].cost(rest):
        return TURNS_ORDER.because(cards=cards)
    because = _why_lead(known, combo) if known.top is None else _why_answer(known, combo)
    before = len(plan(known.hand, known.inverted))
    if because is None and len(groups) < before:
        return LEAVES.because(cards=cards, count=len(groups), before=before)
    return because


def _why_lead(known: Knowledge, combo: Combo) -> Reason | None:
    cards = list(combo.move.cards)
    if known.fewest <= FEW and combo.size > known.fewest:
        return LONGER_THAN_HANDS.because(count=known.fewest, cards=cards)
    lower = (ABOVE if known.inverted else BELOW)[combo.rank] if combo.rank != WILD else known.hand
    if combo is plan(known.hand, known.inverted)[0] and not known.hand & lower & ~combo.cards:
        return WEAKEST_FIRST.because(cards=cards)
    return None


def _why_answer(known: Knowledge, combo: Combo) -> Reason | None:
    cards = list(combo.move.cards)
    if known.owner <= FEW:
        return STOPS.because(count=known.owner, cards=cards)
    groups = plan(known.hand, known.inverted)
    if combo in groups:
        fitting = [group for group in groups if known.top and beats(group, known.top, inverted=known.inverted)]
        return CHEAPEST_ANSWER.because(cards=cards) if combo is fitting[0] else None
    if combo.form == 1 and combo.rank != WILD and (held := known.hand & RANK_CARDS[combo.rank]) != combo.cards:
        beating = (known.unseen & (BELOW if known.inverted else ABOVE)[combo.rank]).bit_count()
        if beating * FEW_BEAT <= known.unseen.bit_count():
            return SPLITS_SET.because(card=cards[0], cards=list(codes(held)), count=beating)
    return None


def _why_pass(known: Knowledge, answers: Sequence[Combo]) -> Reason | None:
    groups = plan(known.hand, known.inverted)
    whole = [combo for combo in answers if combo in groups]
    strong = [combo for combo in whole if combo.rank == WILD or is_strong(combo, inverted=known.inverted)]
    if whole and len(strong) == len(whole) == len(answers):
        return KEEPS_STRONG.because(cards=list(whole[0].move.cards)) if known.owner > FEW else None
    if answers and not whole:
        broken = [group for group in groups if group.cards & answers[0].cards and group.size > 1]
        return KEEPS_WHOLE.because(cards=list(broken[0].move.cards)) if broken else None
    return SAVES_STRENGTH.because() if len(strong) == len(whole) and known.owner > FEW else None
