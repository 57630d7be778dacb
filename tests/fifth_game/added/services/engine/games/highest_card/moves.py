"""The legal moves: any card in hand."""

from locanda.games.highest_card import Move, Play
from services.engine.games.highest_card.state import DealState

from locanda.cards import CODES, members


def moves(deal: DealState) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank."""
    return [] if deal.turn is None else [Play(CODES[card]) for card in members(deal.hands[deal.turn])]
