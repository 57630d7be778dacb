"""Cards without order as one number: two bits for each design of the Cuccù deck say how many of it there are.

A set of designs is a number of the same kind in which each count is one; so a combination is taken from a hand by
subtraction.
"""

from collections.abc import Iterable
from functools import lru_cache

from shared.cuccu import CODES, DESIGNS

EACH = sum(1 << 2 * card for card in range(len(DESIGNS)))
"""One of each design."""


def packed(cards: Iterable[int]) -> int:
    """Return how many of each design these cards are."""
    counts = 0
    for card in cards:
        counts += 1 << 2 * card
    return counts


def designs(counts: int) -> int:
    """Return the set of the designs of which there is at least one."""
    return (counts | counts >> 1) & EACH


def size(counts: int) -> int:
    """Return the number of cards."""
    return (counts & EACH).bit_count() + 2 * (counts >> 1 & EACH).bit_count()


@lru_cache(maxsize=2**16)
def unpacked(counts: int) -> tuple[int, ...]:
    """Return the cards in ascending order, equal ones one after the other."""
    return tuple(card for card in range(len(DESIGNS)) for _ in range(counts >> 2 * card & 3))


@lru_cache(maxsize=2**16)
def codes(counts: int) -> tuple[str, ...]:
    """Return the cards' codes in ascending order."""
    return tuple(CODES[card] for card in unpacked(counts))


def without(counts: int, cards: int) -> int:
    """Take a set of designs away from the counts, where they are there."""
    return counts - (designs(counts) & cards)
