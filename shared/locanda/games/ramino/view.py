"""What a view of a deal shows besides its fields, and what a posted deal must be (rulings B20, R9)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import structs

from locanda.games.conversions import Held, Shown
from locanda.games.game import MalformedDealError
from locanda.games.ramino.deal import codes
from locanda.games.ramino.moves import ON_TABLE, is_combination
from locanda.games.ramino.types import DealState, View, size

SHOWN: Shown = {"hands": lambda deal, _: tuple(map(codes, deal.hands)) if deal.turn is None else None}
"""Once the deal is over, every hand."""


def known_cards(view: View) -> Held:
    """Return by seat the cards of the hands that the view shows."""
    if view.hands is not None:
        return view.hands
    return [
        view.hand if seat == view.seat and view.hand is not None else known for seat, known in enumerate(view.known)
    ]


# --- posted deals


def checked(deal: DealState, posted: Any) -> DealState:  # noqa: ANN401  (a deal on the wire)
    """Return a posted deal in which the seat on turn has drawn, where no `phase` says it, if it has moved since.

    Raises `MalformedDealError` where it contradicts itself.
    """
    _check_melds(deal.melds)
    _check_known(posted)
    if posted.phase is None:
        moved = deal.taken is not None or deal.acted
        deal = structs.replace(deal, drawn=moved or not (deal.stock or deal.discards))
    _check_turn(deal)
    return deal


def _check_melds(melds: Sequence[int]) -> None:
    for number, meld in enumerate(melds):
        if size(meld) != ON_TABLE or not is_combination(meld):
            raise MalformedDealError(f"melds[{number}]: not a combination of three cards")


def _check_known(posted: Any) -> None:  # noqa: ANN401  (a deal on the wire)
    for seat, known in enumerate(posted.known or ()):
        if Counter(known) - Counter(posted.hands[seat]):
            raise MalformedDealError(f"known[{seat}]: not in the hand")


def _check_turn(deal: DealState) -> None:
    """Refuse a turn without any possible move, or one that contradicts itself."""
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
