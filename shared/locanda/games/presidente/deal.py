"""Presidente's cards, all their combinations, the state of a deal between two moves, and how a deal starts.

A card is ``rank * 4 + suit``, Ace low, hearts first, the joker last, so that a combination's cards are neighbours in a
bit set. Hands, and all cards that lie together, are bit sets. There are 2,314 combinations with the joker, each with
one canonical play; a joker counts as the card that it stands for.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations as subsets
from typing import TypeAlias, get_args

from msgspec import Struct

from locanda.cards import CODES_BY_RANK, RANKS, SUITS, mask, members, spelling
from locanda.games.game import Ranking, Shuffle
from locanda.games.presidente.types import Due, Kind, Options, Play

# --- cards

BITS = len(SUITS)
"""Cards of a rank: from one rank to the next it takes a shift by so many bits."""
JOKER = 52
CODES = CODES_BY_RANK
CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}

NATURAL = (1 << JOKER) - 1
"""Every card but the joker, as a bit set."""

EIGHT = RANKS.index("8")
WILD = len(RANKS)
"""The rank of a joker that is played alone: above all others."""


def pack(*, joker: bool) -> range:
    """Return the cards in play: 52, or 53 with the joker."""
    return range(JOKER + 1 if joker else JOKER)


codes = spelling((len(CODES) + 7) // 8, lambda cards: [CODES[card] for card in members(cards) if card < len(CODES)])
"""Returns the codes of a bit set of cards, by rank and suit, the joker last."""


def decoded(codes: Iterable[str]) -> int:
    """Return the bit set of these codes."""
    return mask(map(CARDS.__getitem__, codes))


# --- combinations

SINGLE, PAIR, THREE, FOUR, STRAIGHT = KINDS = get_args(Kind)

SHORTEST = 3
"""Cards of the shortest straight."""


class RankedCombination(Struct, frozen=True, array_like=True):
    """Cards that are played together, and what decides which beats which: kind, number of cards, rank."""

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
        """Whether the joker is one of its cards."""
        return bool(self.cards >> JOKER)

    @property
    def has_eight(self) -> bool:
        """Whether one of its cards is an Eight, or a joker that stands for one."""
        lowest = self.rank - self.size + 1 if self.kind == STRAIGHT else self.rank
        return lowest <= EIGHT <= self.rank

    @property
    def codes(self) -> tuple[str, ...]:
        """Its cards as the wire shows them: a set by suit; a straight upwards, with the joker in its place."""
        if self.joker is None:
            return codes(self.cards)
        places = codes(self.cards & ~(1 << JOKER) | 1 << self.joker)
        return tuple(CODES[JOKER] if code == CODES[self.joker] else code for code in places)

    @property
    def play(self) -> Play:
        """The canonical move that plays it."""
        return Play(self.codes, None if self.joker is None else CODES[self.joker])


def _all() -> Iterator[RankedCombination]:
    for rank in range(len(RANKS)):
        yield from _sets(rank)
    yield RankedCombination(SINGLE, 1, WILD, 1 << JOKER)
    for size in range(SHORTEST, len(RANKS) + 1):
        for low in range(len(RANKS) - size + 1):
            for suit in range(BITS):
                yield from _straights(suit, low, size)


def _sets(rank: int) -> Iterator[RankedCombination]:
    """Yield a card, pairs, threes and fours of a rank, each also with the joker for one of its cards."""
    cards = range(rank * BITS, (rank + 1) * BITS)
    for size in range(1, BITS + 1):
        for chosen in subsets(cards, size):
            yield RankedCombination(KINDS[size - 1], size, rank, mask(chosen))
        for chosen in subsets(cards, size - 1) if size > 1 else ():
            yield RankedCombination(KINDS[size - 1], size, rank, mask(chosen) | 1 << JOKER)


def _straights(suit: int, low: int, size: int) -> Iterator[RankedCombination]:
    """Yield a straight, and then the same with the joker in each of its places."""
    high = low + size - 1
    places = [rank * BITS + suit for rank in range(low, high + 1)]
    cards = mask(places)
    yield RankedCombination(STRAIGHT, size, high, cards)
    for place in places:
        yield RankedCombination(STRAIGHT, size, high, cards & ~(1 << place) | 1 << JOKER, place)


ALL: tuple[RankedCombination, ...] = tuple(_all())

PLAYS: dict[RankedCombination, Play] = {combination: combination.play for combination in ALL}

_BY_PLAY: dict[Play, RankedCombination] = {play: combination for combination, play in PLAYS.items()}


def _by_cards() -> dict[int, tuple[RankedCombination, ...]]:
    readings: dict[int, tuple[RankedCombination, ...]] = {}
    for combination in ALL:
        readings[combination.cards] = (*readings.get(combination.cards, ()), combination)
    return readings


READINGS: dict[int, tuple[RankedCombination, ...]] = _by_cards()
"""What a set of cards can be read as: more than one where a joker may stand at either end of a straight."""


def combination(play: Play) -> RankedCombination | None:
    """Return the combination that a move plays, whatever the order of its cards; None if its cards are none."""
    known = _BY_PLAY.get(play)
    if known is not None or len(set(play.cards)) < len(play.cards):
        return known
    joker = None if play.joker is None else CARDS[play.joker]
    readings = READINGS.get(decoded(play.cards), ())
    return next((reading for reading in readings if reading.joker == joker), None)


# --- the state of a deal

Knowledge: TypeAlias = tuple[int, int, int]
"""Cards that came to a hand by the tax: who holds them, who knows of them, and the cards, as long as they are held."""


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: everything that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    shown: int
    """The cards left over."""
    table: RankedCombination | None
    last: int | None
    """Who played the combination on the table."""
    passes: int
    inverted: bool
    out: tuple[int, ...]
    dues: tuple[Due, ...]
    known: tuple[Knowledge, ...]
    """Who knows of which cards by the tax."""
    gone: int
    """The cards played, but for those on the table."""
    sitting_out: int
    """With `pass_lock`: the seats that have passed in this trick, as a bit set."""


# --- how a deal starts

PLAYERS = range(2, 6)
SUGGESTED = range(3, 6)


def seats(_options: Options) -> range:
    """Return the numbers of players that the options allow: always 2 to 5."""
    return PLAYERS


def hand_size(players: int) -> int:
    """Return how many cards each player is dealt."""
    return 10 if players == 5 else 13


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, previous: Ranking | None
) -> DealState:
    """Deal the hands, one card at a time from the seat after the dealer. A seat with a tax to choose acts first."""
    stock = shuffle(seed, 0, pack(joker=options.joker))
    hands = [0] * players
    for number in range(hand_size(players) * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    owed = dues([seat for place in previous or () for seat in place], players) if options.tax else ()
    return DealState(
        options=options,
        dealer=dealer,
        turn=owed[0][0] if owed else (dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        shown=mask(stock),
        table=None,
        last=None,
        passes=0,
        inverted=False,
        out=(),
        dues=owed,
        known=(),
        gone=0,
        sitting_out=0,
    )


def dues(places: Sequence[int], players: int) -> tuple[Due, ...]:
    """Return the taxes after a deal with these places; none if the number of players changed (rulings P14, P15)."""
    if len(places) != players:
        return ()
    second = ((places[1], places[-2], 1),) if players > 3 else ()
    return ((places[0], places[-1], 2), *second)
