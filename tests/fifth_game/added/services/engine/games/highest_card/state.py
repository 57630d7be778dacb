"""The state of a deal of Highest Card between two moves. Hands are bit sets over the cards of `locanda.cards`."""

from locanda.games.highest_card import Options
from msgspec import Struct

from locanda.cards import ITALIAN_RANKS, SUITS, pack

PACK = pack(ITALIAN_RANKS, SUITS)


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: all that its next moves depend on."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    stock: bytes
    table: int | None
    captured: tuple[int, ...]
