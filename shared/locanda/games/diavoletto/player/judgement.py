"""The value of a position at the end of a turn, in cards of the mazzetto: a linear function of its features.

Only differences between possible ends of the same turn are meaningful.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

from locanda.games.diavoletto.deal import HAND, KING, WILD
from locanda.games.diavoletto.player.features import (
    BELOW,
    SCARCE,
    SIZES,
    START,
    Column,
    Draws,
    column,
    column_features,
    masked,
    open_needs,
    reach,
)
from locanda.games.diavoletto.player.knowledge import Outlook, Side
from locanda.games.diavoletto.types import Columns


class Weights:
    """Weights of the features by group, with caches of their sums."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values = tuple(values)
        self.groups = {name: self.values[START[name] : START[name] + size] for name, size in SIZES.items()}
        self.column_score = lru_cache(maxsize=2**15)(self._column_score)
        self.by_need = lru_cache(maxsize=2**9)(self._by_need)
        self.in_hand = lru_cache(maxsize=2**5)(self._in_hand)

    @classmethod
    def of(cls, groups: dict[str, Sequence[float]]) -> "Weights":
        """Create weights from groups; missing groups have weight 0."""
        return cls([weight for name, size in SIZES.items() for weight in groups.get(name, (0.0,) * size)])

    def _column_score(self, pile: bytes, top: int | None) -> float:
        return sum([self.groups[group][number] for group, number in column_features(pile, top)])

    def _by_need(self, own: int | None, other: int) -> list[float]:
        """Return the value of a build by the rank that it needs, given the top ranks of both mazzetti."""
        theirs = [self.groups["needs_other"][13 + other - need] for need in range(KING + 1)]
        if own is None:
            return theirs
        return [score + self.groups["needs_own"][13 + own - need] for need, score in enumerate(theirs)]

    def _in_hand(self, top: int | None) -> list[float]:
        """Return the value of a card in hand by rank, given the top rank of the mazzetto."""
        ranks = list(self.groups["hand_rank"])
        if top is None:
            return ranks
        below = self.groups["hand_below_top"]
        return [score + below[BELOW[top][rank]] for rank, score in enumerate(ranks)]


@dataclass(slots=True)
class _Hand:
    """The part of the value that depends only on the hand."""

    mask: int
    jokers: int
    score: float


@dataclass(slots=True)
class _Offers:
    """The part of the value that depends only on the columns."""

    columns: list[Column]
    jokers: int
    score: float


