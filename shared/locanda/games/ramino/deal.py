"""The state of a deal of Ramino between two moves, how a deal starts, and multisets of cards as one number.

A packed number has two bits for each design of the Cuccù deck: how many of its cards there are. A set of designs, such
as a combination, is such a number with counts of one, so that subtracting it takes it from a hand. Hands are packed
counts, combinations are sets of designs; the stock and the discards are byte strings of designs, bottom first.
"""

from collections.abc import Iterable

from msgspec import Struct

from locanda.cards import spelling
from locanda.cuccu import CARDS, CODES, DESIGNS, PACK
from locanda.games.game import Ranking, Shuffle
from locanda.games.ramino.types import Options

# --- cards as counts

EACH = sum(1 << 2 * card for card in range(len(DESIGNS)))
"""One of each design."""
SIZE = len(DESIGNS) // 4
"""Bytes of a number."""


def packed(cards: Iterable[int]) -> int:
    """Return the counts of these cards by design, as one number."""
    counts = 0
    for card in cards:
        counts += 1 << 2 * card
    return counts


def designs(counts: int) -> int:
    """Return the set of the designs that occur at least once."""
    return (counts | counts >> 1) & EACH


def size(counts: int) -> int:
    """Return the number of cards."""
    return (counts & EACH).bit_count() + 2 * (counts >> 1 & EACH).bit_count()


def unpacked(counts: int) -> tuple[int, ...]:
    """Return the cards in ascending order, equal ones next to each other."""
    return tuple([CARDS[code] for code in codes(counts)])


def _spell(counts: int) -> list[str]:
    return [code for card, code in enumerate(CODES) for _ in range(counts >> 2 * card & 3)]


codes = spelling(SIZE, _spell)
"""Returns the cards' codes in ascending order."""


def without(counts: int, cards: int) -> int:
    """Remove a set of designs from the counts, each design if it is there."""
    return counts - (designs(counts) & cards)


# --- the state of a deal


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: everything that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    known: tuple[int, ...]
    """By seat: what everybody knows of the hand, because it was taken from the discards (ruling B20)."""
    stock: bytes
    discards: bytes
    melds: tuple[int, ...]
    drawn: bool
    """Whether the seat on turn has drawn."""
    taken: int | None
    """What it took from the discards in this turn."""
    opened: int
    """The seats that laid or attached in an earlier turn, as a bit set."""
    acted: bool
    """Whether the seat on turn has laid or attached in this turn."""
    idle: int
    """Turns since anybody laid or attached; it changes as a turn ends."""
    closer: int | None
    """Once the deal is over: who closed it, or None if it was blocked."""


# --- how a deal starts

HAND = 5
PLAYERS = range(2, 5)
SUGGESTED = PLAYERS


def seats(_options: Options) -> range:
    """Return the numbers of players that the options allow: always 2 to 4."""
    return PLAYERS


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal five cards to each, one at a time from the seat after the dealer, and turn one up; the rest is stock."""
    stock = shuffle(seed, 0, PACK)
    hands: list[list[int]] = [[] for _ in range(players)]
    for number in range(HAND * players):
        hands[(dealer + 1 + number) % players].append(stock.pop())
    turned = stock.pop()
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(packed(hand) for hand in hands),
        known=(0,) * players,
        stock=bytes(stock),
        discards=bytes((turned,)),
        melds=(),
        drawn=False,
        taken=None,
        opened=0,
        acted=False,
        idle=0,
        closer=None,
    )
