"""The state of a deal of Highest Card between two moves, and how a deal starts.

Hands are bit sets over the cards of `locanda.cards`.
"""

from locanda.games.highest_card import Options
from msgspec import Struct

from locanda.cards import ITALIAN_RANKS, SUITS, pack
from services.engine.games.base import Ranking, Shuffle

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


PLAYERS = range(2, 3)


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: two."""
    return PLAYERS


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal the hands, one card at a time from the seat after the dealer; the rest is the stock."""
    stock = shuffle(seed, 0, PACK)
    hands = [0] * players
    for number in range(options.cards * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        stock=bytes(stock),
        table=None,
        captured=(0,) * players,
    )
