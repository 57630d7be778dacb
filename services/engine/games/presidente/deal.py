"""How many may play, how a deal starts, and who owes the tax to whom."""

from collections.abc import Sequence

from locanda.cards import mask
from locanda.games.presidente import Due, Options
from services.engine.games.base import Ranking, Shuffle
from services.engine.games.presidente.state import DealState, pack

PLAYERS = range(2, 6)


def seats(_options: Options) -> range:
    """Return the numbers of players that the options admit: always 2 to 5."""
    return PLAYERS


def hand_size(players: int) -> int:
    """Return how many cards each is dealt."""
    return 10 if players == 5 else 13


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, previous: Ranking | None
) -> DealState:
    """Deal the hands, one card at a time from the seat after the dealer; who has a tax to pay comes first."""
    stock = shuffle(seed, 0, pack(joker=options.joker))
    hands = [0] * players
    for number in range(hand_size(players) * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    owed = dues([seat for place in previous or () for seat in place], players) if options.tax else ()
    return DealState(
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


def dues(places: Sequence[int], players: int) -> tuple[Due, ...]:
    """Return the taxes after a deal that ended with these places; none for other players (rulings P14, P15)."""
    if len(places) != players:
        return ()
    second = ((places[1], places[-2], 1),) if players > 3 else ()
    return ((places[0], places[-1], 2), *second)
