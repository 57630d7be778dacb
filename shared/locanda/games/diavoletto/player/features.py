"""Features of a position at the end of a turn, in named groups, for its evaluation.

A *chain* is the cards that a build still needs before it takes the top card of the mazzetto. Its *gap* is the number of
these cards that the player does not have.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from locanda.games.diavoletto.deal import ACE, HAND, KING, WILD

SIZES = {
    "own_chance": 1,
    "own_gap": 7,
    "other_chance": 1,
    "other_gap": 7,
    "hand_size": HAND,
    "joker": 1,
    "pair": 1,
    "hand_rank": 13,
    "hand_below_top": 13,
    "tops": 14,
    "tops_below": 13,
    "covers": 16,
    "empty": 1,
    "needs_own": 26,
    "needs_other": 26,
    "own_top": 13,
    "refill": 1,
    "refill_chance": 1,
    "unknown_top": 1,
    "scarce_plays": 1,
    "scarce_plays_ahead": 1,
}
"""Number of features in each group. There are no features for facts that the turn cannot change."""

START = {name: sum(list(SIZES.values())[:number]) for number, name in enumerate(SIZES)}
COUNT = sum(SIZES.values())

NO_GAP = 6
"""A chain with at least this gap is hopeless: it counts as if no build could ever take the mazzetto's top card."""

SCARCE = 6
"""If fewer cards than this can be drawn, players must use up their own cards until completed builds are recycled."""

BELOW = [[(top - rank) % 13 for rank in range(KING + 1)] for top in range(KING + 1)]
"""Distance of a rank below a top rank, counted down with the King after the Ace."""

RANGE = [[((1 << top) - 1) & ~((1 << need) - 1) for top in range(KING + 1)] for need in range(KING + 1)]
"""Bit set of the ranks from the one that a build needs to just below a top rank."""


@dataclass(frozen=True, slots=True)
class Column:
    """The ranks that a column can contribute to chains."""

    top: int
    mask: int
    """Bit set of the ranks that can be played one after another from the top, because each next card is higher."""
    jokers: int


@lru_cache(maxsize=2**15)
def column(pile: bytes) -> Column:
    """Return the ranks that a column contributes: jokers on top, then ranks that rise from top to bottom."""
    depth = len(pile)
    jokers = 0
    while depth and pile[depth - 1] == WILD:
        jokers += 1
        depth -= 1
    if not depth:
        return Column(WILD, 0, jokers)
    top = last = pile[depth - 1]
    mask = 1 << top
    for rank in reversed(pile[: depth - 1]):
        if rank <= last or rank == WILD:
            break
        mask |= 1 << rank
        last = rank
    return Column(top, mask, jokers)


def column_features(pile: bytes, top: int | None) -> Iterable[tuple[str, int]]:
    """Yield the group and index of each feature of a column; `top` is the mazzetto's top rank, if known."""
    if not pile:
        yield "empty", 0
        return
    yield "tops", pile[-1]
    if top is not None and pile[-1] != WILD:
        yield "tops_below", BELOW[top][pile[-1]]
    for below, above in pairwise(pile):
        yield "covers", cover(below, above)


def cover(below: int, above: int) -> int:
    """Return how a card covers the one below it, as a class from 0 to 15.

    - 0 to 8: lower by that many ranks, 8 for more.
    - 9 to 12: higher, in four steps of the difference.
    - 13, 14: a joker on a card, on a joker.
    - 15: a card on a joker.
    """
    if above == WILD:
        return 13 + (below == WILD)
    if below == WILD:
        return 15
    return min(8, below - above) if below >= above else 9 + min(3, (above - below - 1) // 3)


class Draws:
    """Probabilities of drawing the missing cards of a chain."""

    def __init__(self, pool: Sequence[float], drawable: int) -> None:
        total = max(1.0, sum(pool))
        jokers = pool[WILD]
        self._misses = [max(0.0, 1 - (count + jokers) / total) for count in pool]
        self._misses[ACE] = max(0.0, 1 - pool[ACE] / total)
        self._most = min(HAND, drawable)
        self._known: dict[int, float] = {}

    def chance(self, missing: int, jokers: int, draws: int) -> float:
        """Return the chance to draw all ranks of the bit set `missing`, except those that jokers in hand stand for."""
        if not missing:
            return 1.0
        key = missing | draws << 13 | jokers << 17
        chance = self._known.get(key)
        if chance is None:
            chance = self._known[key] = self._chance(missing, jokers, min(draws, self._most))
        return chance

    def _chance(self, missing: int, jokers: int, draws: int) -> float:
        count = missing.bit_count() - min(jokers, (missing & ~1).bit_count())
        if count > draws:
            return 0.0
        misses = self._misses
        wanted = [misses[rank] for rank in range(1, KING) if missing >> rank & 1]
        if jokers:
            wanted = sorted(wanted)[: max(0, len(wanted) - jokers)]
        if missing & 1:
            wanted.append(misses[ACE])
        product = 1.0
        for number, miss in enumerate(wanted):
            product *= 1 - miss ** (draws - number)
        return product


CONSIDERED = 3
"""Number of builds to search for a chain, starting with the ranks nearest to the mazzetto's top card."""


def reach(
    top: int, needs: Sequence[int], hand: int, columns: Sequence[Column], jokers: int, draws: tuple[Draws, int]
) -> tuple[float, int]:
    """Return the chance that a chain to the top card is complete after this many draws, and the smallest gap.

    `needs` are the ranks that builds need, ascending, starting with 0 if a build may be opened. `hand` is the bit set
    of the ranks in hand.
    """
    best, smallest, left = 0.0, NO_GAP, CONSIDERED
    chances, number = draws
    for need in reversed(needs):
        if need > top:
            continue
        held = hand
        for column in columns:
            if column.top >= need:
                held |= column.mask
        missing = RANGE[need][top] & ~held
        if not missing:
            return 1.0, 0
        gap = missing.bit_count()
        if jokers:
            gap -= min(jokers, (missing & ~1).bit_count())
        smallest = min(smallest, gap)
        chance = chances.chance(missing, jokers, number)
        best = max(best, chance)
        left -= 1
        if not left:
            break
    return best, min(smallest, NO_GAP)


def masked(hand: bytes) -> int:
    """Return the ranks of a hand as a bit set, without jokers."""
    mask = 0
    for rank in hand:
        mask |= 1 << rank
    return mask & ~(1 << WILD)


@lru_cache(maxsize=2**14)
def open_needs(needs: int, room: int) -> tuple[int, ...]:
    """Return the distinct ranks that builds need, ascending, starting with 0 if a build may be opened."""
    present = tuple(need for need in range(1, KING + 1) if needs >> 4 * need & 15)
    count = sum(needs >> 4 * need & 15 for need in present)
    return (0, *present) if count < room else present
