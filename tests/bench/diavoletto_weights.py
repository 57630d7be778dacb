"""Fit the weights of Diavoletto's search to deals that the players play against themselves.

`python -m tests.bench.diavoletto_weights DEALS ROUNDS` writes `services/engine/players/diavoletto/weights.json`. In
each round the newest weights play, and new ones are fitted to what came of their positions, by ridge regression.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import msgspec

from locanda.games.diavoletto import Options
from services.engine.games.diavoletto.deal import deal as dealt
from services.engine.games.diavoletto.state import HAND, KING, WILD, Columns
from services.engine.players.diavoletto.evaluation import Weights
from services.engine.players.diavoletto.features import (
    BELOW,
    COUNT,
    START,
    Draws,
    column_features,
    columns_of,
    masked,
    open_needs,
    reach,
)
from services.engine.players.diavoletto.outlook import HAND_SOURCE, MAZZETTO_SOURCE, Outlook, advanced, packed
from services.engine.players.diavoletto.position import Position
from services.engine.players.diavoletto.turns import QUICK, Turn
from services.engine.players.diavoletto.weights import CALIBRATED, EXPERIENCE, LEARNED_FILE
from services.engine.table.fairness import shuffle

Row: TypeAlias = dict[int, float]

NEARNESS = 0.9
"""How much a mazzetto card of the next turn counts, compared with one of this turn."""
WIN = 4.0
"""How many mazzetto cards the win of a deal counts for."""
RIDGE = 30.0
TRACE = 0.6
"""How much of what is to come is taken from what came, and not from the value of the next position."""
FITS = 3
UNKNOWN = 0.3
"""How often the end of a turn is also taken as if the mazzetto's card were unknown."""
WANDERING = 0.05
"""How often a discard is chosen at random, so that unusual positions are seen too."""


@dataclass
class Moment:
    """A position that was judged, by the seat whose turn ended or whose hand is filled."""

    seat: int
    features: Row
    ended: bool
    """Whether a turn ended with it."""


@dataclass
class Gain:
    """Mazzetto cards that a seat has got rid of, or the win in such cards."""

    seat: int
    cards: float


@dataclass
class TurnOver:
    """The turn passes."""


class Rows:
    """Collects the features of a position, as `Judge` weighs them."""

    def __init__(self, outlook: Outlook, *, known: bool) -> None:
        self._outlook, self._known = outlook, known
        self.found: defaultdict[int, float] = defaultdict(float)

    def add(self, group: str, number: int = 0, value: float = 1.0) -> None:
        """Add to a feature."""
        self.found[START[group] + number] += value

    def table(self, needs: int, columns: Columns) -> None:
        """Add what everybody sees."""
        own, other = self._outlook.own, self._outlook.other
        self.add("bias")
        self.add("other_hand_size", other.hand_size)
        self.add("other_top", other.top)
        self.add(*(("own_top", own.top) if self._known else ("unknown_top", 0)))
        for pile in other.columns:
            for group, number in column_features(pile, other.top):
                self.add("other_" + group, number)
        for pile in columns:
            for group, number in column_features(pile, own.top if self._known else None):
                self.add("own_" + group, number)
        for need in range(1, KING + 1):
            count = needs >> 4 * need & 15
            self.add("needs_other", 13 + other.top - need, count)
            if self._known:
                self.add("needs_own", 13 + own.top - need, count)

    def chains(self, hand: bytes | None, needs: int, columns: Columns) -> None:
        """Add what the players' chains lack."""
        own, other = self._outlook.own, self._outlook.other
        draws = Draws(self._outlook.pool, self._outlook.drawable)
        ranks, theirs, ours = open_needs(needs, self._outlook.room), columns_of(other.columns), columns_of(columns)
        chance, gap = reach(other.top, ranks, 0, theirs, sum(each.jokers for each in theirs), (draws, HAND))
        self.add("other_chance", value=chance)
        self.add("other_gap", gap)
        if not self._known:
            return
        held = hand or b""
        jokers = held.count(WILD) + sum(each.jokers for each in ours)
        chance, gap = reach(own.top, ranks, masked(held), ours, jokers, (draws, HAND - len(held)))
        self.add("refill_chance" if hand is None else "own_chance", value=chance)
        if hand is not None:
            self.add("own_gap", gap)

    def hand(self, hand: bytes) -> None:
        """Add the hand."""
        self.add("own_hand_size", len(hand))
        naturals = hand.rstrip(bytes((WILD,)))
        self.add("joker", value=len(hand) - len(naturals))
        self.add("pair", value=len(naturals) - len(set(naturals)))
        for rank in naturals:
            self.add("hand_rank", rank)
            if self._known:
                self.add("hand_below_top", BELOW[self._outlook.own.top][rank])


def row(outlook: Outlook, hand: bytes | None, needs: int, columns: Columns, *, known: bool = True) -> Row:
    """Return the features of the end of a turn, or of a hand about to be filled (None)."""
    rows = Rows(outlook, known=known)
    rows.table(needs, columns)
    rows.chains(hand, needs, columns)
    if hand is None:
        rows.add("refill")
    else:
        rows.hand(hand)
    return {number: value for number, value in rows.found.items() if value}


