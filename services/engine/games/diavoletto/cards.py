"""The cards of Diavoletto, numbered rank by rank: a hand in ascending order is sorted by rank, its jokers last."""

from collections.abc import Iterable
from functools import lru_cache

from shared.cards import RANKS, SUITS

CODES: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "*")
CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}
JOKER = CARDS["*"]

PACK = bytes(range(JOKER))
"""A French pack of 52, from the Aces to the Kings."""

ACE, KING, WILD = 0, 12, 13
"""Ranks; a joker has one of its own."""

SINGLE: tuple[bytes, ...] = tuple(bytes((card,)) for card in range(len(CODES)))
"""Each card as a pile of one."""


def rank(card: int) -> int:
    """Return the rank of a card: 0 for an Ace to 12 for a King, 13 for a joker."""
    return card >> 2


@lru_cache(maxsize=2**13)
def codes(pile: bytes) -> tuple[str, ...]:
    """Return the codes of a pile's cards, in the order given: most piles lie as they lay a move ago."""
    return tuple([CODES[card] for card in pile])


def cards(codes: Iterable[str]) -> bytes:
    """Return the pile of these codes, in the order given."""
    return bytes([CARDS[code] for code in codes])
