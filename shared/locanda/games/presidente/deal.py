"""Presidente's cards, all their combinations, and how a deal starts.

A card is ``rank * 4 + suit``, Ace low, hearts first, the joker last, so that a combination's cards are neighbours in a
bit set. Hands, and all cards that lie together, are bit sets. There are 2,314 combinations with the joker, each with
one canonical play; a joker counts as the card that it stands for.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations as subsets

from locanda.cards import CODES_BY_RANK, RANKS, mask
from locanda.games.game import Ranking, Shuffle, deal_out
from locanda.games.presidente.types import (
    BITS,
    CARD_SET,
    CARDS,
    JOKER,
    KINDS,
    SINGLE,
    STRAIGHT,
    WILD,
    DealState,
    Due,
    Options,
    Play,
    RankedCombination,
)

# --- cards

CODES = CODES_BY_RANK
NATURAL = (1 << JOKER) - 1
"""Every card but the joker, as a bit set."""


@lru_cache(maxsize=64)
def cards_in_play(options: Options, _players: int = 0) -> range:
    """Return the cards in play: 52, or 53 with the joker."""
    return range(JOKER + 1 if options.joker else JOKER)


codes, decoded = CARD_SET.to_wire, CARD_SET.from_wire
"""Return the codes of a bit set of cards, by rank and suit, the joker last; and back."""


# --- combinations

SHORTEST = 3
"""Cards of the shortest straight."""


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


# --- how a deal starts

PLAYERS = range(2, 6)
SUGGESTED = range(3, 6)


def hand_size(players: int) -> int:
    """Return how many cards each player is dealt."""
    return 10 if players == 5 else 13


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, previous: Ranking | None
) -> DealState:
    """Deal the hands, one card at a time from the seat after the dealer. A seat with a tax to choose acts first."""
    stock = shuffle(seed, 0, cards_in_play(options))
    hands = deal_out(stock, players, dealer, hand_size(players))
    owed = dues([seat for place in previous or () for seat in place], players) if options.tax else ()
    return DealState(
        options=options,
        dealer=dealer,
        turn=owed[0][0] if owed else (dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(map(mask, hands)),
        shown=mask(stock),
        dues=owed,
    )


def dues(places: Sequence[int], players: int) -> tuple[Due, ...]:
    """Return the taxes after a deal with these places; none if the number of players changed (rulings P14, P15)."""
    if len(places) != players:
        return ()
    second = ((places[1], places[-2], 1),) if players > 3 else ()
    return ((places[0], places[-1], 2), *second)
