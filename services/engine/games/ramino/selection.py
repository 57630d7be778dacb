"""Is a selection a combination, could it become one, and if not, why not?"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from services.engine.games.ramino.combinations import (
    FIGURES,
    LONGEST_OF_FIGURES,
    NUMBERED,
    ON_TABLE,
    held,
    is_combination,
)
from services.engine.games.ramino.counts import codes, designs, packed, size, unpacked
from shared.cuccu import CARDS
from shared.games.base import Refusal


def check_meld(hand: int, cards: Sequence[str], *, long: bool) -> Refusal | None:
    """Return why these cards of a hand may not be laid, or nothing."""
    missing = next((code for code in cards if cards.count(code) > hand >> 2 * CARDS[code] & 3), None)
    if missing is not None:
        return Refusal("not_in_hand", {"card": missing})
    selected = packed(CARDS[code] for code in cards)
    if is_combination(selected):
        too_long = size(selected) > LONGEST_OF_FIGURES and not long
        return Refusal("wrong_length", {"most": LONGEST_OF_FIGURES}) if too_long else None
    return _unfinished(selected, [whole for whole in held(hand, long=long) if whole & selected == selected])


def _unfinished(selected: int, wholes: Iterable[int]) -> Refusal:
    """Tell which combinations of the hand the selection is a part of, or else what is wrong with it."""
    combinations = tuple(codes(whole) for whole in wholes)
    if not combinations:
        return fault(selected)
    useful = {CARDS[code] for whole in combinations for code in whole}
    return Refusal("incomplete", {"cards": codes(packed(useful) & ~selected), "combinations": combinations})


def fault(cards: int) -> Refusal:
    """Return what is wrong with cards that are no combination."""
    has = designs(cards)
    if repeated := cards >> 1 & FIGURES:
        return Refusal("repeated_figure", {"cards": codes(repeated)})
    if has & FIGURES == has and size(cards) > LONGEST_OF_FIGURES:
        return Refusal("wrong_length", {"most": LONGEST_OF_FIGURES})
    if has & NUMBERED == has and not _in_sequence(unpacked(cards)):
        return Refusal("not_adjacent", {"cards": codes(cards)})
    return Refusal("not_a_combination", {"cards": codes(cards), "least": ON_TABLE})


def _in_sequence(cards: Sequence[int]) -> bool:
    return all(card + 1 == following for card, following in pairwise(cards))
