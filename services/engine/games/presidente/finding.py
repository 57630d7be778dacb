"""The combinations that a hand holds: those it can lead, and those that beat the table.

The work is done on bit sets, in which a shift by `BITS` is a step of one rank.
"""

from services.engine.games.presidente.cards import BITS, JOKER, NATURAL
from services.engine.games.presidente.combinations import ALL, PLAYS, SHORTEST, SINGLE, STRAIGHT, Combination, beats
from services.engine.games.presidente.wild import with_joker
from shared.cards import RANKS, mask, members
from shared.games.presidente import Play

RANK = (1 << BITS) - 1
"""The four cards of the lowest rank."""
HEARTS = mask(range(0, JOKER, BITS))

HIGHER = tuple(NATURAL >> BITS * (rank + 1) << BITS * (rank + 1) for rank in range(len(RANKS)))
"""The cards above each rank."""
LOWER = tuple((1 << BITS * rank) - 1 for rank in range(len(RANKS)))
"""The cards below each rank."""

SINGLES = tuple(PLAYS[each] for each in ALL if each.kind == SINGLE)
"""By card, the joker last."""

STRAIGHTS = {
    (each.size, (each.cards & -each.cards).bit_length() - 1): PLAYS[each]
    for each in ALL
    if each.kind == STRAIGHT and not each.has_joker
}
"""By size and lowest card."""

NATURAL_SETS = tuple(each for each in ALL if each.kind not in (SINGLE, STRAIGHT) and not each.has_joker)


def _sets_of(rank: int, suits: int, size: int) -> tuple[Play, ...]:
    outside = ~(suits << BITS * rank)
    sets = (each for each in NATURAL_SETS if (each.rank, each.size) == (rank, size))
    return tuple(PLAYS[each] for each in sets if not each.cards & outside)


SETS = {
    size: tuple(tuple(_sets_of(rank, suits, size) for suits in range(RANK + 1)) for rank in range(len(RANKS)))
    for size in range(2, BITS + 1)
}
"""By size, rank and the suits that a hand holds of it."""


def leads(hand: int) -> list[Play]:
    """Return all that a hand can lead: cards, sets and straights, low before high, then all with the joker."""
    cards = hand & NATURAL
    plays = _singles(cards)
    for size in SETS:
        plays += _sets(cards, size)
    size, runs = SHORTEST, _runs(cards, SHORTEST)
    while runs:
        plays += [STRAIGHTS[size, low] for low in members(runs)]
        size, runs = size + 1, cards & runs >> BITS
    if hand >> JOKER:
        plays.append(SINGLES[JOKER])
        plays += [PLAYS[each] for each in with_joker(hand)]
    return plays


def answers(hand: int, top: Combination, *, inverted: bool) -> list[Play]:
    """Return all in a hand that beats the table, in the same order."""
    cards, winning = hand & NATURAL, LOWER if inverted else HIGHER
    if top.kind == STRAIGHT:
        lows = _runs(cards, top.size) & winning[top.rank - top.size + 1]
        plays = [STRAIGHTS[top.size, low] for low in members(lows)]
    elif top.kind == SINGLE:
        plays = _singles(cards & winning[top.rank])
    else:
        plays = _sets(cards & winning[top.rank], top.size)
    if hand >> JOKER:
        if top.kind == SINGLE:
            plays.append(SINGLES[JOKER])
        plays += [PLAYS[each] for each in with_joker(hand) if beats(each, top, inverted=inverted)]
    return plays


def _singles(cards: int) -> list[Play]:
    return [SINGLES[card] for card in members(cards)]


def _sets(cards: int, size: int) -> list[Play]:
    sets = SETS[size]
    plays: list[Play] = []
    for heart in members(_ranks(cards, size)):
        plays += sets[heart // BITS][cards >> heart & RANK]
    return plays


def _ranks(cards: int, size: int) -> int:
    """Return the hearts of all ranks of which there are so many cards."""
    hearts, diamonds, clubs, spades = cards & HEARTS, cards >> 1 & HEARTS, cards >> 2 & HEARTS, cards >> 3 & HEARTS
    if size == 2:
        return hearts & diamonds | clubs & spades | (hearts | diamonds) & (clubs | spades)
    if size == 3:
        return hearts & diamonds & (clubs | spades) | clubs & spades & (hearts | diamonds)
    return hearts & diamonds & clubs & spades


def _runs(cards: int, size: int) -> int:
    """Return the lowest cards of all straights of a size."""
    runs = cards
    for _ in range(size - 1):
        runs = cards & runs >> BITS
    return runs
