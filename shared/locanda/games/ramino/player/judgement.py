"""The value of a position for a seat that has just discarded, or is about to draw from the stock.

The value is a weighted sum of features, on the scale of the function `search.worth`. The weights were fitted by least
squares to deals of computer players, in rounds: each round plays with the previous weights and some random moves, then
fits new weights to the results. Deals of two players have separate weights.
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
"""Weights by number of cards in hand (0 to 5), or by number of cards in the shortest other hand."""


class Weights(NamedTuple):
    """Weights of a position's features; those with `late` depend on the cards in the shortest other hand."""

    constant: float
    table: tuple[tuple[Row, ...], ...]
    """Weights by cards in hand, cards in the shortest other hand, and combinations on the table (0, 1, more)."""
    attachable: tuple[tuple[Row, ...], ...]
    """Weights by cards in hand, number of these that can be attached (0, 1, more), and cards in the shortest other
    hand."""
    figures: tuple[Row, ...]
    """Weights by cards in hand, and by the number of different figures in hand."""
    takes: Row
    """Weight for every ten designs that can be attached and are not in hand."""
    takes_late: Row
    figures_late: Row
    pairs: Row
    neighbours: Row
    gaps: Row
    outs: Row
    points: Row
    points_late: Row


class Thrown(NamedTuple):
    """Weights of a discard, by the number of cards of the next seat."""

    attachable: Row
    figure: Row
    points: float


class Judgement(NamedTuple):
    """All weights of a judge."""

    after: Weights
    before: Weights
    thrown: Thrown


FITTED = msgspec.json.decode(Path(__file__).with_name("fitted.json").read_bytes(), type=dict[str, Judgement])
"""Weights for `two` and for `many` players. Those for two count 50 points as much as the win."""

EVOLVED_FILE = Path(__file__).with_name("evolved.json")

EVOLVED = msgspec.json.decode(EVOLVED_FILE.read_bytes(), type=dict[str, Judgement])
"""Weights that save points, which wins matches: the fitted weights, evolved in play against those of `medium`.

`tests.bench.ramino_weights` evolves them. They are good for comparing plans, but not for estimating the value of a
position, so the search uses the fitted weights to value the positions in which play-outs stop.
"""


# --- values

MOST = 5
"""Largest size of a hand that has its own weights; larger hands count as this size."""


class Shape(NamedTuple):
    """The features of a hand."""

    cards: int
    figures: int
    pairs: int
    neighbours: int
    """Number of numerals in hand whose next numeral is in hand too."""
    gaps: int
    """Number of numerals in hand whose next numeral is missing but whose second next is in hand."""
    outs: float
    """Share of the deck that would complete a combination."""
    points: float
    """Points in hand, divided by 10."""


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
    """Return the designs that complete a combination in hand; if the hand has one already, all designs not in hand."""
    if held(has, long=True):
        return EACH & ~has
    numerals = has & NUMBERED
    below, above = numerals << 2, numerals >> 2
    completing = NUMBERED & (below & numerals << 4 | below & above | above & numerals >> 4)
    if (has & FIGURES).bit_count() > 1:
        completing |= FIGURES
    return completing & ~has


class Table(NamedTuple):
    """The features of the table and the other seats."""

    takes: int
    """The designs that can be attached to a combination on the table."""
    melds: int
    fewest: int
    """Number of cards in the shortest other hand."""
    following: int
    """Number of cards of the next seat."""


_Part: TypeAlias = tuple[int, tuple[float, ...]]
"""The designs of a hand, and the hand's part of the value by number of cards in the shortest other hand."""


class Judge:
    """Values positions with one set of weights."""

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
        """Return the highest value after one of these discards, and that discard.

        Cards are packed counts. The hand must keep at least one card.
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
    """Return the part of the value that depends on the table, for 0, 1, and more cards that can be attached."""
    fewest, takes = min(table.fewest, MOST), table.takes.bit_count()
    constant = weights.table[cards][fewest][min(table.melds, 2)]
    per_take = (weights.takes[cards] + weights.takes_late[fewest]) / 10
    none, one, more = (constant + weights.attachable[cards][own][fewest] + (takes - own) * per_take for own in range(3))
    return none, one, more


def _thrown(weights: Thrown, following: int) -> dict[int, tuple[float, float]]:
    """Return the values to the next seat of two discards: of a card that cannot be attached, and of one that can."""
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
    """Return the judge that `hard` uses to compare plans for a turn with this number of players."""
    return _OF_PLANS[tables(players)]


def judge_of_positions(players: int) -> Judge:
    """Return the judge of `medium`, which `hard` uses too for the positions in which its play-outs stop."""
    return _OF_POSITIONS[tables(players)]
