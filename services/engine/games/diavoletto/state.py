"""A deal of Diavoletto: piles are byte strings, bottom first; hands are byte strings in ascending order."""

from typing import TypeAlias, TypeVar

from msgspec import Struct

from shared.games.diavoletto import Options

HAND = 5
COLUMNS = 4
MOST_BUILDS = 8
"""As many as there are Aces, each of which opens one."""

Columns: TypeAlias = tuple[bytes, ...]

T = TypeVar("T")


class Deal(Struct, frozen=True, array_like=True):
    """A deal: everything there is to know about it, and nothing else."""

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
    """Has a card been moved in this turn?"""
    advanced: bool
    """Has a mazzetto card been played in this turn?"""
    refills: int
    """Hands refilled in this turn, since its last mazzetto card."""
    redeals: int


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: two."""
    return range(2, 3)


def with_seat(both: tuple[T, T], seat: int, new: T) -> tuple[T, T]:
    """Return the pair with one seat's part replaced."""
    return (both[0], new) if seat else (new, both[1])