class Judge:
    """Evaluates the possible ends of one turn; computes their shared parts once."""

    def __init__(self, outlook: Outlook, weights: Weights) -> None:
        self._outlook, self._weights = outlook, weights
        self._draws = Draws(outlook.pool, outlook.drawable)
        self._builds: dict[int, tuple[tuple[int, ...], float]] = {}
        self._hands: dict[tuple[bytes, bool], _Hand] = {}
        self._offers: dict[tuple[Columns, bool], _Offers] = {}
        groups, own, other = weights.groups, outlook.own, outlook.other
        self._theirs, self._tops = _offers(other.columns), (None, own.top)
        self._top_scores = groups["unknown_top"][0], groups["own_top"][own.top]
        self._own_chance, self._own_gap = groups["own_chance"][0], groups["own_gap"]
        self._other_chance, self._other_gap = groups["other_chance"][0], groups["other_gap"]
        self._sizes = groups["hand_size"]
        self._cards = len(outlook.hand) + _length(own)
        self._per_play = 0.0
        if outlook.drawable < SCARCE:
            ahead = own.left < other.left
            self._per_play = groups["scarce_plays"][0] + ahead * groups["scarce_plays_ahead"][0]

    def ended(self, hand: bytes, needs: int, columns: Columns, *, known: bool = True, discards: int = 0) -> float:
        """Return the value of a position at the end of the turn.

        `known` says whether the mazzetto's top card is still the visible one. `discards` is the number of cards that
        the hand still loses by discarding.
        """
        ranks, value = self._of_builds(needs, known=known)
        held = self._hands.get((hand, known)) or self._of_hand(hand, known=known)
        offers = self._offers.get((columns, known)) or self._of_columns(columns, known=known)
        size = len(hand) - discards
        value += held.score + offers.score + self._sizes[min(size, 4)] + self._top_scores[known]
        if self._per_play:
            value += self._plays(hand, columns)
        if not known:
            return value
        jokers = held.jokers + offers.jokers
        draws = self._draws, HAND - size
        chance, gap = reach(self._outlook.own.top, ranks, held.mask, offers.columns, jokers, draws)
        return value + self._own_chance * chance + self._own_gap[gap]

    def refilled(self, needs: int, columns: Columns, *, known: bool = True) -> float:
        """Return the value of a position in which the turn continues with five new cards."""
        ranks, value = self._of_builds(needs, known=known)
        offers = self._of_columns(columns, known=known)
        value += offers.score + self._weights.groups["refill"][0] + self._plays(b"", columns) + self._top_scores[known]
        if not known:
            return value
        chance, _ = reach(self._outlook.own.top, ranks, 0, offers.columns, offers.jokers, (self._draws, HAND))
        return value + self._weights.groups["refill_chance"][0] * chance

    def _of_builds(self, needs: int, *, known: bool) -> tuple[tuple[int, ...], float]:
        """Return the ranks that builds need, and the builds' part of the value."""
        key = needs << 1 | known
        ranks_and_score = self._builds.get(key)
        if ranks_and_score is None:
            ranks = open_needs(needs, self._outlook.room)
            other = self._outlook.other.top
            by_need = self._weights.by_need(self._tops[known], other)
            score = 0.0
            for need in ranks:
                if need:
                    score += (needs >> 4 * need & 15) * by_need[need]
            theirs = self._theirs
            chance, gap = reach(other, ranks, 0, theirs.columns, theirs.jokers, (self._draws, HAND))
            score += self._other_chance * chance + self._other_gap[gap]
            ranks_and_score = self._builds[key] = ranks, score
        return ranks_and_score

    def _of_hand(self, hand: bytes, *, known: bool) -> _Hand:
        by_rank = self._weights.in_hand(self._tops[known])
        jokers = hand.count(WILD)
        naturals = hand[: len(hand) - jokers]
        groups = self._weights.groups
        score = sum([by_rank[rank] for rank in naturals]) + jokers * groups["joker"][0]
        score += groups["pair"][0] * (len(naturals) - len(set(naturals)))
        valued_hand = self._hands[hand, known] = _Hand(masked(naturals), jokers, score)
        return valued_hand

    def _of_columns(self, columns: Columns, *, known: bool) -> _Offers:
        top = self._tops[known]
        score = sum([self._weights.column_score(pile, top) for pile in columns])
        offers = self._offers[columns, known] = _offers(columns, score)
        return offers

    def _plays(self, hand: bytes, columns: Columns) -> float:
        """Return the value of the cards played from hand and columns; it is nonzero only if cards are scarce."""
        return self._per_play * (self._cards - len(hand) - sum(map(len, columns))) if self._per_play else 0.0


def _offers(columns: Columns, score: float = 0.0) -> _Offers:
    offers = [offer for pile in columns if (offer := column(pile)).mask or offer.jokers]
    return _Offers(offers, sum([offer.jokers for offer in offers]), score)


def _length(side: Side) -> int:
    return sum(map(len, side.columns))


# --- weights

EXPERIENCE = Weights.of(
    {
        "own_chance": (0.4,),
        "own_gap": (0.8, 0.45, 0.25, 0.12, 0.05, 0.0, -0.05),
        "other_chance": (-0.6,),
        "other_gap": (-0.8, -0.5, -0.3, -0.15, -0.05, 0.0, 0.05),
        "hand_size": (0.2, 0.12, 0.06, 0.02, 0.0),
        "joker": (0.4,),
        "pair": (-0.02,),
        "covers": (
            *(0.0, 0.06, 0.02, 0.0, -0.01, -0.02, -0.03, -0.04, -0.05),
            *(-0.08, -0.1, -0.12, -0.14, -0.2, -0.1, -0.3),
        ),
        "tops": (*(0.0,) * 13, 0.3),
        "tops_below": (-0.02, *(0.04,) * 4, *(0.0,) * 8),
        "empty": (0.06,),
        "refill": (0.7,),
        "refill_chance": (0.5,),
        "unknown_top": (0.6,),
        "scarce_plays": (1.0,),
    }
)
"""Weights of an experienced player, set by hand: chains, jokers, and the opponent's possible plays."""

EVOLVED_FILE = Path(__file__).with_name("evolved.json")

EVOLVED = Weights(msgspec.json.decode(EVOLVED_FILE.read_bytes(), type=list[float]))
"""The weights that win most deals. `tests.bench.diavoletto_weights` evolves them by playing weights against weights."""
