"""A player by rules of thumb, which plays deals to their end in searches (`locanda.games.players.Policy`)."""

from collections.abc import Sequence

from locanda.cards import CARDS, members, rank, suit
from locanda_tressette.rules import STRENGTH, THIRDS
from locanda_tressette.types import DealState, Move

STRONG = STRENGTH[rank(CARDS["Ah"])]
"""Aces, twos and threes take most tricks of their suit."""


def policy(deal: DealState, seat: int, moves: Sequence[Move]) -> Move:
    """Return a move: take points as cheaply as possible, lead from a long suit, otherwise throw the least."""
    if not deal.table:
        return max(moves, key=lambda move: _lead(deal.hands[seat], CARDS[move.card]))
    led = suit(deal.table[0])
    following = [STRENGTH[rank(card)] if suit(card) == led else -1 for card in deal.table]
    best = max(following)
    players = len(deal.hands)
    partner = players == 4 and len(deal.table) >= 2 and following.index(best) == len(deal.table) - 2
    last = len(deal.table) == players - 1
    taking = [move for move in moves if suit(CARDS[move.card]) == led and _strength(move) > best]
    if partner and (last or best >= STRONG):
        return max(moves, key=lambda move: (_thirds(move), -_strength(move)))
    if taking and last:
        lying = sum(THIRDS.get(rank(card), 0) for card in deal.table)
        aces = [move for move in taking if _thirds(move) == 3]
        if aces:
            return aces[0]
        if lying:
            return min(taking, key=_strength)
    if taking and not last and _strength(strongest := max(taking, key=_strength)) > STRONG:
        return strongest
    return min(moves, key=lambda move: (_thirds(move), _strength(move)))


def _lead(hand: int, card: int) -> tuple[bool, int, int]:
    """Return how good it is to lead a card: a three, or a low one of a long suit."""
    same = [other for other in members(hand) if suit(other) == suit(card)]
    top = max(STRENGTH[rank(other)] for other in same)
    sure = STRENGTH[rank(card)] == STRENGTH[rank(CARDS["3h"])]
    return sure, len(same) + (top > STRONG) - 3 * THIRDS.get(rank(card), 0), -STRENGTH[rank(card)]


def _strength(move: Move) -> int:
    return STRENGTH[rank(CARDS[move.card])]


def _thirds(move: Move) -> int:
    return THIRDS.get(rank(CARDS[move.card]), 0)
