"""How many may play, and how a deal starts."""

from locanda.games.gatto_rosso import Options
from services.engine.games.base import Ranking, Shuffle
from services.engine.games.gatto_rosso.state import DealState, cards_in_play

PLAYERS = range(2, 11)
PLAYERS_OF_THREE_SUITS = range(2, 3)

HAND = 4
"""Cards to each at the start, and after each refill."""


def seats(options: Options) -> range:
    """Return the numbers of players that the options admit: 2 to 10, just 2 with three suits."""
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
