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


@lru_cache(maxsize=8192)
def goals(needs: tuple[int, ...], max_piles: int | None) -> Targets:
    """Return the builds that take a card, of those that need the same rank only the first.

    A build of *n* cards needs the rank *n*, the Ace being 0; a joker goes to any, but opens none.
    """
    new = 1 << NEW if len(needs) < (max_piles or MOST_BUILDS) else 0
    naturals = [1 << needs.index(rank) if rank in needs else 0 for rank in range(ACE + 1, WILD)]
    return (new, *naturals, sum(naturals))


@lru_cache(maxsize=1 << COLUMNS)
def room(used: tuple[bool, ...]) -> Targets:
    """Return the columns to which a card may be discarded, given which are in use; of the empty ones only the first."""
    occupied = sum(1 << number for number in range(COLUMNS) if used[number])
    return (occupied | _first_empty(used),) * len(RANKS)


def descending_room(columns: Columns) -> Targets:
    """Return the same under `discard_order: descending` (ruling D6).

    A card goes on its own rank, on the next higher one or to an empty column; anywhere when there is none of these.
    """
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
