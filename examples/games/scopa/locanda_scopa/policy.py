"""A player by rules of thumb, which plays deals to their end in searches (`locanda.games.players.Policy`)."""

from collections.abc import Sequence

from locanda.cards import CARDS, members
from locanda_scopa.rules import COINS, PRIMIERA, SEVEN, VALUES, cards
from locanda_scopa.types import DealState, Move

SWEEP, SETTEBELLO, COIN, CARD = 1.0, 1.0, 0.18, 0.1
"""Their values in points of the deal."""
PRIME = 0.02
"""The value of each primiera point of a card above ten."""
SWEPT = 0.4
"""The cost of leaving a table that one card can take."""
HIGHEST = 10
"""The value of a king."""


def policy(deal: DealState, _seat: int, moves: Sequence[Move]) -> Move:
    """Return the move that takes most and leaves the next player least."""
    return max(moves, key=lambda move: _worth(deal, move))


def _worth(deal: DealState, move: Move) -> float:
    played, taken = 1 << CARDS[move.card], cards(move.takes)
    left = deal.table & ~taken if taken else deal.table | played
    total = sum(VALUES[card] for card in members(left))
    risk = SWEPT if left and total <= HIGHEST else 0.0
    if not taken:
        return -_value(played) - risk
    return _value(played | taken) + SWEEP * (not left) - risk


def _value(held: int) -> float:
    prime = sum(PRIMIERA[VALUES[card]] - HIGHEST for card in members(held))
    return SETTEBELLO * bool(held & SEVEN) + COIN * (held & COINS).bit_count() + CARD * held.bit_count() + PRIME * prime
