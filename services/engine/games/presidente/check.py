"""Why the seat on turn may not make a move, and what would complete one that is half made."""

from collections.abc import Sequence

from locanda.games.base import Pass, Refusal
from locanda.games.presidente import FINISH_BAN, JOKER_AS, TAX_COUNT, UNBEATABLE, WRONG_KIND, Give, Move, Play
from locanda.refusals import INCOMPLETE, MUST_BEAT, MUST_LEAD, NOT_A_COMBINATION, NOT_IN_HAND, WRONG_LENGTH, WRONG_PHASE
from services.engine.games.presidente.moves import beats, forbidden, moves, unbeatable
from services.engine.games.presidente.state import CARDS, CODES, READINGS, DealState, RankedCombination, codes, decoded


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    if isinstance(move, Give) != bool(deal.dues):
        return WRONG_PHASE.refuse({"phase": "tax" if deal.dues else "play"})
    if isinstance(move, Pass):
        return MUST_LEAD.refuse() if deal.table is None else None
    hand = deal.hands[deal.turn]
    return _check_held(hand, move.cards) or (
        _check_gift(deal, hand, move) if isinstance(move, Give) else _check_play(deal, hand, move)
    )


def _check_held(hand: int, cards: Sequence[str]) -> Refusal | None:
    """Refuse a card that the hand does not hold, or that is named twice."""
    for card in cards:
        if not hand >> CARDS[card] & 1:
            return NOT_IN_HAND.refuse({"card": card})
        hand ^= 1 << CARDS[card]
    return None


def _check_gift(deal: DealState, hand: int, move: Give) -> Refusal | None:
    count = deal.dues[0][2]
    if len(move.cards) < count:
        return INCOMPLETE.refuse({"cards": codes(hand & ~decoded(move.cards)), "count": count})
    return TAX_COUNT.refuse({"count": count}) if len(move.cards) > count else None


def _check_play(deal: DealState, hand: int, move: Play) -> Refusal | None:
    if deal.table is not None and unbeatable(deal.table, deal.options):
        return UNBEATABLE.refuse({"top": deal.table.codes})
    readings = READINGS.get(decoded(move.cards), ())
    if move.joker is not None:
        readings = tuple(reading for reading in readings if reading.joker == CARDS[move.joker])
    if not readings:
        return _unfinished(deal, move) or NOT_A_COMBINATION.refuse({"cards": codes(decoded(move.cards))})
    refusals = [_refuse_reading(deal, hand, reading) for reading in readings]
    if None not in refusals:
        return _unfinished(deal, move) or refusals[-1]
    return _check_named(move, [reading for reading, refusal in zip(readings, refusals, strict=True) if refusal is None])


def _check_named(move: Play, readings: Sequence[RankedCombination]) -> Refusal | None:
    """Ask which card the joker stands for, where a straight leaves it open; name those with which it may be played."""
    places = tuple([CODES[reading.joker] for reading in readings if reading.joker is not None])
    return JOKER_AS.refuse({"cards": places}) if places and move.joker is None else None


def _refuse_reading(deal: DealState, hand: int, played: RankedCombination) -> Refusal | None:
    """Return why a combination may not be played, or nothing."""
    top = deal.table
    if top is not None and not beats(played, top, inverted=deal.inverted):
        return _not_beating(played, top, inverted=deal.inverted)
    if forbidden(deal, hand, played):
        return FINISH_BAN.refuse({"cards": played.codes})
    return None


def _not_beating(played: RankedCombination, top: RankedCombination, *, inverted: bool) -> Refusal:
    if played.kind != top.kind:
        return WRONG_KIND.refuse({"kind": played.kind, "needed": top.kind, "top": top.codes})
    if played.size != top.size:
        return WRONG_LENGTH.refuse({"length": played.size, "needed": top.size, "top": top.codes})
    return MUST_BEAT.refuse({"cards": played.codes, "top": top.codes, "inverted": inverted})


def _unfinished(deal: DealState, move: Play) -> Refusal | None:
    """Refuse a part of something that may be played, and name the cards that would complete it."""
    selected = decoded(move.cards)
    plays = [play for play in moves(deal) if isinstance(play, Play) and move.joker in (None, play.joker)]
    wholes = [play for play in plays if not selected & ~decoded(play.cards)]
    if not wholes:
        return None
    missing = decoded(code for play in wholes for code in play.cards) & ~selected
    return INCOMPLETE.refuse({"cards": codes(missing), "combinations": tuple(play.cards for play in wholes)})
