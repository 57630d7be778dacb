"""A deal of Gatto Rosso Gatto Grigio: the pack, the state between two moves, and how a deal starts.

Hands are bit sets over the cards of `locanda.cards`; the stock and the table are byte strings, bottom first.
"""

from functools import lru_cache

from msgspec import Struct

from locanda.cards import CODES, ITALIAN_RANKS, SUITS, codes, members, pack, spelling
from locanda.games.game import Ranking, Shuffle
from locanda.games.gatto_rosso.types import Options


class DealState(Struct, frozen=True, array_like=True):
    """The state of a deal: everything that its next moves depend on."""

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


hand_codes = spelling((len(CODES) + 7) // 8, lambda hand: codes(card for card in members(hand) if card < len(CODES)))
"""Returns the codes of a hand, by suit and rank."""

# --- how a deal starts

PLAYERS = range(2, 11)
SUGGESTED = range(2, 7)
PLAYERS_OF_THREE_SUITS = range(2, 3)

HAND = 4
"""Cards to each at the start, and after each refill."""


def seats(options: Options) -> range:
    """Return the numbers of players that the options allow: 2 to 10; with three suits, 2."""
    return PLAYERS_OF_THREE_SUITS if options.three_suits else PLAYERS


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal four cards to each, one at a time from the seat after the dealer; the rest is the stock."""
    stock = shuffle(seed, 0, cards_in_play(options.three_suits))
    hands = [0] * players
    for number in range(HAND * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        stock=bytes(stock),
        table=b"",
        last=None,
        passes=0,
        captured=(0,) * players,
        sitting_out=0,
    )
