"""What a position is worth to the seat that has just discarded, or is about to draw from the stock.

A worth is a sum of weights, fitted to the results of many deals in which computer players played themselves (see
`weights`). Its scale is that of `worth` in `search`.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from locanda.cuccu import COPIES, DESIGNS, PACK
from services.engine.games.ramino.moves import FIGURES, NUMBERED, held
from services.engine.games.ramino.play import value
from services.engine.games.ramino.state import EACH, designs, size
from services.engine.players.ramino.weights import (
    AFTER_MANY,
    AFTER_TWO,
    AFTER_TWO_POINTS,
    BEFORE_MANY,
    BEFORE_TWO,
    BEFORE_TWO_POINTS,
    EVOLVED,
    THROWN_MANY,
    THROWN_TWO,
    THROWN_TWO_POINTS,
    Thrown,
    Weights,
)

MOST = 5
"""Hands of more cards count as of so many."""


class Shape(NamedTuple):
    """The features of a hand by itself."""

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
    """Return the designs with which a combination is in the hand: any other one, if there is one already."""
    if held(has, long=True):
        return EACH & ~has
    numerals = has & NUMBERED
    below, above = numerals << 2, numerals >> 2
    completing = NUMBERED & (below & numerals << 4 | below & above | above & numerals >> 4)
    if (has & FIGURES).bit_count() > 1:
        completing |= FIGURES
    return completing & ~has


class Table(NamedTuple):
    """What the others have, as far as judging needs it."""

    takes: int
    """The designs that can be attached to a combination of the table."""
    melds: int
    """The combinations of the table."""
    fewest: int
    """The cards of whoever else holds the fewest."""
    following: int
    """The cards of the next seat."""


_Part: TypeAlias = tuple[int, tuple[float, ...]]
"""The designs of a hand, and what is always the same in its worth, by the others' fewest cards."""


class Judge:
    """The worth of positions by one set of weights."""

    def __init__(self, after: Weights, before: Weights, thrown: Thrown) -> None:
        self._after, self._before = after, before
        self._parts_after = lru_cache(maxsize=2**16)(lambda hand: _part(after, hand))
        self._parts_before = lru_cache(maxsize=2**12)(lambda hand: _part(before, hand))
        self._context = lru_cache(maxsize=2**10)(_context)
        self._thrown = [_thrown(thrown, following) for following in range(MOST + 1)]

    def before(self, hand: int, table: Table) -> float:
        """Return the worth of drawing from the stock to this hand."""
        has, parts = self._parts_before(hand)
        context = self._context(self._before, min(size(hand), MOST), table)
        return parts[min(table.fewest, MOST)] + context[min((has & table.takes).bit_count(), 2)]

    def best_discard(self, hand: int, cards: Iterable[int], table: Table) -> tuple[float, int]:
        """Return the highest worth that one of these discards leaves, and the discard.

        The cards are packed counts, and the hand keeps one card at least.
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
    """Return what the table is worth to a hand of so many cards if it takes none of them, one, or more."""
    fewest, takes = min(table.fewest, MOST), table.takes.bit_count()
    constant = weights.table[cards][fewest][min(table.melds, 2)]
    each = (weights.takes[cards] + weights.takes_late[fewest]) / 10
    none, one, more = (constant + weights.attachable[cards][own][fewest] + (takes - own) * each for own in range(3))
    return none, one, more


def _thrown(weights: Thrown, following: int) -> dict[int, tuple[float, float]]:
    """Return what each discard is worth to the next seat: where the table does not take it, and where it does."""
    worth = {}
    for card, design in enumerate(DESIGNS):
        plain = weights.points * design.points / 10 + (weights.figure[following] if design.figure else 0.0)
        worth[1 << 2 * card] = plain, plain + weights.attachable[following]
    return worth


_TWO = Judge(AFTER_TWO, BEFORE_TWO, THROWN_TWO)
_TWO_POINTS = Judge(AFTER_TWO_POINTS, BEFORE_TWO_POINTS, THROWN_TWO_POINTS)
_TWO_EVOLVED = Judge(*EVOLVED)
_MANY = Judge(AFTER_MANY, BEFORE_MANY, THROWN_MANY)


def judge_of_plans(players: int) -> Judge:
    """Return how `hard` compares the plans of a turn, with so many players."""
    return _TWO_EVOLVED if players == 2 else _MANY


def judge_of_wins(players: int) -> Judge:
    """Return how the search of `hard` judges the positions in which it stops."""
    return _TWO if players == 2 else _MANY


def judge_of_points(players: int) -> Judge:
    """Return how `medium` does: with two players it cares more for points than for the win, and so wins less often."""
    return _TWO_POINTS if players == 2 else _MANY
