"""A deal of Presidente, and how it starts. Hands, and all cards that lie together, are bit sets."""

from typing import TypeAlias

from msgspec import Struct

from services.engine.games.game import Ranking, Shuffle
from services.engine.games.presidente.cards import pack
from services.engine.games.presidente.combinations import Combination
from services.engine.games.presidente.tax import Due, dues
from shared.cards import mask
from shared.games.presidente import Options

PLAYERS = range(2, 6)

Knowledge: TypeAlias = tuple[int, int, int]
"""Cards that came to a hand by the tax: who holds them, who knows of them, and the cards, as long as they are held."""


class Deal(Struct, frozen=True, array_like=True):
    """A deal: everything there is to know about it, and nothing else."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    shown: int
    """The cards left over."""
    table: Combination | None
    last: int | None
    """Who played the combination on the table."""
    passes: int
    inverted: bool
    out: tuple[int, ...]
    dues: tuple[Due, ...]
    known: tuple[Knowledge, ...]
    """What the tax has told whom."""
    gone: int
    """The cards played, but for those on the table."""
    sitting_out: int
    """With `pass_lock`: the seats that have passed in this trick, as a bit set."""


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: always 2 to 5."""
    return PLAYERS


def hand_size(players: int) -> int:
    """Return how many cards each is dealt."""
    return 10 if players == 5 else 13


def deal(options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, previous: Ranking | None) -> Deal:
    """Deal the hands, one card at a time from the seat after the dealer; who has a tax to pay comes first."""
    stock = shuffle(seed, 0, pack(joker=options.joker))
    hands = [0] * players
    for number in range(hand_size(players) * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    owed = dues([seat for place in previous or () for seat in place], players) if options.tax else ()
    return Deal(
        options=options,
        dealer=dealer,
        turn=owed[0][0] if owed else (dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        shown=mask(stock),
        table=None,
        last=None,
        passes=0,
        inverted=False,
        out=(),
        dues=owed,
        known=(),
        gone=0,
        sitting_out=0,
    )
