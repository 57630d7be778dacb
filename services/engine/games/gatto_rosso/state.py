"""A deal of Gatto Rosso Gatto Grigio: the pack, and the state between two moves.

Hands are bit sets over the cards of `locanda.cards`; the stock and the table are byte strings, bottom first.
"""

from functools import lru_cache

from msgspec import Struct

from locanda.cards import ITALIAN_RANKS, SUITS, pack
from locanda.games.gatto_rosso import Options


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: all that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    stock: bytes
    table: bytes
    last: int | None
    """Who played the top card; once the deal is over, who closed it, or None if a refill left a hand empty."""
    passes: int
    captured: tuple[int, ...]
    sitting_out: int
    """With `pass_lock`: the seats that have passed in this trick, as a bit set."""


@lru_cache(maxsize=8)
def cards_in_play(three_suits: str | None) -> tuple[int, ...]:
    """Return the pack: 40 cards, or 30 when a suit is left out."""
    return pack(ITALIAN_RANKS, SUITS.replace(three_suits or "-", ""))
