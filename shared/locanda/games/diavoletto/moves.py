"""Legal moves of Diavoletto, and why a move is illegal. The builds and columns that take a rank are bit sets."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import UNSET

from locanda.cards import RANKS, members
from locanda.explanations import INCOMPLETE, NOT_IN_HAND
from locanda.games.base import Refusal
from locanda.games.diavoletto.deal import ACE, CARDS, CODES, COLUMNS, JOKER, MOST_BUILDS, WILD, rank
from locanda.games.diavoletto.types import (
    ACE_FIRST,
    JOKER_OPENS,
    JOKER_STAYS,
    MUST_DISCARD,
    NO_SUCH_BUILD,
    NO_SUCH_COLUMN,
    NOT_DESCENDING,
    NOT_ON_TOP,
    TOO_MANY_BUILDS,
    WRONG_RANK,
    Build,
    Columns,
    DealState,
    Discard,
    End,
    Move,
    Source,
)

# --- where a card may go

NEW = MOST_BUILDS
"""Number of the bit that stands for a new build, which an Ace opens."""

ALL_RANKS = range(ACE, WILD + 1)

ANY = (1 << COLUMNS) - 1
"""Bit set of all columns."""

Targets: TypeAlias = tuple[int, ...]
"""Bit sets of the builds or columns that take a card, by the card's rank."""


@lru_cache(maxsize=8192)
def build_targets(needs: tuple[int, ...], max_piles: int | None) -> Targets:
    """Return the builds that take each rank. If several builds need the same rank, return only the first of them.

    A build of *n* cards needs rank *n*, with 0 for the Ace. A joker goes on any build but opens none.
    """
    new = 1 << NEW if len(needs) < (max_piles or MOST_BUILDS) else 0
    naturals = [1 << needs.index(rank) if rank in needs else 0 for rank in range(ACE + 1, WILD)]
    return (new, *naturals, sum(naturals))


@lru_cache(maxsize=1 << COLUMNS)
def discard_targets(used: tuple[bool, ...]) -> Targets:
    """Return the columns to which each rank may be discarded: the columns with cards, and the first empty column."""
    occupied = sum(1 << number for number in range(COLUMNS) if used[number])
    return (occupied | _first_empty(used),) * len(ALL_RANKS)


def descending_targets(columns: Columns) -> Targets:
    """Return the columns to which each rank may be discarded, with the option `discard_order: descending` (ruling D6).

    A card goes on its own rank, on the next higher rank, or to an empty column. If there is no such column, it may go
    to any column.
    """
    fitting = [_LIES_ON[number][column[-1] >> 2] for number, column in enumerate(columns) if column]
    empty = _first_empty(columns)
    if not fitting:
        return (empty,) * len(ALL_RANKS)
    return tuple([sum(bits) | empty or ANY for bits in zip(*fitting, strict=True)])


def _first_empty(columns: Sequence[object]) -> int:
    return next((1 << number for number, column in enumerate(columns) if not column), 0)


def lies_on(card: int, top: int) -> bool:
    """Return whether a card's rank may lie on a top rank. A joker may lie on any card, and any card on a joker."""
    return card in (top, top - 1) or WILD in (card, top)


_LIES_ON = [[[lies_on(card, top) << number for card in ALL_RANKS] for top in ALL_RANKS] for number in range(COLUMNS)]
"""Indexed by column, top rank and card rank: the column's bit if the card may lie there, otherwise 0."""


# --- all possible moves, created once at import, by card and bit set of builds or columns


def _plays(source: Source, column: int | None = None) -> tuple[dict[int, tuple[Build, ...]], ...]:
    return tuple(_plays_of(card, source, column) for card in range(len(CODES)))


def _plays_of(card: int, source: Source, column: int | None) -> dict[int, tuple[Build, ...]]:
    """Return the plays of a card, by bit set of builds. Only a joker can go on several builds; it opens none."""
    goals = range(1 << MOST_BUILDS) if card == JOKER else (0, *(1 << goal for goal in range(NEW + 1)))
    moves = [Build(source, CODES[card], column, None if goal == NEW else goal) for goal in range(NEW + 1)]
    return {bits: tuple(move for goal, move in enumerate(moves) if bits >> goal & 1) for bits in goals}


