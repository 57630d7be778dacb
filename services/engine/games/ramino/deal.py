"""How many may play, and how a deal starts."""

from locanda.cuccu import PACK
from locanda.games.ramino import Options
from services.engine.games.base import Ranking, Shuffle
from services.engine.games.ramino.state import DealState, packed

HAND = 5
PLAYERS = range(2, 5)


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: always 2 to 4."""
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
