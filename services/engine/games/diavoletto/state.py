"""The cards of Diavoletto, numbered rank by rank, and the state of a deal between two moves.

Piles are byte strings, bottom first; hands are byte strings in ascending order: sorted by rank, jokers last.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias, TypeVar

from msgspec import Struct

from locanda.cards import RANKS, SUITS
from locanda.games.diavoletto import Options

# --- cards

CODES: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "*")
CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}
JOKER = CARDS["*"]

PACK = bytes(range(JOKER))
"""A French pack of 52, from the Aces to the Kings."""

ACE, KING, WILD = 0, 12, 13
"""Ranks; a joker has one of its own."""

SINGLE: tuple[bytes, ...] = tuple(bytes((card,)) for card in range(len(CODES)))
"""Each card as a pile of one."""


def rank(card: int) -> int:
    """Return the rank of a card: 0 for an Ace to 12 for a King, 13 for a joker."""
    return card >> 2


@lru_cache(maxsize=2**13)
def codes(pile: bytes) -> tuple[str, ...]:
    """Return the codes of a pile's cards, in the order given. Cached, because few piles change with a move."""
    return tuple([CODES[card] for card in pile])


def cards(codes: Iterable[str]) -> bytes:
    """Return the pile of these codes, in the order given."""
    return bytes([CARDS[code] for code in codes])


# --- the state of a deal

HAND = 5
COLUMNS = 4
MOST_BUILDS = 8
"""As many as there are Aces, each of which opens one."""

Columns: TypeAlias = tuple[bytes, ...]

T = TypeVar("T")


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: all that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[bytes, bytes]
    mazzetti: tuple[bytes, bytes]
    columns: tuple[Columns, Columns]
    builds: tuple[bytes, ...]
    aside: bytes
    stock: bytes
    stalled: int
    """Turns in a row without a card moved."""
    barren: int
    """Turns in a row without a card played from a mazzetto, and the refills of those turns."""
    moved: bool
    """Whether a card has been moved in this turn."""
    advanced: bool
    """Whether a mazzetto card has been played in this turn."""
    refills: int
    """Hands refilled in this turn, since its last mazzetto card."""
    redeals: int


def with_seat(both: tuple[T, T], seat: int, new: T) -> tuple[T, T]:
    """Return the pair with one seat's part replaced."""
    return (both[0], new) if seat else (new, both[1])