FROM_HAND = _plays("hand")
FROM_PILES = (_plays("mazzetto"), *(_plays("column", column) for column in range(COLUMNS)))
"""Plays from the mazzetto, then from each column."""

DISCARDS = tuple(
    tuple(
        tuple(Discard(code, column) for column in range(COLUMNS) if columns >> column & 1)
        for columns in range(1 << COLUMNS)
    )
    for code in CODES
)

END = End()


# --- the moves of the seat on turn


def moves(deal: DealState, seat: int) -> list[Move]:
    """List the legal moves: plays to builds from hand, mazzetto and columns, then the moves that end the turn."""
    hand = _distinct(deal.hands[seat])
    builds = _builds(deal, seat, hand)
    if not builds:
        return _endings(deal, seat, hand)
    return [*builds] if _aces(builds) else [*builds, *_endings(deal, seat, hand)]


def owed_aces(deal: DealState, seat: int) -> list[Build]:
    """Return the Aces that must be played before the turn ends (rulings D2, D3): no Ace if no build may be opened."""
    first, mazzetto = deal.hands[seat][:1], deal.mazzetti[seat][-1:]
    tops = b"".join((first, mazzetto, *[column[-1:] for column in deal.columns[seat]]))
    return _aces(_builds(deal, seat, list(first))) if ACE in map(rank, tops) else []


def _aces(builds: list[Build]) -> list[Build]:
    """Return the plays that open a new build; only Aces do."""
    return [play for play in builds if play.build is None]


def _builds(deal: DealState, seat: int, hand: list[int]) -> list[Build]:
    targets = builds_for(deal)
    builds: list[Build] = []
    for card in hand:
        if goal := targets[card >> 2]:
            builds += FROM_HAND[card][goal]
    for moves, pile in zip(FROM_PILES, (deal.mazzetti[seat], *deal.columns[seat]), strict=True):
        if pile:
            card = pile[-1]
            if goal := targets[card >> 2]:
                builds += moves[card][goal]
    return builds


def builds_for(deal: DealState) -> Targets:
    """Return the builds that take each rank; see `build_targets`."""
    return build_targets(tuple(map(len, deal.builds)), deal.options.max_piles)


def _endings(deal: DealState, seat: int, hand: list[int]) -> list[Move]:
    if not hand:
        return [END]
    columns = columns_for(deal, seat)
    endings: list[Move] = []
    for card in hand:
        endings += DISCARDS[card][columns[card >> 2]]
    return endings


def columns_for(deal: DealState, seat: int) -> Targets:
    """Return the columns to which the seat may discard each rank, under the options for order and jokers."""
    options, columns = deal.options, deal.columns[seat]
    free = options.discard_order == "free"
    targets = discard_targets(tuple(map(bool, columns))) if free else descending_targets(columns)
    if options.joker_discard or deal.hands[seat][0] == JOKER:
        return targets
    return (*targets[:-1], 0)


def _distinct(hand: bytes) -> list[int]:
    """Return the first card of each rank in a hand."""
    first, last = [], -1
    for card in hand:
        if card >> 2 != last:
            first.append(card)
            last = card >> 2
    return first


def eagerness(move: Move) -> int:
    """Return 2 for plays from the mazzetto, which must be emptied, 1 for other plays, 0 for moves that end the turn."""
    return 0 if not isinstance(move, Build) else 2 if move.source == "mazzetto" else 1


# --- why a move is illegal


def check(deal: DealState, seat: int, move: Move) -> Refusal | None:
    """Return why the move is illegal for the seat on turn, or None."""
    if isinstance(move, Build):
        return _check_source(deal, seat, move) or _check_goal(deal, move)
    if isinstance(move, Discard):
        return _check_discard(deal, seat, move)
    return _check_end(deal, seat)


