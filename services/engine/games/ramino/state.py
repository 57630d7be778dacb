"""A deal of Ramino, and how it starts.

Hands are counts of each design, combinations sets of designs (see `counts`); the stock and the discards are byte
strings of designs, bottom first.
"""

from msgspec import Struct

from services.engine.games.game import Ranking, Shuffle
from services.engine.games.ramino.counts import packed
from shared.cuccu import PACK
from shared.games.ramino import Options

HAND = 5
SEATS = range(2, 5)


class Deal(Struct, frozen=True, array_like=True):
    """A deal: everything there is to know about it, and nothing else."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    known: tuple[int, ...]
    """By seat: what everybody knows of the hand, because it was taken from the discards (rules 2.6)."""
    stock: bytes
    discards: bytes
    melds: tuple[int, ...]
    drawn: bool
    """Has the seat on turn drawn?"""
    taken: int | None
    """What it took from the discards in this turn."""
    opened: int
    """The seats that laid or attached in an earlier turn, as a bit set."""
    acted: bool
    """Has the seat on turn laid or attached in this one?"""
    idle: int
    """Turns since anybody laid or attached; it changes as a turn ends."""
    closer: int | None
    """Once the deal is over: who closed it, or none where it was blocked."""


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: always 2 to 4."""
    return SEATS


def deal(options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None) -> Deal:
    """Deal five cards to each, one at a time from the seat after the dealer, and turn one up; the rest is stock."""
    stock = shuffle(seed, 0, PACK)
    hands: list[list[int]] = [[] for _ in range(players)]
    for number in range(HAND * players):
        hands[(dealer + 1 + number) % players].append(stock.pop())
    turned = stock.pop()
    return Deal(
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
