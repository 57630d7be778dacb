"""Why the seat on turn may not make a move."""

from locanda.games.highest_card import Move
from services.engine.games.highest_card.state import DealState

from locanda.cards import CARDS
from locanda.games.base import Refusal
from locanda.refusals import NOT_IN_HAND


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return None if deal.hands[deal.turn] >> CARDS[move.card] & 1 else NOT_IN_HAND.refuse({"card": move.card})
