"""The combinations: runs of numerals, and three or four different figures (rules 2.2, Combinations).

A combination is the set of its designs, as in `counts`: no design is ever in one twice.
"""

from functools import lru_cache
from itertools import combinations as choose

from services.engine.games.ramino.counts import EACH, designs, packed
from shared.cuccu import DESIGNS

ON_TABLE = 3
"""The cards of a combination that stays on the table."""
LONGEST_OF_FIGURES = 4

FIGURES = packed(card for card, design in enumerate(DESIGNS) if design.figure)
NUMBERED = packed(card for card, design in enumerate(DESIGNS) if design.value)

_figures = [card for card, design in enumerate(DESIGNS) if design.figure]
_numbered = [card for card, design in enumerate(DESIGNS) if design.value]

SETS = tuple(packed(cards) for length in (ON_TABLE, LONGEST_OF_FIGURES) for cards in choose(_figures, length))
"""Three different figures, then four."""

RUNS = tuple(
    run
    for low in _numbered
    for high in range(low + ON_TABLE, len(DESIGNS) + 1)
    if (run := packed(range(low, high))) not in SETS
)
"""Three or more numerals in sequence, but for those that are sets of figures as well."""

COMBINATIONS = frozenset(SETS + RUNS)


def is_combination(cards: int) -> bool:
    """Tell whether a set of designs is a combination, however long."""
    return cards in COMBINATIONS


def held(hand: int, *, long: bool) -> tuple[int, ...]:
    """Return the combinations in a hand: sets of figures, then runs; without `long`, of four cards at most."""
    has = designs(hand)
    numerals = has & NUMBERED
    # Most hands hold no three in a row, and there are too many hands to remember.
    runs = _runs(numerals, long) if numerals & numerals >> 2 & numerals >> 4 else ()
    return _sets(has & FIGURES) + runs


@lru_cache(maxsize=2**10)
def _sets(has: int) -> tuple[int, ...]:
    return tuple(cards for cards in SETS if cards & has == cards)


@lru_cache(maxsize=2**16)
def _runs(has: int, long: bool) -> tuple[int, ...]:  # noqa: FBT001  (a key of the cache)
    most = len(DESIGNS) if long else LONGEST_OF_FIGURES
    return tuple(cards for cards in RUNS if cards & has == cards and cards.bit_count() <= most)


@lru_cache(maxsize=2**10)
def takers(meld: int) -> int:
    """Return the set of designs that make four of a combination of three (ruling B6: only the result counts)."""
    return sum(card for card in _each(EACH & ~meld) if meld + card in COMBINATIONS)


def _each(cards: int) -> list[int]:
    return [card for number in range(len(DESIGNS)) if (card := 1 << 2 * number) & cards]
