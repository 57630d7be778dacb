"""Plans for a hand: partitions it into combinations to play.

Each combination costs about one lead, which the player must win from others. A strong combination costs less, since it
wins a trick or can be played in another player's trick. The plan is the partition with the lowest total cost.
`tests.bench.presidente_weights` learns the costs of combinations, the order of leads, and when to hold combinations
back, in self-play.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from locanda.cards import RANKS
from locanda.games.presidente.deal import NATURAL
from locanda.games.presidente.fast import BY_CARDS, LONE_JOKER, STRAIGHTS_FROM, Combo
from locanda.games.presidente.moves import runs_of
from locanda.games.presidente.types import BITS, JOKER

HIGHEST = len(RANKS) - 1
JOKER_COST = 0.1

Row: TypeAlias = tuple[float, ...]


class Weights(NamedTuple):
    """Weights for planning a hand. A row has one cost for each rank; a straight has the rank of its highest card."""

    sets: tuple[Row, ...]
    """Costs of single cards, pairs and sets of three."""
    four: float
    straights: tuple[Row, ...]
    """Costs of straights of three, four, and more cards."""
    order: tuple[tuple[float, float], ...]
    """Amounts to add to each row of costs to get the order of leads: a constant, and an amount for the highest rank."""
    keeps: tuple[Row, ...]
    """A combination with a lower cost is held back instead of played as an answer. Indexed by the number of
    combinations in the plan and the opponent's number of cards."""
    splits: Row
    """The lowest rank of a set that is broken up to beat a single card, by the opponent's number of cards."""


WEIGHTS_FILE = Path(__file__).with_name("weights.json")
WEIGHTS = msgspec.json.decode(WEIGHTS_FILE.read_bytes(), type=dict[str, Weights])
"""The `usual` weights, for `medium` and for reasons, and the `learned` weights, which self-play has improved."""


def _row(form: int) -> int:
    """Return the index of the row of costs for a form."""
    return min(form - 1, 6)


def _costs(weights: Weights, *, inverted: bool) -> list[Row]:
    """Return costs by form and rank. Form 0 does not exist."""
    rows = (*weights.sets, (weights.four,) * len(RANKS), *weights.straights)
    cost_rows: list[Row] = [(0.0,) * len(RANKS)]
    for form in range(1, len(RANKS) + 3):
        row, size = rows[_row(form)], form - 2 if form >= STRAIGHTS_FROM else 1
        turned = tuple(row[min(HIGHEST, HIGHEST - rank + size - 1)] for rank in range(len(RANKS)))
        cost_rows.append(turned if inverted else row)
    return cost_rows


def _order(weights: Weights, costs: list[Row], *, inverted: bool) -> list[Row]:
    """Return the priority of leading a combination by form and rank: the highest is led first."""
    rows: list[Row] = [costs[0]]
    for form in range(1, len(costs)):
        more, for_highest = weights.order[_row(form)]
        strengths = [(HIGHEST - rank if inverted else rank) / HIGHEST for rank in range(len(RANKS))]
        row = [cost + more + for_highest * strength for cost, strength in zip(costs[form], strengths, strict=True)]
        rows.append(tuple(row))
    return rows


SIZE = tuple(map(int.bit_count, range(1 << BITS)))
"""Number of suits in each bit set of suits."""


def _rank_costs(costs: list[Row]) -> list[list[float]]:
    """Return, by rank and suits in hand, the cost of playing these cards as one set."""
    return [[costs[SIZE[suits]][rank] if suits else 0.0 for suits in range(1 << BITS)] for rank in range(len(RANKS))]


SETS = [
    [BY_CARDS[suits << BITS * rank][0] if suits else None for suits in range(1 << BITS)] for rank in range(len(RANKS))
]
"""The set of cards of a rank, by rank and suits."""


def _sets_cost(cards: int, rank_costs: list[list[float]]) -> float:
    total = 0.0
    for row in rank_costs:
        total += row[cards & 15]
        cards >>= 4
    return total


def _straights(cards: int) -> list[Combo]:
    straights: list[Combo] = []
    size, runs = 3, runs_of(cards, 3)
    while runs:
        left = runs
        while left:
            low = left & -left
            left ^= low
            straights.append(BY_CARDS[sum(low << BITS * step for step in range(size))][0])
        size, runs = size + 1, cards & runs >> BITS
    return straights


class Costs:
    """Costs of combinations for these weights and one order of the ranks, and plans with these costs."""

    __slots__ = ("costs", "order", "rank_costs")

    def __init__(self, weights: Weights, *, inverted: bool) -> None:
        self.costs = _costs(weights, inverted=inverted)
        self.order = _order(weights, self.costs, inverted=inverted)
        self.rank_costs = _rank_costs(self.costs)

    def partition(self, cards: int) -> tuple[float, tuple[Combo, ...]]:
        """Find the cheapest partition of cards without the joker; return its cost and its straights."""
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
        """Return the combinations with the lowest total cost, in the order of leads; the joker is last."""
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
        order = self.order
        groups.sort(key=lambda combo: -order[combo.form][combo.rank])
        if hand >> JOKER:
            groups.append(LONE_JOKER)
        return tuple(groups)


CONTROL = 0.2
"""A combination that costs less than this is strong: it wins most tricks."""


class Planner:
    """Plans hands with these weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.usual = (Costs(weights, inverted=False), Costs(weights, inverted=True))
        """Costs for both orders of the ranks, without regard to other hands."""
        self.plan = lru_cache(maxsize=1 << 15)(self._plan)
        """Returns the plan of a hand for an order of the ranks (cached)."""

    def _plan(self, hand: int, inverted: bool) -> tuple[Combo, ...]:  # noqa: FBT001  (a key of the cache)
        return self.usual[inverted].plan(hand)


PLANNERS = {name: Planner(weights) for name, weights in WEIGHTS.items()}
USUAL, plan = PLANNERS["usual"].usual, PLANNERS["usual"].plan


def is_strong(combo: Combo, *, inverted: bool) -> bool:
    """Return whether a combination without the joker wins most tricks in this order of the ranks."""
    return USUAL[inverted].costs[combo.form][combo.rank] < CONTROL
