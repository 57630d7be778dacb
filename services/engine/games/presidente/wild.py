"""The combinations that the joker of a hand completes."""

from collections.abc import Iterator
from functools import lru_cache

from services.engine.games.presidente.cards import BITS, JOKER, NATURAL
from services.engine.games.presidente.combinations import ALL, SHORTEST, SINGLE, STRAIGHT, Combination
from shared.cards import RANKS, mask

RANK_CARDS = tuple(mask(range(BITS * rank, BITS * (rank + 1))) for rank in range(len(RANKS)))
SUIT_CARDS = tuple(mask(range(suit, JOKER, BITS)) for suit in range(BITS))

SETS = tuple(each for each in ALL if each.has_joker and each.kind not in (SINGLE, STRAIGHT))

STRAIGHTS = {(each.size, each.rank, each.joker): each for each in ALL if each.has_joker and each.kind == STRAIGHT}
"""By size, highest rank and the card that the joker stands for."""


def with_joker(hand: int) -> Iterator[Combination]:
    """Yield the sets and then the straights that the joker of a hand completes."""
    for rank in RANK_CARDS:
        if held := hand & rank:
            yield from _sets(held)
    for suit, cards in enumerate(SUIT_CARDS):
        held = hand & cards
        if held & held - 1:
            yield from _straights(suit, held)


@lru_cache(maxsize=len(RANKS) << BITS)
def _sets(cards: int) -> tuple[Combination, ...]:
    return tuple(each for each in SETS if not each.cards & NATURAL & ~cards)


@lru_cache(maxsize=4096)
def _straights(suit: int, cards: int) -> tuple[Combination, ...]:
    return tuple(straight for low in range(suit, JOKER, BITS) for straight in _straights_from(low, cards))


def _straights_from(low: int, cards: int) -> Iterator[Combination]:
    """Yield the straights upwards from a card; the joker fills the one gap, or any place where there is none."""
    places: list[int] = []
    gaps: list[int] = []
    for card in range(low, JOKER, BITS):
        places.append(card)
        if not cards >> card & 1:
            gaps.append(card)
        if len(gaps) > 1:
            return
        if len(places) >= SHORTEST:
            yield from (STRAIGHTS[len(places), card // BITS, place] for place in gaps or places)
