"""What a position is worth to the seat that has just discarded, or is about to draw from the stock.

A worth is a sum of weights, fitted to the results of many deals in which computer players played themselves (see
`weights`). The scale is that of `services.engine.players.ramino.worth`.
"""

from functools import lru_cache
from typing import NamedTuple

from locanda.cuccu import COPIES, DESIGNS, PACK
from services.engine.games.ramino.moves import FIGURES, NUMBERED, held
from services.engine.games.ramino.score import value
from services.engine.games.ramino.state import EACH, designs, size
from services.engine.players.ramino.plans import apart
from services.engine.players.ramino.weights import (
    AFTER_MANY,
    AFTER_TWO,
    BEFORE_MANY,
    BEFORE_TWO,
    THROWN_MANY,
    THROWN_TWO,
    Thrown,
    Weights,
)

MOST = 5
"""Hands of more cards count as of so many."""
_THROWN = {1 << 2 * card: (design.figure, design.points / 10) for card, design in enumerate(DESIGNS)}


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
    outs = sum(1 for card in apart(EACH & ~has) if held(has | card, long=True))
    return Shape(
        cards=min(size(hand), MOST),
        figures=(has & FIGURES).bit_count(),
        pairs=(hand >> 1 & EACH).bit_count(),
        neighbours=(numerals & numerals >> 2).bit_count(),
        gaps=(numerals & numerals >> 4 & ~(numerals >> 2)).bit_count(),
        outs=COPIES * outs / len(PACK),
        points=value(hand) / 10,
    )


class _Part(NamedTuple):
    """What is always the same in the worth of a hand."""

    worth: float
    cards: int
    has: int
    figures: int
    points: float


class Judge:
    """The worth of positions by one set of weights."""

    def __init__(self, after: Weights, before: Weights, thrown: Thrown) -> None:
        self._sets = after, before
        self._thrown = thrown
        self._after = lru_cache(maxsize=2**16)(lambda hand: _part(after, hand))
        self._before = lru_cache(maxsize=2**14)(lambda hand: _part(before, hand))

    def after(self, hand: int, table: tuple[int, int], thrown: int, fewest: int, following: int) -> float:
        """Return the worth once this hand is left, `thrown` discarded, and the next seat holds `following` cards.

        `table` are the designs that the table takes and the number of its combinations, `fewest` the cards of whoever
        else holds the fewest.
        """
        figure, points = _THROWN[thrown]
        fed = self._thrown
        worth = _worth(self._sets[0], self._after(hand), table, fewest) + fed.points * points
        if figure:
            worth += fed.figure[min(following, MOST)]
        return worth + fed.attachable[min(following, MOST)] if table[0] & thrown else worth

    def before(self, hand: int, table: tuple[int, int], fewest: int) -> float:
        """Return the worth of drawing from the stock to this hand."""
        return _worth(self._sets[1], self._before(hand), table, fewest)


def _part(weights: Weights, hand: int) -> _Part:
    own = shape(hand)
    cards = own.cards
    worth = (
        weights.constant
        + weights.figures[cards][min(own.figures, MOST)]
        + weights.pairs[cards] * own.pairs
        + weights.neighbours[cards] * own.neighbours
        + weights.gaps[cards] * own.gaps
        + weights.outs[cards] * own.outs
        + weights.points[cards] * own.points
    )
    return _Part(worth, cards, designs(hand), own.figures, own.points)


def _worth(weights: Weights, part: _Part, table: tuple[int, int], fewest: int) -> float:
    constant, cards, has, figures, points = part
    open_to, melds = table
    attachable = min((has & open_to).bit_count(), 2)
    others = (open_to.bit_count() - attachable) / 10
    fewest = min(fewest, MOST)
    return (
        constant
        + weights.table[cards][fewest][min(melds, 2)]
        + weights.attachable[cards][attachable][fewest]
        + others * (weights.takes[cards] + weights.takes_late[fewest])
        + weights.figures_late[fewest] * figures
        + weights.points_late[fewest] * points
    )


_TWO = Judge(AFTER_TWO, BEFORE_TWO, THROWN_TWO)
_MANY = Judge(AFTER_MANY, BEFORE_MANY, THROWN_MANY)


def judge(players: int) -> Judge:
    """Return the judge of deals with so many players."""
    return _TWO if players == 2 else _MANY
