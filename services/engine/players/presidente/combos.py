"""Every combination with what the players of the game ask of it, and which of them the unseen cards could beat.

A *form* is a kind and a size in one number, so that only combinations of one form answer each other: a set's size, from
1 to 4, and a straight's size plus 2, from 5 to 15.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from locanda.cards import RANKS, mask
from locanda.games.presidente import Play
from services.engine.games.presidente.state import ALL, BITS, FOUR, JOKER, NATURAL, PLAYS, STRAIGHT, WILD

STRAIGHTS_FROM = 5
"""The form of the shortest straights."""


@dataclass(frozen=True, slots=True, eq=False)
class Combo:
    """A combination, of which there is one object each: they are compared by identity."""

    form: int
    size: int
    rank: int
    cards: int
    has_joker: bool
    has_eight: bool
    is_four: bool
    move: Play
    """The move that plays it."""


def _combos() -> Iterable[Combo]:
    for each in ALL:
        form = each.size + 2 if each.kind == STRAIGHT else each.size
        yield Combo(
            form, each.size, each.rank, each.cards, each.has_joker, each.has_eight, each.kind == FOUR, PLAYS[each]
        )


COMBOS = tuple(_combos())

BY_MOVE: dict[Play, Combo] = {combo.move: combo for combo in COMBOS}
"""By the move in canonical form."""


def _by_cards() -> dict[int, tuple[Combo, ...]]:
    found: dict[int, tuple[Combo, ...]] = {}
    for combo in COMBOS:
        found[combo.cards] = (*found.get(combo.cards, ()), combo)
    return found


BY_CARDS = _by_cards()
"""By the bit set of the cards: more than one where a joker may stand at either end of a straight."""

LONE_JOKER = BY_CARDS[1 << JOKER][0]

# --- bit sets of ranks: the heart of a rank stands for the rank

HEARTS = mask(range(0, JOKER, BITS))


def ranks_of(cards: int, size: int) -> int:
    """Return the hearts of all ranks of which a bit set without a joker has so many cards."""
    hearts, diamonds, clubs, spades = cards & HEARTS, cards >> 1 & HEARTS, cards >> 2 & HEARTS, cards >> 3 & HEARTS
    if size == 1:
        return hearts | diamonds | clubs | spades
    if size == 2:
        return hearts & diamonds | clubs & spades | (hearts | diamonds) & (clubs | spades)
    if size == 3:
        return hearts & diamonds & (clubs | spades) | clubs & spades & (hearts | diamonds)
    return hearts & diamonds & clubs & spades


def runs_of(cards: int, size: int) -> int:
    """Return the lowest cards of all straights of a size in a bit set."""
    runs = cards
    for _ in range(size - 1):
        runs = cards & runs >> BITS
    return runs


ABOVE = tuple(NATURAL & ~mask(range(BITS * (rank + 1))) for rank in range(len(RANKS)))
BELOW = tuple(mask(range(BITS * rank)) for rank in range(len(RANKS)))
"""By rank, the cards that are higher, and lower."""


def beatable(combo: Combo, unseen: int, *, inverted: bool, eight: bool) -> bool:
    """Return whether a hand made of the unseen cards could beat a combination."""
    rank = combo.rank
    if rank == WILD or (eight and combo.has_eight):
        return False
    joker, form = unseen >> JOKER, combo.form
    if joker and form == 1:
        return True
    if form >= STRAIGHTS_FROM:
        return _straight_beatable(combo, unseen, inverted=inverted)
    cards = unseen & (BELOW if inverted else ABOVE)[rank]
    return bool(cards and ranks_of(cards, form - 1 if joker else form))


def _straight_beatable(combo: Combo, unseen: int, *, inverted: bool) -> bool:
    """Return whether the unseen cards hold a better straight; a joker among them may fill any of its places."""
    low = combo.rank - combo.size + 1
    cards = unseen & NATURAL
    winning = BELOW[low] if inverted else ABOVE[low] & ((1 << BITS * (len(RANKS) - combo.size + 1)) - 1)
    if unseen >> JOKER:
        return bool(_with_gap(cards, combo.size) & winning)
    return bool(runs_of(cards, combo.size) & winning)


def _with_gap(cards: int, size: int) -> int:
    """Return the lowest places of all straights of a size that lack one card at most."""
    whole, lacking = NATURAL, 0
    for place in range(size):
        held = cards >> BITS * place
        whole, lacking = whole & held, lacking & held | whole & ~held
    return whole | lacking