def _check_source(deal: DealState, seat: int, move: Build) -> Refusal | None:
    """Refuse a card that is not in the place from which the move takes it."""
    if move.source == "column":
        return _check_column(deal, seat, move)
    if move.column is not None:
        return Refusal("impossible", {"field": "column"})
    card = CARDS[move.card]
    if move.source == "hand":
        return None if card in deal.hands[seat] else NOT_IN_HAND.refuse({"card": move.card})
    return _check_top(deal.mazzetti[seat], move)


def _check_column(deal: DealState, seat: int, move: Build) -> Refusal | None:
    columns, card = deal.columns[seat], CARDS[move.card]
    if move.column is not None:
        column = columns[move.column]
        return _check_top(column, move) if column else NO_SUCH_COLUMN.refuse({"column": move.column})
    places = [number for number, column in enumerate(columns) if column and column[-1] == card]
    return INCOMPLETE.refuse({"columns": places}) if places else NOT_ON_TOP.refuse({"card": move.card})


def _check_top(pile: bytes, move: Build) -> Refusal | None:
    """Refuse a card that is not on top of its pile. The top card is public."""
    top = CODES[pile[-1]] if pile else None
    return None if top == move.card else NOT_ON_TOP.refuse({"card": move.card, "top": top})


def _check_goal(deal: DealState, move: Build) -> Refusal | None:
    """Refuse a build that does not take the card. If several builds need its rank, each of them is legal."""
    needs, taking = list(map(len, deal.builds)), builds_for(deal)[rank(CARDS[move.card])]
    if move.build is UNSET:
        return _half_made(deal, move, taking)
    if move.build is None:
        return None if taking >> NEW & 1 else _not_opening(deal, move)
    if move.build >= len(needs):
        return NO_SUCH_BUILD.refuse({"build": move.build})
    needed = needs[move.build]
    if taking >> needs.index(needed) & 1:
        return None
    return WRONG_RANK.refuse({"card": move.card, "needs": RANKS[needed]})


def _half_made(deal: DealState, move: Build, taking: int) -> Refusal:
    """Refuse a move that names no build: list the builds that take the card, or say why none does."""
    if taking:
        return INCOMPLETE.refuse({"builds": [None if goal == NEW else goal for goal in members(taking)]})
    if rank(CARDS[move.card]) in (ACE, WILD):
        return _not_opening(deal, move)
    return NO_SUCH_BUILD.refuse({"card": move.card})


def _not_opening(deal: DealState, move: Build) -> Refusal:
    """Say why a card cannot open a build: it is not an Ace, or the options allow no further build."""
    card = rank(CARDS[move.card])
    if card == WILD:
        return JOKER_OPENS.refuse()
    if card != ACE:
        return WRONG_RANK.refuse({"card": move.card, "needs": RANKS[ACE]})
    return TOO_MANY_BUILDS.refuse({"max_piles": deal.options.max_piles})


def _check_discard(deal: DealState, seat: int, move: Discard) -> Refusal | None:
    card = CARDS[move.card]
    if card not in deal.hands[seat]:
        return NOT_IN_HAND.refuse({"card": move.card})
    return _check_aces(deal, seat) or _check_column_choice(deal, seat, card, move)


def _check_column_choice(deal: DealState, seat: int, card: int, move: Discard) -> Refusal | None:
    """Refuse a column that does not take the card.

    If the first empty column takes the card, every other empty column takes it too.
    """
    columns, targets = deal.columns[seat], columns_for(deal, seat)[rank(card)]
    if not targets:
        return JOKER_STAYS.refuse()
    if move.column is UNSET:
        return INCOMPLETE.refuse({"columns": members(targets)})
    if targets >> move.column & 1 or not columns[move.column]:
        return None
    return NOT_DESCENDING.refuse({"card": move.card, "columns": members(targets)})


def _check_end(deal: DealState, seat: int) -> Refusal | None:
    return _check_aces(deal, seat) or (MUST_DISCARD.refuse() if deal.hands[seat] else None)


def _check_aces(deal: DealState, seat: int) -> Refusal | None:
    """Refuse to end the turn while an Ace must be played."""
    owed = owed_aces(deal, seat)
    if not owed:
        return None
    aces = [{"from": ace.source, "card": ace.card, "column": ace.column} for ace in owed]
    return ACE_FIRST.refuse({"aces": aces})
