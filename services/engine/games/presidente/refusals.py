"""Why the seat on turn may not make a move, and what would complete one that is half made."""

from collections.abc import Sequence

from services.engine.games.presidente.cards import CARDS, CODES, codes, decoded
from services.engine.games.presidente.combinations import READINGS, Combination, beats, unbeatable
from services.engine.games.presidente.legal import forbidden, moves
from services.engine.games.presidente.state import Deal
from shared.games.base import Pass, Refusal
from shared.games.presidente import Give, Move, Play


def check(deal: Deal, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    if isinstance(move, Give) != bool(deal.dues):
        return Refusal("wrong_phase", {"phase": "tax" if deal.dues else "play"})
    if isinstance(move, Pass):
        return Refusal("must_lead") if deal.table is None else None
    hand = deal.hands[deal.turn]
    return _check_held(hand, move.cards) or (
        _check_gift(deal, hand, move) if isinstance(move, Give) else _check_play(deal, hand, move)
    )


def _check_held(hand: int, cards: Sequence[str]) -> Refusal | None:
    """Refuse a card that the hand does not hold, or that is named twice."""
    for card in cards:
        if not hand >> CARDS[card] & 1:
            return Refusal("not_in_hand", {"card": card})
        hand ^= 1 << CARDS[card]
    return None


def _check_gift(deal: Deal, hand: int, move: Give) -> Refusal | None:
    count = deal.dues[0][2]
    if len(move.cards) < count:
        return Refusal("incomplete", {"cards": codes(hand & ~decoded(move.cards)), "count": count})
    return Refusal("tax_count", {"count": count}) if len(move.cards) > count else None


def _check_play(deal: Deal, hand: int, move: Play) -> Refusal | None:
    if deal.table is not None and unbeatable(deal.table, deal.options):
        return Refusal("unbeatable", {"top": deal.table.codes})
    readings = READINGS.get(decoded(move.cards), ())
    if move.joker is not None:
        readings = tuple(reading for reading in readings if reading.joker == CARDS[move.joker])
    if not readings:
        return _unfinished(deal, move) or Refusal("not_a_combination", {"cards": codes(decoded(move.cards))})
    faults = [_fault(deal, hand, reading) for reading in readings]
    if None not in faults:
        return _unfinished(deal, move) or faults[-1]
    return _check_named(move, [reading for reading, fault in zip(readings, faults, strict=True) if fault is None])


def _check_named(move: Play, readings: Sequence[Combination]) -> Refusal | None:
    """Ask which card the joker stands for, where a straight does not say; name those with which it may be played."""
    places = tuple([CODES[reading.joker] for reading in readings if reading.joker is not None])
    return Refusal("joker_as", {"cards": places}) if places and move.joker is None else None


def _fault(deal: Deal, hand: int, played: Combination) -> Refusal | None:
    """Return what is wrong with playing a combination, or nothing."""
    top = deal.table
    if top is not None and not beats(played, top, inverted=deal.inverted):
        return _not_beating(played, top, inverted=deal.inverted)
    if forbidden(deal, hand, played):
        return Refusal("finish_ban", {"cards": played.codes})
    return None


def _not_beating(played: Combination, top: Combination, *, inverted: bool) -> Refusal:
    if played.kind != top.kind:
        return Refusal("wrong_kind", {"kind": played.kind, "needed": top.kind, "top": top.codes})
    if played.size != top.size:
        return Refusal("wrong_length", {"length": played.size, "needed": top.size, "top": top.codes})
    return Refusal("must_beat", {"cards": played.codes, "top": top.codes, "inverted": inverted})


def _unfinished(deal: Deal, move: Play) -> Refusal | None:
    """Refuse a part of something that may be played, and name the cards that would complete it."""
    selected = decoded(move.cards)
    plays = [play for play in moves(deal) if isinstance(play, Play) and move.joker in (None, play.joker)]
    wholes = [play for play in plays if not selected & ~decoded(play.cards)]
    if not wholes:
        return None
    missing = decoded(code for play in wholes for code in play.cards) & ~selected
    return Refusal("incomplete", {"cards": codes(missing), "combinations": tuple(play.cards for play in wholes)})
