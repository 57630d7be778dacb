"""Partitions a hand into few combinations: the plan by which a player gets rid of it.

Every combination costs about one lead, which somebody else has to give up; a strong one costs less, since it wins a
trick or can be played as an answer. The plan is the partition with the least cost.
"""

from functools import lru_cache
from math import sqrt

from locanda.cards import RANKS
from locanda.games.presidente.deal import NATURAL
from locanda.games.presidente.fast import BY_CARDS, LONE_JOKER, STRAIGHTS_FROM, Combo
from locanda.games.presidente.moves import runs_of
from locanda.games.presidente.types import BITS, JOKER

HIGHEST = len(RANKS) - 1
JOKER_COST = 0.1


def _set_cost(size: int, strength: float) -> float:
    if size == 1:
        return 1.0 - 0.95 * strength * sqrt(strength)
    if size == 2:
        return 0.95 - 0.8 * strength
    if size == 3:
        return 0.75 - 0.65 * strength
    return 0.1


def _straight_cost(size: int, strength: float) -> float:
    if size == 3:
        return 0.75 - 0.5 * strength
    if size == 4:
        return 0.5 - 0.4 * strength
    return 0.3 - 0.25 * strength


def _costs(*, inverted: bool) -> list[list[float]]:
    rows: list[list[float]] = []
    for form in range(len(RANKS) + 3):
        row = []
        for rank in range(len(RANKS)):
            if form < STRAIGHTS_FROM:
                strength = (HIGHEST - rank if inverted else rank) / HIGHEST
                row.append(_set_cost(form, strength))
            else:
                size = form - 2
                span = HIGHEST - size + 1
                strength = ((HIGHEST - rank if inverted else rank - size + 1) / span) if span else 1.0
                row.append(_straight_cost(size, strength))
        rows.append(row)
    return rows


COSTS = (_costs(inverted=False), _costs(inverted=True))
"""By order of the ranks, form and rank: what a combination costs."""

SIZE = tuple(map(int.bit_count, range(1 << BITS)))
"""By the suits held of a rank, how many."""


def _rank_costs(costs: list[list[float]]) -> list[list[float]]:
    """Return, by rank and the suits held of it, the cost of playing its cards as one set."""
    return [[costs[SIZE[suits]][rank] if suits else 0.0 for suits in range(1 << BITS)] for rank in range(len(RANKS))]


RANK_COSTS = tuple(map(_rank_costs, COSTS))

SETS = [
    [BY_CARDS[suits << BITS * rank][0] if suits else None for suits in range(1 << BITS)] for rank in range(len(RANKS))
]
"""By rank and suits, the set of all of them."""


def _sets_cost(cards: int, rank_costs: list[list[float]]) -> float:
    total = 0.0
    for row in rank_costs:
        total += row[cards & 15]
        cards >>= 4
    return total


def _straights(cards: int) -> list[Combo]:
    found: list[Combo] = []
    size, runs = 3, runs_of(cards, 3)
    while runs:
        left = runs
        while left:
            low = left & -left
            left ^= low
            found.append(BY_CARDS[sum(low << BITS * step for step in range(size))][0])
        size, runs = size + 1, cards & runs >> BITS
    return found


class Costs:
    """The costs of combinations in some position, and plans with these costs."""

    __slots__ = ("costs", "rank_costs")

    def __init__(self, costs: list[list[float]], rank_costs: list[list[float]] | None = None) -> None:
        self.costs = costs
        self.rank_costs = rank_costs or _rank_costs(costs)

    def partition(self, cards: int) -> tuple[float, tuple[Combo, ...]]:
        """Return the least cost of cards without the joker, and the straights of that partition."""
        whole = _sets_cost(cards, self.rank_costs)
        if not runs_of(cards, 3):
            return whole, ()
        return self._best(cards, _straights(cards), 0, whole)

    def _best(self, cards: int, straights: list[Combo], first: int, bare: float) -> tuple[float, tuple[Combo, ...]]:
        best: tuple[float, tuple[Combo, ...]] = (bare, ())
        for place in range(first, len(straights)):
            straight = straights[place]
            if straight.cards & ~cards:
                continue
            rest = cards ^ straight.cards
            cost, others = self._best(rest, straights, place + 1, _sets_cost(rest, self.rank_costs))
            cost += self.costs[straight.form][straight.rank]
            if cost < best[0]:
                best = cost, (straight, *others)
        return best

    def cost(self, hand: int) -> float:
        """Return the cost of a hand's plan."""
        cost, _ = self.partition(hand & NATURAL)
        return cost + JOKER_COST if hand >> JOKER else cost

    def plan(self, hand: int) -> tuple[Combo, ...]:
        """Return the combinations of the least cost, the costliest first."""
        cards = hand & NATURAL
        _, straights = self.partition(cards)
        groups = list(straights)
        for straight in straights:
            cards ^= straight.cards
        for row in SETS:
            group = row[cards & 15]
            if group is not None:
                groups.append(group)
            cards >>= 4
        costs = self.costs
        groups.sort(key=lambda combo: -costs[combo.form][combo.rank])
        if hand >> JOKER:
            groups.append(LONE_JOKER)
        return tuple(groups)


USUAL = (Costs(COSTS[0], RANK_COSTS[0]), Costs(COSTS[1], RANK_COSTS[1]))
"""By order of the ranks: costs as they are when nothing is known of the other hands."""


CONTROL = 0.2
"""A combination that costs less is strong: it is worth keeping for the lead while the hand is long."""


def is_strong(combo: Combo, *, inverted: bool) -> bool:
    """Return whether a combination without the joker wins most tricks in this order of the ranks."""
    return COSTS[inverted][combo.form][combo.rank] < CONTROL


@lru_cache(maxsize=1 << 15)
def plan(hand: int, inverted: bool) -> tuple[Combo, ...]:  # noqa: FBT001
    """Return the usual plan of a hand."""
    return USUAL[inverted].plan(hand)
