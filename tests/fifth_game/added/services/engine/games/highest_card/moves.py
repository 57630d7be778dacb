"""The legal moves: any card in hand."""

from locanda.games.highest_card import Move, Play
from services.engine.games.highest_card.state import DealState

from locanda.cards import CARDS, CODES, members
from locanda.explanations import NOT_IN_HAND
from locanda.games.base import Refusal


def moves(deal: DealState) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank."""
    return [] if deal.turn is None else [Play(CODES[card]) for card in members(deal.hands[deal.turn])]


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return None if deal.hands[deal.turn] >> CARDS[move.card] & 1 else NOT_IN_HAND.refuse({"card": move.card})
