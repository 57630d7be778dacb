"""Checks by the rules and random deals that computer players' reasons for moves in Gatto Rosso are true."""

from locanda.cards import CARDS, CODES
from locanda.games.base import Pass
from locanda.games.choosing import PLAYERS
from locanda.games.gatto_rosso.rules import beaters, cards_in_play
from locanda.games.gatto_rosso.types import Played
from tests.games.reason_claims import Claims, Explained, drawn

NAME = "gatto_rosso"


def _unseen(case: Explained) -> set[str]:
    """Return the cards that the seat has not seen."""
    played = {event.card for event in case.history if isinstance(event, Played)}
    return _pack(case) - played - set(case.view.hand)


def _pack(case: Explained) -> set[str]:
    return {CODES[card] for card in cards_in_play(case.view.options)}


def _beats(case: Explained, card: str, top: str) -> bool:
    return bool(beaters(case.view.options)[CARDS[top]] >> CARDS[card] & 1)


def _kept(case: Explained, card: str | None) -> int:
    """Return the number of unseen cards that the hand can beat without this card."""
    left = [other for other in case.view.hand if other != card]
    return sum(any(_beats(case, other, top) for other in left) for top in _unseen(case))


def _against(case: Explained, card: str) -> int:
    return sum(_beats(case, unseen, card) for unseen in _unseen(case))


def _cards(case: Explained) -> list[str]:
    return [move.card for move in case.moves if not isinstance(move, Pass)]


def _beaten(case: Explained, card: str) -> int:
    return sum(_beats(case, card, top) for top in _pack(case))


def _nobody(case: Explained) -> bool:
    """Return whether no other hand has an answer in a sample of random deals."""
    for deal in drawn(case, PLAYERS[NAME], 5):
        for seat, hand in enumerate(deal.hands):
            held = [code for code in CODES if seat != case.view.seat and hand >> CARDS[code] & 1]
            if any(_beats(case, unseen, case.move.card) for unseen in held):
                return False
    return bool(case.facts["count"] == len(case.view.table) + 1)


def _next_beats(case: Explained) -> bool:
    """Return whether the next player beats this lead in about as many random deals as they beat any other lead."""
    view, won = case.view, dict.fromkeys(_cards(case), 0)
    order = [(view.seat + step) % len(view.counts) for step in range(1, len(view.counts))]
    following = next(seat for seat in order if view.counts[seat] and seat not in view.sitting_out)
    for deal in drawn(case, PLAYERS[NAME], 60):
        held = [code for code in CODES if deal.hands[following] >> CARDS[code] & 1]
        for card in won:
            won[card] += any(_beats(case, unseen, card) for unseen in held)
    return won[case.move.card] >= max(won.values()) - 20


CLAIMS: Claims = {
    "beats_fewest": lambda case: _beaten(case, case.move.card) == min(_beaten(case, card) for card in _cards(case)),
    "closes": lambda case: case.view.hand == (case.move.card,) and not case.view.stock_count,
    "few_beat_it": lambda case: (
        case.facts["count"] == _against(case, case.move.card) == min(_against(case, card) for card in _cards(case))
    ),
    "keeps_all": lambda case: _kept(case, case.move.card) == len(_unseen(case)),
    "keeps_as_much": lambda case: (
        len({_kept(case, card) for card in _cards(case)}) == 1
        and _against(case, case.move.card) == max(_against(case, card) for card in _cards(case))
    ),
    "keeps_more": lambda case: (
        case.facts["count"] == _kept(case, case.move.card) == max(_kept(case, card) for card in _cards(case))
        and case.facts["fewer"] == _kept(case, case.facts["other"]) < case.facts["count"]
    ),
    "next_beats_it": _next_beats,
    "nobody_beats_it": _nobody,
    "saves_answers": lambda case: isinstance(case.move, Pass) and case.facts["count"] == _kept(case, None),
}