class Course:
    """A deal that the weights play against themselves, and what happened in it."""

    def __init__(self, weights: Weights, rng: Random) -> None:
        self._weights, self._rng = weights, rng
        self._position = Position(dealt(Options(), 2, rng.randrange(2), rng.randbytes(32), shuffle, None))
        self.happened: list[Moment | Gain | TurnOver] = []
        while self._position.turn is not None:
            self._go_on(self._position.turn)
        won = WIN * (self._position.win(0) - 0.5)
        self.happened += [Gain(0, won), Gain(1, -won)]

    def _shuffled(self, pile: bytes) -> bytes:
        return bytes(self._rng.sample(pile, len(pile)))

    def _go_on(self, seat: int) -> None:
        """Play one plan, as far as it goes."""
        position, rng = self._position, self._rng
        seen = position.outlook()
        plans = list(Turn(seen, self._weights, QUICK).plans())
        plan = rng.choice(plans) if rng.random() < WANDERING else max(plans, key=lambda each: each.value)
        for step in plan.steps:
            source, _, need = step
            if source == HAND_SOURCE and len(position.hands[seat]) == 1 and seen.drawable:
                needs = advanced(packed(map(len, position.builds)), need)
                self.happened.append(Moment(seat, row(seen, None, needs, tuple(position.columns[seat])), ended=False))
            position.play(step, self._shuffled)
            if source == MAZZETTO_SOURCE:
                self.happened.append(Gain(seat, 1.0))
                return
        if position.turn == 1 - seat:
            self.happened.append(TurnOver())
            self._ended(seat, seen)

    def _ended(self, seat: int, seen: Outlook) -> None:
        needs, columns = packed(map(len, self._position.builds)), tuple(self._position.columns[seat])
        hand = self._position.hands[seat]
        if self._rng.random() < UNKNOWN:
            self.happened.append(Moment(seat, row(seen, hand, needs, columns, known=False), ended=False))
        self.happened.append(Moment(seat, row(seen, hand, needs, columns), ended=True))


def judged(features: Row, weights: Weights) -> float:
    """Return what the weights make of features."""
    return sum(weights.values[number] * value for number, value in features.items())


def samples(courses: list[Course], weights: Weights) -> Iterator[tuple[Row, float]]:
    """Yield features, and what came of them in cards, partly by what the weights make of later positions."""
    for course in courses:
        future = 0.0  # for seat 0
        for each in reversed(course.happened):
            if isinstance(each, TurnOver):
                future *= NEARNESS
            elif isinstance(each, Gain):
                future += each.cards * _sign(each.seat)
            else:
                yield each.features, future * _sign(each.seat)
                if each.ended:
                    value = judged(each.features, weights) * _sign(each.seat)
                    future = TRACE * future + (1 - TRACE) * value


def _sign(seat: int) -> int:
    return -1 if seat else 1


class Fit:
    """Ridge regression of what came of positions on their features, drawn towards the weights before."""

    def __init__(self, courses: list[Course]) -> None:
        self._courses = courses
        self._matrix = [[0.0] * COUNT for _ in range(COUNT)]
        for course in courses:
            for each in course.happened:
                if isinstance(each, Moment):
                    self._add(sorted(each.features.items()))
        for one in range(COUNT):
            self._matrix[one][one] += RIDGE
            for other in range(one):
                self._matrix[one][other] = self._matrix[other][one]

    def _add(self, items: list[tuple[int, float]]) -> None:
        for number, (one, value) in enumerate(items):
            line = self._matrix[one]
            for other, weight in items[number:]:
                line[other] += value * weight

    def improved(self, weights: Weights) -> Weights:
        """Return weights that fit better."""
        right = [0.0] * COUNT
        for features, target in samples(self._courses, weights):
            miss = target - judged(features, weights)
            for number, value in features.items():
                right[number] += value * miss
        step = solved([line.copy() for line in self._matrix], right)
        return Weights([weight + change for weight, change in zip(weights.values, step, strict=True)])


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric positive definite system, using up its arguments."""
    size = len(right)
    for one in range(size):
        pivot = matrix[one]
        for two in range(one + 1, size):
            line = matrix[two]
            factor = line[one] / pivot[one]
            if factor:
                for column in range(one, size):
                    line[column] -= factor * pivot[column]
                right[two] -= factor * right[one]
    for one in reversed(range(size)):
        rest = sum(matrix[one][two] * right[two] for two in range(one + 1, size))
        right[one] = (right[one] - rest) / matrix[one][one]
    return right


def fitted(deals: int, rounds: int, rng: Random) -> Weights:
    """Return weights after some rounds of play and fitting; each round fits the deals of the last three."""
    weights, courses = EXPERIENCE, list[Course]()
    for _ in range(rounds):
        courses = courses[-2 * deals :] + [Course(weights, rng) for _ in range(deals)]
        fit = Fit(courses)
        for _ in range(FITS):
            weights = fit.improved(weights)
    return weights


if __name__ == "__main__":
    DEALS, ROUNDS = map(int, sys.argv[1:])
    FITTED = fitted(DEALS, ROUNDS, Random(1))
    MEANS = [round((one + two) / 2, 3) for one, two in zip(FITTED.values, CALIBRATED.values, strict=True)]
    LEARNED_FILE.write_bytes(msgspec.json.encode(MEANS) + b"\n")
