"""Every combination that the pack allows, and which beats which (rules 4.1, Combinations and Trick).

There are 2,314 with the joker, each with the one way to play it. A joker counts as the card that it stands for.
"""

from collections.abc import Iterator
from itertools import combinations as subsets
from typing import get_args

from msgspec import Struct

from services.engine.games.presidente.cards import BITS, CARDS, CODES, EIGHT, JOKER, WILD, codes, decoded
from shared.cards import RANKS, mask
from shared.games.presidente import Kind, Options, Play

SINGLE, PAIR, THREE, FOUR, STRAIGHT = KINDS = get_args(Kind)

SHORTEST = 3
"""Cards of the shortest straight."""


class Combination(Struct, frozen=True, array_like=True):
    """Cards that are played together."""

    kind: Kind
    size: int
    rank: int
    """The rank of its cards; of a straight, the highest."""
    cards: int
    """As a bit set, the joker itself included."""
    joker: int | None = None
    """In a straight: the card that the joker stands for."""

    @property
    def has_joker(self) -> bool:
        """Is the joker one of its cards?"""
        return bool(self.cards >> JOKER)

    @property
    def has_eight(self) -> bool:
        """Is one of its cards an Eight, or a joker that stands for one?"""
        lowest = self.rank - self.size + 1 if self.kind == STRAIGHT else self.rank
        return lowest <= EIGHT <= self.rank

    @property
    def codes(self) -> tuple[str, ...]:
        """Its cards as the wire shows them: a set by suit, a straight upwards with the joker in its place."""
        if self.joker is None:
            return codes(self.cards)
        places = codes(self.cards & ~(1 << JOKER) | 1 << self.joker)
        return tuple(CODES[JOKER] if code == CODES[self.joker] else code for code in places)

    @property
    def play(self) -> Play:
        """The move that plays it, in canonical form."""
        return Play(self.codes, None if self.joker is None else CODES[self.joker])


def unbeatable(combination: Combination, options: Options) -> bool:
    """Can nothing beat it: a joker alone, or with the option anything that contains an Eight?"""
    return combination.rank == WILD or (options.eight and combination.has_eight)


def beats(combination: Combination, top: Combination, *, inverted: bool) -> bool:
    """Tell whether it beats another, which is not `unbeatable`: same kind, same length, strictly higher."""
    if (combination.kind, combination.size) != (top.kind, top.size):
        return False
    if combination.rank == WILD:
        return True
    return combination.rank < top.rank if inverted else combination.rank > top.rank


def _all() -> Iterator[Combination]:
    for rank in range(len(RANKS)):
        yield from _sets(rank)
    yield Combination(SINGLE, 1, WILD, 1 << JOKER)
    for size in range(SHORTEST, len(RANKS) + 1):
        for low in range(len(RANKS) - size + 1):
            for suit in range(BITS):
                yield from _straights(suit, low, size)


def _sets(rank: int) -> Iterator[Combination]:
    """Yield a card, pairs, threes and fours of a rank, each also with the joker for one of its cards."""
    cards = range(rank * BITS, (rank + 1) * BITS)
    for size in range(1, BITS + 1):
        for chosen in subsets(cards, size):
            yield Combination(KINDS[size - 1], size, rank, mask(chosen))
        for chosen in subsets(cards, size - 1) if size > 1 else ():
            yield Combination(KINDS[size - 1], size, rank, mask(chosen) | 1 << JOKER)


def _straights(suit: int, low: int, size: int) -> Iterator[Combination]:
    """Yield a straight, and then the same with the joker in each of its places."""
    high = low + size - 1
    places = [rank * BITS + suit for rank in range(low, high + 1)]
    cards = mask(places)
    yield Combination(STRAIGHT, size, high, cards)
    for place in places:
        yield Combination(STRAIGHT, size, high, cards & ~(1 << place) | 1 << JOKER, place)


ALL: tuple[Combination, ...] = tuple(_all())

PLAYS: dict[Combination, Play] = {combination: combination.play for combination in ALL}

_BY_PLAY: dict[Play, Combination] = {play: combination for combination, play in PLAYS.items()}


def _by_cards() -> dict[int, tuple[Combination, ...]]:
    readings: dict[int, tuple[Combination, ...]] = {}
    for combination in ALL:
        readings[combination.cards] = (*readings.get(combination.cards, ()), combination)
    return readings


READINGS: dict[int, tuple[Combination, ...]] = _by_cards()
"""What a set of cards can be read as: more than one where a joker may stand at either end of a straight."""


def combination(play: Play) -> Combination | None:
    """Return what a move plays, however it is spelt; nothing where its cards are no combination."""
    known = _BY_PLAY.get(play)
    if known is not None or len(set(play.cards)) < len(play.cards):
        return known
    joker = None if play.joker is None else CARDS[play.joker]
    readings = READINGS.get(decoded(play.cards), ())
    return next((reading for reading in readings if reading.joker == joker), None)
