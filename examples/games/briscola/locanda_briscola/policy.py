"""A player by rules of thumb, which plays deals to their end in searches (`locanda.games.players.Policy`)."""

from collections.abc import Sequence

from locanda.cards import CARDS, mask, rank, suit
from locanda_briscola.rules import POINTS, STRENGTH, card_points
from locanda_briscola.types import DealState, Move

WORTH_A_TRUMP = 10
"""Points of a trick that are worth a trump. A trump without points is played for half as many."""


def policy(deal: DealState, seat: int, moves: Sequence[Move]) -> Move:
    """Return a move: take points with the cheapest card, trump only for many points, otherwise throw the least."""
    if not deal.table:
        return min(moves, key=lambda move: _price(deal, move))
    best, at = max((_strength(deal, card), place) for place, card in enumerate(deal.table))
    players = len(deal.hands)
    leader = (seat - len(deal.table)) % players
    if players == 4 and (leader + at) % 2 == seat % 2 and len(deal.table) == players - 1:
        return max(moves, key=lambda move: (suit(CARDS[move.card]) != suit(deal.trump), _points(move)))
    taking = [move for move in moves if _strength(deal, CARDS[move.card]) > best]
    lying = card_points(mask(deal.table))
    plain = [move for move in taking if suit(CARDS[move.card]) != suit(deal.trump)]
    if plain and len(deal.table) == players - 1:
        return max(plain, key=lambda move: (_points(move), -STRENGTH[rank(CARDS[move.card])]))
    if taking:
        cheapest = min(taking, key=lambda move: _price(deal, move))
        if lying >= (WORTH_A_TRUMP if _points(cheapest) else WORTH_A_TRUMP / 2):
            return cheapest
    return min(moves, key=lambda move: _price(deal, move))


def _strength(deal: DealState, card: int) -> tuple[bool, bool, int]:
    return suit(card) == suit(deal.trump), suit(card) == suit(deal.table[0]), STRENGTH[rank(card)]


def _points(move: Move) -> int:
    return POINTS.get(rank(CARDS[move.card]), 0)


def _price(deal: DealState, move: Move) -> tuple[float, int]:
    """Return the cost of losing a card: its points, and more for a trump."""
    card = CARDS[move.card]
    return _points(move) + 6 * (suit(card) == suit(deal.trump)), STRENGTH[rank(card)]
