"""How good a position is at the end of a turn, in mazzetto cards: a linear function of its features.

The value is what the player whose turn ends will play from the mazzetto in the next turns, less what the other will,
the nearer turns counting more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.engine.games.diavoletto.state import KING, WILD, Columns
from services.engine.players.diavoletto.features import (
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
from services.engine.players.diavoletto.outlook import Outlook


class Weights:
    """The weights of the features, by group."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values = tuple(values)
        self.groups = {name: self.values[START[name] : START[name] + size] for name, size in SIZES.items()}

    @classmethod
    def of(cls, groups: dict[str, Sequence[float]]) -> "Weights":
        """Return weights by group; a group left out weighs nothing."""
        return cls([weight for name, size in SIZES.items() for weight in groups.get(name, (0.0,) * size)])


@dataclass(slots=True)
class _Needs:
    """What is the same for all positions with the same builds."""

    open: tuple[int, ...]
    score: float


@dataclass(slots=True)
class _Hand:
    mask: int
    jokers: int
    score: float


class Judge:
    """Judges the ends of one turn. Whatever they share is computed once."""

    def __init__(self, outlook: Outlook, weights: Weights) -> None:
        self._outlook, self._groups = outlook, weights.groups
        self._draws = Draws(outlook.pool, outlook.drawable)
        self._needs: dict[int, _Needs] = {}
        self._hands: dict[tuple[bytes, bool], _Hand] = {}
        self._columns: dict[tuple[bytes, bool], tuple[Column, float]] = {}
        self._other_columns = [column(pile) for pile in outlook.other.columns]
        self._other_jokers = sum(each.jokers for each in self._other_columns)
        groups, own, other = self._groups, outlook.own, outlook.other
        other_score = sum(
            groups["other_" + group][number]
            for pile in other.columns
            for group, number in column_features(pile, other.top)
        )
        self._always = groups["bias"][0] + groups["other_hand_size"][other.hand_size] + groups["other_top"][other.top]
        self._always += other_score
        self._cards = len(outlook.hand) + sum(map(len, own.columns))
        self._per_play = 0.0
        if outlook.drawable < SCARCE:
            ahead = own.left < other.left
            self._per_play = groups["scarce_plays"][0] + ahead * groups["scarce_plays_ahead"][0]
        self._known_top = groups["own_top"][own.top]
        self._by_need = [
            groups["needs_own"][13 + own.top - need] + groups["needs_other"][13 + other.top - need]
            for need in range(KING + 1)
        ]
        self._by_need_unknown = [groups["needs_other"][13 + other.top - need] for need in range(KING + 1)]
        below = groups["hand_below_top"]
        self._in_hand = [groups["hand_rank"][rank] + below[BELOW[own.top][rank]] for rank in range(KING + 1)]

    def ended(self, hand: bytes, needs: int, columns: Columns, *, known: bool = True, discards: int = 0) -> float:
        """Return the value of the end of the turn.

        `known` tells whether the mazzetto's card is still the one that was seen, `discards` how many cards of the hand
        will be discarded first.
        """
        builds, held = self._builds(needs, known=known), self._hand(hand, known=known)
        offers, value = self._offers(columns, known=known)
        value += self._plays(hand, columns)
        size = max(0, len(hand) - discards)
        value += builds.score + held.score + self._groups["own_hand_size"][min(size, 4)]
        if not known:
            return value + self._groups["unknown_top"][0]
        jokers = held.jokers + sum(each.jokers for each in offers)
        chance, gap = reach(self._outlook.own.top, builds.open, held.mask, offers, jokers, (self._draws, 5 - size))
        return value + self._known_top + self._groups["own_chance"][0] * chance + self._groups["own_gap"][gap]

    def refilled(self, needs: int, columns: Columns, *, known: bool = True) -> float:
        """Return the value of a turn that goes on with five new cards."""
        builds = self._builds(needs, known=known)
        offers, value = self._offers(columns, known=known)
        value += builds.score + self._groups["refill"][0] + self._plays(b"", columns)
        if not known:
            return value + self._groups["unknown_top"][0]
        jokers = sum(each.jokers for each in offers)
        chance, _ = reach(self._outlook.own.top, builds.open, 0, offers, jokers, (self._draws, 5))
        return value + self._known_top + self._groups["refill_chance"][0] * chance

    def _builds(self, needs: int, *, known: bool) -> _Needs:
        key = needs << 1 | known
        found = self._needs.get(key)
        if found is None:
            found = self._needs[key] = self._new_builds(needs, known=known)
        return found

    def _new_builds(self, needs: int, *, known: bool) -> _Needs:
        ranks = open_needs(needs, self._outlook.room)
        by_need = self._by_need if known else self._by_need_unknown
        score = self._always + sum((needs >> 4 * need & 15) * by_need[need] for need in ranks if need)
        groups = self._groups
        chance, gap = reach(
            self._outlook.other.top, ranks, 0, self._other_columns, self._other_jokers, (self._draws, 5)
        )
        score += groups["other_chance"][0] * chance + groups["other_gap"][gap]
        return _Needs(ranks, score)

    def _hand(self, hand: bytes, *, known: bool) -> _Hand:
        key = hand, known
        found = self._hands.get(key)
        if found is None:
            by_rank = self._in_hand if known else self._groups["hand_rank"]
            jokers = hand.count(WILD)
            naturals = hand[: len(hand) - jokers]
            score = sum([by_rank[rank] for rank in naturals]) + jokers * self._groups["joker"][0]
            score += self._groups["pair"][0] * (len(naturals) - len(set(naturals)))
            found = self._hands[key] = _Hand(masked(naturals), jokers, score)
        return found

    def _offers(self, columns: Columns, *, known: bool) -> tuple[list[Column], float]:
        offers, total = [], 0.0
        for pile in columns:
            found = self._columns.get((pile, known))
            if found is None:
                found = self._columns[pile, known] = self._offer(pile, known=known)
            offers.append(found[0])
            total += found[1]
        return offers, total

    def _plays(self, hand: bytes, columns: Columns) -> float:
        """Return what the plays from hand and columns are worth by themselves: something where cards are scarce."""
        return self._per_play * (self._cards - len(hand) - sum(map(len, columns))) if self._per_play else 0.0

    def _offer(self, pile: bytes, *, known: bool) -> tuple[Column, float]:
        top = self._outlook.own.top if known else None
        score = sum(self._groups["own_" + group][number] for group, number in column_features(pile, top))
        return column(pile), score
