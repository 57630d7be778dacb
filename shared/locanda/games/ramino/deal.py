"""How a deal of Ramino starts, and multisets of cards as one number.

A packed number has two bits for each design of the Cuccù deck: how many of its cards there are. A set of designs, such
as a combination, is such a number with counts of one, so that subtracting it takes it from a hand. Hands are packed
counts, combinations are sets of designs; the stock and the discards are byte strings of designs, bottom first.
"""

from locanda.cuccu import CARDS, PACK
from locanda.games.game import Ranking, Shuffle, deal_out
from locanda.games.ramino.types import COUNTS, EACH, DealState, Options, packed

# --- cards as counts

codes = COUNTS.to_wire
"""Returns the cards' codes in ascending order."""


def designs(counts: int) -> int:
    """Return the set of the designs that occur at least once."""
    return (counts | counts >> 1) & EACH


def unpacked(counts: int) -> tuple[int, ...]:
    """Return the cards in ascending order, equal ones next to each other."""
    return tuple([CARDS[code] for code in codes(counts)])


def without(counts: int, cards: int) -> int:
    """Remove a set of designs from the counts, each design if it is there."""
    return counts - (designs(counts) & cards)


# --- how a deal starts

HAND = 5
PLAYERS = range(2, 5)


def cards_in_play(_options: Options, _players: int) -> tuple[int, ...]:
    """Return the whole deck."""
    return PACK


def deal(
    options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> DealState:
    """Deal five cards to each, one at a time from the seat after the dealer, and turn one up; the rest is stock."""
    stock = shuffle(seed, 0, PACK)
    hands = deal_out(stock, players, dealer, HAND)
    turned = stock.pop()
    return DealState(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(map(packed, hands)),
        known=(0,) * players,
        stock=bytes(stock),
        discards=bytes((turned,)),
    )
