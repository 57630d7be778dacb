"""The value of a position for the seat that has just discarded, or is about to draw from the stock.

A value is a sum of weights, in the scale of `worth` in `search`. The weights are fitted by least squares to deals of
computer players against themselves, in rounds: each round plays by the weights of the round before, with some random
moves, and fits new weights to the results. Deals of two players have weights of their own.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from locanda.cards.cuccu import COPIES, DESIGNS, PACK
from locanda.games.ramino.deal import FIGURES, NUMBERED, designs
from locanda.games.ramino.moves import held
from locanda.games.ramino.play import value
from locanda.games.ramino.types import EACH, size

# --- weights

Row: TypeAlias = tuple[float, ...]
"""Weights by the cards in hand, 0 to 5, or by the fewest cards of any other hand."""


class Weights(NamedTuple):
    """Weights of the features of a position. A name with `late` depends on the fewest cards of another hand."""

    constant: float
    table: tuple[tuple[Row, ...], ...]
    """By cards in hand, the others' fewest cards, and the combinations on the table: 0, 1, or more."""
    attachable: tuple[tuple[Row, ...], ...]
    """Weights by cards in hand, how many of them the table takes (0, 1, or more), and the others' fewest cards."""
    figures: tuple[Row, ...]
    """By cards in hand and different figures among them."""
    takes: Row
    """Weight for every ten designs that the table takes and the hand does not have."""
    takes_late: Row
    figures_late: Row
    pairs: Row
    neighbours: Row
    gaps: Row
    outs: Row
    points: Row
    points_late: Row


class Thrown(NamedTuple):
    """Weights of a discard, by the number of the next seat's cards."""

    attachable: Row
    figure: Row
    points: float


class Judgement(NamedTuple):
    """All weights of a player's judgement."""

    after: Weights
    before: Weights
    thrown: Thrown


FITTED = msgspec.json.decode(Path(__file__).with_name("fitted.json").read_bytes(), type=dict[str, Judgement])
"""For deals of `two` and of `many`; those of two were fitted to results where 50 points counted as much as the win."""

EVOLVED_FILE = Path(__file__).with_name("evolved.json")

EVOLVED = msgspec.json.decode(EVOLVED_FILE.read_bytes(), type=dict[str, Judgement])
"""Weights that save points, which wins matches: the fitted ones, evolved against `medium`'s.

`tests.bench.ramino_weights` does that. They tell which of two plans is better, not what a position is worth: where a
search stops, the fitted ones judge.
"""


# --- values

MOST = 5
"""Larger hands count as this size."""


class Shape(NamedTuple):
    """The features of a hand alone."""

    cards: int
    figures: int
    """The different ones."""
    pairs: int
    neighbours: int
    """Numerals whose next is in the hand."""
    gaps: int
    """Numerals whose next but one is in the hand, and the next is not."""
    outs: float
    """The share of the deck that would complete a combination."""
    points: float
    """A tenth of the points in hand."""


def shape(hand: int) -> Shape:
    """Return the features of a hand."""
    has = designs(hand)
    numerals = has & NUMBERED
    return Shape(
        cards=min(size(hand), MOST),
        figures=(has & FIGURES).bit_count(),
        pairs=(hand >> 1 & EACH).bit_count(),
        neighbours=(numerals & numerals >> 2).bit_count(),
        gaps=(numerals & numerals >> 4 & ~(numerals >> 2)).bit_count(),
        outs=COPIES * _completing(has).bit_count() / len(PACK),
        points=value(hand) / 10,
    )


def _completing(has: int) -> int:
    """Return the designs that complete a combination in the hand; all other designs, if there is one already."""
    if held(has, long=True):
        return EACH & ~has
    numerals = has & NUMBERED
    below, above = numerals << 2, numerals >> 2
    completing = NUMBERED & (below & numerals << 4 | below & above | above & numerals >> 4)
    if (has & FIGURES).bit_count() > 1:
        completing |= FIGURES
    return completing & ~has


class Table(NamedTuple):
    """Facts about the other seats that judging needs."""

    takes: int
    """The designs that can be attached to a combination of the table."""
    melds: int
    """The combinations of the table."""
    fewest: int
    """The fewest cards that another seat holds."""
    following: int
    """The cards of the next seat."""


