"""Why the seat on turn may not make a move, and what would complete a combination that is half selected."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from locanda.cuccu import CARDS
from locanda.games.base import Refusal
from locanda.games.ramino import (
    NO_SUCH_MELD,
    NOT_ADJACENT,
    NOTHING_TO_DRAW,
    REPEATED_FIGURE,
    TAKEN_CARD,
    Attach,
    Discard,
    Draw,
    Meld,
    Move,
)
from locanda.refusals import INCOMPLETE, NOT_A_COMBINATION, NOT_IN_HAND, WRONG_LENGTH, WRONG_PHASE
from services.engine.games.ramino.moves import (
    FIGURES,
    LONGEST_OF_FIGURES,
    NUMBERED,
    ON_TABLE,
    held,
    is_combination,
    may_be_laid,
    may_draw,
    may_take,
    takers,
    throwable,
)
from services.engine.games.ramino.state import DealState, codes, designs, packed, size, unpacked


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    if isinstance(move, Draw) == deal.drawn:
        return WRONG_PHASE.refuse({"phase": "play" if deal.drawn else "draw"})
    hand = deal.hands[deal.turn]
    match move:
        case Draw():
            return _check_draw(deal, move)
        case Meld():
            return _check_meld(hand, move.cards, long=deal.options.long_scala)
        case Attach():
            return _check_attach(deal, hand, move)
        case Discard():
            return _check_discard(deal, hand, move.card)


def _check_draw(deal: DealState, move: Draw) -> Refusal | None:
    possible = may_draw(deal) if move.source == "stock" else may_take(deal)
    return None if possible else NOTHING_TO_DRAW.refuse({"from": move.source})


def _check_attach(deal: DealState, hand: int, move: Attach) -> Refusal | None:
    card = 1 << 2 * CARDS[move.card]
    if not designs(hand) & card:
        return NOT_IN_HAND.refuse({"card": move.card})
    if move.meld >= len(deal.melds):
        return NO_SUCH_MELD.refuse({"melds": len(deal.melds)})
    meld = deal.melds[move.meld]
    if takers(meld) & card:
        return None
    return Refusal(
        _refuse_cards(meld + card).code, {"card": move.card, "meld": codes(meld), "cards": codes(takers(meld))}
    )


def _check_discard(deal: DealState, hand: int, code: str) -> Refusal | None:
    card = 1 << 2 * CARDS[code]
    if not designs(hand) & card:
        return NOT_IN_HAND.refuse({"card": code})
    return None if throwable(deal, hand) & card else TAKEN_CARD.refuse({"card": code})


def _check_meld(hand: int, cards: Sequence[str], *, long: bool) -> Refusal | None:
    """Return why these cards of a hand may not be laid, or nothing."""
    missing = next((code for code in cards if cards.count(code) > hand >> 2 * CARDS[code] & 3), None)
    if missing is not None:
        return NOT_IN_HAND.refuse({"card": missing})
    selected = packed(CARDS[code] for code in cards)
    if is_combination(selected):
        return None if may_be_laid(selected, long=long) else WRONG_LENGTH.refuse({"most": LONGEST_OF_FIGURES})
    return _unfinished(selected, [whole for whole in held(hand, long=long) if whole & selected == selected])


def _unfinished(selected: int, wholes: Iterable[int]) -> Refusal:
    """Name the combinations of the hand that contain the selection; where there is none, explain what is wrong."""
    combinations = tuple(codes(whole) for whole in wholes)
    if not combinations:
        return _refuse_cards(selected)
    useful = {CARDS[code] for whole in combinations for code in whole}
    return INCOMPLETE.refuse({"cards": codes(packed(useful) & ~selected), "combinations": combinations})


def _refuse_cards(cards: int) -> Refusal:
    """Return why cards are no combination."""
    has = designs(cards)
    if repeated := cards >> 1 & FIGURES:
        return REPEATED_FIGURE.refuse({"cards": codes(repeated)})
    if has & FIGURES == has and size(cards) > LONGEST_OF_FIGURES:
        return WRONG_LENGTH.refuse({"most": LONGEST_OF_FIGURES})
    if has & NUMBERED == has and not _in_sequence(unpacked(cards)):
        return NOT_ADJACENT.refuse({"cards": codes(cards)})
    return NOT_A_COMBINATION.refuse({"cards": codes(cards), "least": ON_TABLE})


def _in_sequence(cards: Sequence[int]) -> bool:
    return all(card + 1 == following for card, following in pairwise(cards))
