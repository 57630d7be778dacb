"""Legal moves of Ramino: combinations in a hand, the choices of the seat on turn, and refusals."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from locanda.cards import spelling
from locanda.cards.cuccu import CARDS, DESIGNS
from locanda.explanations import INCOMPLETE, NOT_A_COMBINATION, NOT_IN_HAND, WRONG_LENGTH, WRONG_PHASE
from locanda.games.base import Refusal
from locanda.games.ramino.deal import (
    COMBINATIONS,
    FIGURES,
    LONGEST_OF_FIGURES,
    NUMBERED,
    ON_TABLE,
    RUNS,
    SETS,
    codes,
    designs,
    is_combination,
    unpacked,
)
from locanda.games.ramino.types import (
    EACH,
    NO_SUCH_MELD,
    NOT_ADJACENT,
    NOTHING_TO_DRAW,
    REPEATED_FIGURE,
    SIZE,
    TAKEN_CARD,
    Attach,
    DealState,
    Discard,
    Draw,
    Meld,
    Move,
    packed,
    size,
)

# --- combinations in a hand


def may_be_laid(combination: int, *, long: bool) -> bool:
    """Return whether a combination is short enough to be laid: at most four cards or, with `long`, any number."""
    return long or combination.bit_count() <= LONGEST_OF_FIGURES


def held(hand: int, *, long: bool) -> tuple[int, ...]:
    """List the combinations in a hand that may be laid: sets of figures, then runs."""
    has = designs(hand)
    numerals = has & NUMBERED
    # Check first: most hands have no run of three, and there are too many hands to cache.
    runs = _runs(numerals, long) if numerals & numerals >> 2 & numerals >> 4 else ()
    return _sets(has & FIGURES) + runs


@lru_cache(maxsize=2**10)
def _sets(has: int) -> tuple[int, ...]:
    return tuple(cards for cards in SETS if cards & has == cards)


@lru_cache(maxsize=2**16)
def _runs(has: int, long: bool) -> tuple[int, ...]:  # noqa: FBT001  (a key of the cache)
    return tuple(cards for cards in RUNS if cards & has == cards and may_be_laid(cards, long=long))


@lru_cache(maxsize=2**10)
def takers(meld: int) -> int:
    """Return the designs that make a combination of four out of a combination of three (ruling B6)."""
    return sum(card for card in _each(EACH & ~meld) if meld + card in COMBINATIONS)


def _each(cards: int) -> list[int]:
    return [card for number in range(len(DESIGNS)) if (card := 1 << 2 * number) & cards]


# --- the moves of the seat on turn

STOCK = Draw("stock")
DISCARDS = Draw("discards")


def moves(deal: DealState, seat: int) -> list[Move]:
    """List the legal moves of the seat on turn: draws or, after the draw, combinations, attached cards, discards."""
    if not deal.drawn:
        return _draws(deal)
    hand = deal.hands[seat]
    has = designs(hand)
    listed: list[Move] = [_meld(cards) for cards in held(hand, long=deal.options.long_scala)]
    for number, meld in enumerate(deal.melds):
        if takers(meld) & has and deal.melds.index(meld) == number:
            listed += _attaches(takers(meld) & has, number)
    return [*listed, *_discards(discardable(deal, hand))]


def _draws(deal: DealState) -> list[Move]:
    draws: list[Move] = [STOCK] if may_draw(deal) else []
    return [*draws, DISCARDS] if may_take(deal) else draws


def may_draw(deal: DealState) -> bool:
    """Return whether the seat may draw from the stock, even if this refills the stock or ends the deal (ruling B13)."""
    return bool(deal.stock) or len(deal.discards) > 1 or deal.options.stock_end == "block"


def may_take(deal: DealState) -> bool:
    """Return whether there is a discard to take."""
    return bool(deal.discards)


@lru_cache(maxsize=2**10)
def _meld(cards: int) -> Meld:
    return Meld(codes(cards))


@lru_cache(maxsize=2**12)
def _attaches(cards: int, number: int) -> tuple[Attach, ...]:
    return tuple(Attach(code, number) for code in codes(cards))


_discards = spelling(SIZE, lambda cards: map(Discard, codes(cards)))


def discardable(deal: DealState, hand: int) -> int:
    """Return the designs that may be discarded: not the card taken in this turn, unless it is the last (ruling B8)."""
    has = designs(hand)
    if deal.taken is None or deal.options.return_taken:
        return has
    return has & ~(1 << 2 * deal.taken) or has


def eagerness(move: Move) -> int:
    """Return 1 for laying and attaching, 0 for other moves."""
    return int(isinstance(move, Meld | Attach))


# --- why a move is illegal


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the move is illegal for the seat on turn, or None."""
    if isinstance(move, Draw) == deal.drawn:
        return WRONG_PHASE.refuse({"phase": "play" if deal.drawn else "draw"})
    hand = deal.hands[seat]
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
    return None if discardable(deal, hand) & card else TAKEN_CARD.refuse({"card": code})


def _check_meld(hand: int, cards: Sequence[str], *, long: bool) -> Refusal | None:
    """Return why these cards may not be laid, or None."""
    missing = next((code for code in cards if cards.count(code) > hand >> 2 * CARDS[code] & 3), None)
    if missing is not None:
        return NOT_IN_HAND.refuse({"card": missing})
    selected = packed(CARDS[code] for code in cards)
    if is_combination(selected):
        return None if may_be_laid(selected, long=long) else WRONG_LENGTH.refuse({"most": LONGEST_OF_FIGURES})
    return _unfinished(selected, [whole for whole in held(hand, long=long) if whole & selected == selected])


def _unfinished(selected: int, wholes: Iterable[int]) -> Refusal:
    """Refuse an incomplete combination.

    The refusal lists the combinations in hand that contain these cards, or says why the cards are not a combination.
    """
    combinations = tuple(codes(whole) for whole in wholes)
    if not combinations:
        return _refuse_cards(selected)
    useful = {CARDS[code] for whole in combinations for code in whole}
    return INCOMPLETE.refuse({"cards": codes(packed(useful) & ~selected), "combinations": combinations})


def _refuse_cards(cards: int) -> Refusal:
    """Return why these cards are not a combination."""
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