_Part: TypeAlias = tuple[int, tuple[float, ...]]
"""The designs of a hand, and the constant part of its worth, by the others' fewest cards."""


class Judge:
    """Judges positions by one set of weights."""

    def __init__(self, after_draw: Weights, before: Weights, thrown: Thrown) -> None:
        self._after, self._before = after_draw, before
        self._parts_after = lru_cache(maxsize=2**16)(lambda hand: _part(after_draw, hand))
        self._parts_before = lru_cache(maxsize=2**12)(lambda hand: _part(before, hand))
        self._context = lru_cache(maxsize=2**10)(_context)
        self._thrown = [_thrown(thrown, following) for following in range(MOST + 1)]

    def before(self, hand: int, table: Table) -> float:
        """Return the value of drawing from the stock with this hand."""
        has, parts = self._parts_before(hand)
        context = self._context(self._before, min(size(hand), MOST), table)
        return parts[min(table.fewest, MOST)] + context[min((has & table.takes).bit_count(), 2)]

    def best_discard(self, hand: int, cards: Iterable[int], table: Table) -> tuple[float, int]:
        """Return the highest value that one of these discards leaves, and the discard.

        The cards are packed counts, and the hand keeps at least one card.
        """
        takes, fewest = table.takes, min(table.fewest, MOST)
        parts_of, thrown = self._parts_after, self._thrown[min(table.following, MOST)]
        context = self._context(self._after, min(size(hand) - 1, MOST), table)
        most, best = -1e9, 0
        for card in cards:
            has, parts = parts_of(hand - card)
            attachable = (has & takes).bit_count()
            worth = parts[fewest] + context[attachable if attachable < 2 else 2] + thrown[card][card & takes > 0]
            if worth > most:
                most, best = worth, card
        return most, best


def _part(weights: Weights, hand: int) -> _Part:
    own = shape(hand)
    cards, figures = own.cards, min(own.figures, MOST)
    worth = (
        weights.constant
        + weights.figures[cards][figures]
        + weights.pairs[cards] * own.pairs
        + weights.neighbours[cards] * own.neighbours
        + weights.gaps[cards] * own.gaps
        + weights.outs[cards] * own.outs
        + weights.points[cards] * own.points
    )
    late = zip(weights.figures_late, weights.points_late, strict=True)
    return designs(hand), tuple([worth + figure * own.figures + points * own.points for figure, points in late])


def _context(weights: Weights, cards: int, table: Table) -> tuple[float, float, float]:
    """Return the table's worth to a hand of this size, if the table takes none of its cards, one, or more."""
    fewest, takes = min(table.fewest, MOST), table.takes.bit_count()
    constant = weights.table[cards][fewest][min(table.melds, 2)]
    per_take = (weights.takes[cards] + weights.takes_late[fewest]) / 10
    none, one, more = (constant + weights.attachable[cards][own][fewest] + (takes - own) * per_take for own in range(3))
    return none, one, more


def _thrown(weights: Thrown, following: int) -> dict[int, tuple[float, float]]:
    """Return the value of each discard for the next seat: if the table does not take it, and if it does."""
    worth = {}
    for card, design in enumerate(DESIGNS):
        plain = weights.points * design.points / 10 + (weights.figure[following] if design.figure else 0.0)
        worth[1 << 2 * card] = plain, plain + weights.attachable[following]
    return worth


_OF_POSITIONS, _OF_PLANS = (
    {name: Judge(*weights) for name, weights in weights_by_name.items()} for weights_by_name in (FITTED, EVOLVED)
)


def tables(players: int) -> str:
    """Return the name of the weights for a number of players."""
    return "two" if players == 2 else "many"


def judge_of_plans(players: int) -> Judge:
    """Return the judge that `hard` uses to compare its plans for a turn; it depends on the number of players."""
    return _OF_PLANS[tables(players)]


def judge_of_positions(players: int) -> Judge:
    """Return the judge of `medium`, which also values the positions where the search of `hard` stops."""
    return _OF_POSITIONS[tables(players)]
