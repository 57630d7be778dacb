"""Ramino's cards and combinations, the start of a deal, views, and checks of submitted deals.

*Packed counts* are an integer with two bits for each design of the Cuccù deck, which hold the number of cards with this
design. Hands are packed counts. A set of designs is packed counts with no count above one; subtracting a set from a
hand removes its cards. Combinations are sets of designs: runs of numerals, or three or four different figures. The
stock and the discards are byte strings of designs, bottom card first.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations as choose
from typing import Any

from msgspec import structs

from locanda.cards.cuccu import CARDS, DESIGNS
from locanda.games.conversions import Held, Shown
from locanda.games.described import described
from locanda.games.game import MalformedDealError
from locanda.games.ramino.types import COUNTS, EACH, DealState, View, packed, size

# --- packed counts

codes = COUNTS.to_wire
"""Returns the codes of the cards in packed counts, in ascending order."""


def designs(counts: int) -> int:
    """Return the set of the designs that have at least one card."""
    return (counts | counts >> 1) & EACH


def unpacked(counts: int) -> tuple[int, ...]:
    """Convert packed counts to cards in ascending order."""
    return tuple([CARDS[code] for code in codes(counts)])


def without(counts: int, cards: int) -> int:
    """Remove one card of each of these designs; ignore designs without a card."""
    return counts - (designs(counts) & cards)


# --- combinations

ON_TABLE = 3
"""Number of cards of a combination that stays on the table."""
LONGEST_OF_FIGURES = 4

_figures = [card for card, design in enumerate(DESIGNS) if design.figure]
_numbered = [card for card, design in enumerate(DESIGNS) if design.value]

FIGURES, NUMBERED = packed(_figures), packed(_numbered)

SETS = tuple(packed(cards) for length in (ON_TABLE, LONGEST_OF_FIGURES) for cards in choose(_figures, length))
"""All sets of three different figures, then of four."""

RUNS = tuple(
    run
    for low in _numbered
    for high in range(low + ON_TABLE, len(DESIGNS) + 1)
    if (run := packed(range(low, high))) not in SETS
)
"""All runs of three or more numerals, except those that are also sets of figures."""

COMBINATIONS = frozenset(SETS + RUNS)


def is_combination(cards: int) -> bool:
    """Return whether a set of designs is a combination of any length."""
    return cards in COMBINATIONS


# --- the start of a deal

HAND = 5
PLAYERS = range(2, 5)

cards_in_play, deal = described(__file__, DealState)


# --- views

SHOWN: Shown = {"hands": lambda deal, _: tuple(map(codes, deal.hands)) if deal.turn is None else None}
"""Computes the view's field `hands`: all hands once the deal is over, otherwise None."""


def known_cards(view: View) -> Held:
    """Return the known cards of each hand."""
    if view.hands is not None:
        return view.hands
    return [
        view.hand if seat == view.seat and view.hand is not None else known for seat, known in enumerate(view.known)
    ]


# --- submitted deals (rulings B20, R9)


def checked(deal: DealState, wire_deal: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a submitted deal. If `phase` is missing, compute whether the seat on turn has drawn.

    Raises `MalformedDealError` if the deal contradicts itself.
    """
    _check_melds(deal.melds)
    _check_known(wire_deal)
    if wire_deal.phase is None:
        moved = deal.taken is not None or deal.acted
        deal = structs.replace(deal, drawn=moved or not (deal.stock or deal.discards))
    _check_turn(deal)
    return deal


def _check_melds(melds: Sequence[int]) -> None:
    for number, meld in enumerate(melds):
        if size(meld) != ON_TABLE or not is_combination(meld):
            raise MalformedDealError(f"melds[{number}]: not a combination of three cards")


def _check_known(wire_deal: Any) -> None:  # noqa: ANN401  (a deal on the wire)
    for seat, known in enumerate(wire_deal.known or ()):
        if Counter(known) - Counter(wire_deal.hands[seat]):
            raise MalformedDealError(f"known[{seat}]: not in the hand")


def _check_turn(deal: DealState) -> None:
    """Refuse a deal in which the seat on turn has no legal move, or in which the turn contradicts itself."""
    if deal.turn is None:
        if deal.closer is not None and deal.hands[deal.closer]:
            raise MalformedDealError("closer: who closed holds no card")
        return
    if deal.closer is not None:
        raise MalformedDealError("closer: nobody has closed while somebody is on turn")
    if deal.drawn and not deal.hands[deal.turn]:
        raise MalformedDealError("hands: who is on turn and has drawn holds a card")
    if not deal.drawn and not (deal.stock or deal.discards):
        raise MalformedDealError("stock: there is nothing to draw, nor to take from the discards")
    if not deal.drawn and (deal.taken is not None or deal.acted):
        raise MalformedDealError("phase: a card was taken, laid or attached, so the draw is over")
