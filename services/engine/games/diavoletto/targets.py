"""Where a card may go, by its rank: the builds that take it, the columns to which it may be discarded. As bit sets."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from services.engine.games.diavoletto.cards import ACE, WILD
from services.engine.games.diavoletto.state import COLUMNS, MOST_BUILDS, Columns

NEW = MOST_BUILDS
"""The build that an Ace opens, as a bit."""

RANKS = range(ACE, WILD + 1)

ANY = (1 << COLUMNS) - 1
"""All columns."""

Targets: TypeAlias = tuple[int, ...]
"""For each rank a bit set."""


def goals(builds: Sequence[bytes], max_piles: int | None) -> Targets:
    """Return the builds that take a card; of those that need the same rank only the first."""
    return _goals(tuple(map(len, builds)), max_piles)


@lru_cache(maxsize=8192)
def _goals(needs: tuple[int, ...], max_piles: int | None) -> Targets:
    """A build of *n* cards needs the rank *n*, the Ace being 0; a joker goes to any, but opens none."""
    new = 1 << NEW if len(needs) < (max_piles or MOST_BUILDS) else 0
    naturals = [1 << needs.index(rank) if rank in needs else 0 for rank in range(ACE + 1, WILD)]
    return (new, *naturals, sum(naturals))


def room(columns: Columns, *, descending: bool) -> Targets:
    """Return the columns to which a card may be discarded; of the empty ones only the first."""
    return _descending(columns) if descending else _free(tuple(map(bool, columns)))


@lru_cache(maxsize=1 << COLUMNS)
def _free(used: tuple[bool, ...]) -> Targets:
    occupied = sum(1 << number for number in range(COLUMNS) if used[number])
    return (occupied | _first_empty(used),) * len(RANKS)


def _descending(columns: Columns) -> Targets:
    """On the same rank or the next higher one, else an empty column; anywhere when there is neither (ruling D6)."""
    fitting = [_LIES_ON[number][column[-1] >> 2] for number, column in enumerate(columns) if column]
    empty = _first_empty(columns)
    if not fitting:
        return (empty,) * len(RANKS)
    return tuple([sum(bits) | empty or ANY for bits in zip(*fitting, strict=True)])


def _first_empty(columns: Sequence[object]) -> int:
    return next((1 << number for number, column in enumerate(columns) if not column), 0)


def _lies_on(card: int, top: int) -> bool:
    """A joker has no place in the order, so it lies on anything and anything lies on it."""
    return card in (top, top - 1) or WILD in (card, top)


_LIES_ON = [[[_lies_on(card, top) << number for card in RANKS] for top in RANKS] for number in range(COLUMNS)]
"""By column, top and card: the column's bit, or none."""
