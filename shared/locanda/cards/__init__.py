"""Decks and cards.

In code a card is a small integer; outside it is a string such as ``7h``, its *code*. The conversion is lossless. A
French code is a rank ``A 2 3 4 5 6 7 8 9 T J Q K`` and a suit: ``h`` cuori (hearts), ``d`` quadri (diamonds), ``c``
fiori (clubs), ``s`` picche (spades).
"""

from collections.abc import Callable, Iterable
from itertools import chain
from operator import getitem
from typing import TypeVar

T = TypeVar("T")

RANKS = "A23456789TJQK"
SUITS = "hdcs"

CODES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Codes of the French cards by suit (hearts, diamonds, clubs, spades), Ace low: a card is an index into it."""

CODES_BY_RANK: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "*")
"""Codes of the French cards by rank, then the joker: for games in which ranks matter more than suits."""

CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}
"""French card by code: ``suit * 13 + rank``, both counted from 0."""

ITALIAN_RANKS = "A234567JQK"
"""Ranks of the 40-card pack, without eights, nines and tens."""


def rank(card: int) -> int:
    """Return the rank of a French card: 0 for an Ace to 12 for a King."""
    return card % 13


def suit(card: int) -> int:
    """Return the suit of a French card: 0 hearts, 1 diamonds, 2 clubs, 3 spades."""
    return card // 13


def pack(ranks: str = RANKS, suits: str = SUITS) -> tuple[int, ...]:
    """Return the cards of a French pack with these ranks and suits, in ascending order."""
    return tuple(CARDS[r + s] for s in SUITS if s in suits for r in RANKS if r in ranks)


def mask(cards: Iterable[int]) -> int:
    """Return a set of cards as a bit set: bit *n* stands for card *n*."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def members(bits: int) -> list[int]:
    """Return the cards of a bit set in ascending order. Return an empty list for a negative number."""
    cards = []
    while bits > 0:  # starting at the highest bit takes a third less time
        highest = bits.bit_length() - 1
        cards.append(highest)
        bits ^= 1 << highest
    cards.reverse()
    return cards


def spelling(size: int, spell: Callable[[int], Iterable[T]]) -> Callable[[int], tuple[T, ...]]:
    """Return a faster version of `spell` for integers of `size` bytes, with a lookup table of its results by byte.

    This works only if `spell` of an integer is the concatenation of the results for its bytes.
    """
    parts = [[tuple(spell(value << 8 * place)) for value in range(256)] for place in range(size)]

    def spelt(number: int) -> tuple[T, ...]:
        return tuple(chain.from_iterable(map(getitem, parts, number.to_bytes(size, "little"))))

    return spelt


def codes(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the codes of French cards, in the same order."""
    return tuple([CODES[card] for card in cards])
