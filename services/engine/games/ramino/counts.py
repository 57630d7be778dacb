"""Cards without order as one number: two bits for each design of the Cuccù deck say how many of it there are.

A set of designs is a number of the same kind in which each count is one; so a combination is taken from a hand by
subtraction.
"""

from collections.abc import Iterable

from shared.cards import spelling
from shared.cuccu import CARDS, CODES, DESIGNS

EACH = sum(1 << 2 * card for card in range(len(DESIGNS)))
"""One of each design."""
SIZE = len(DESIGNS) // 4
"""Bytes of a number."""


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


def unpacked(counts: int) -> tuple[int, ...]:
    """Return the cards in ascending order, equal ones one after the other."""
    return tuple([CARDS[code] for code in codes(counts)])


def _spell(counts: int) -> list[str]:
    return [code for card, code in enumerate(CODES) for _ in range(counts >> 2 * card & 3)]


codes = spelling(SIZE, _spell)
"""Returns the cards' codes in ascending order."""


def without(counts: int, cards: int) -> int:
    """Take a set of designs away from the counts, where they are there."""
    return counts - (designs(counts) & cards)
