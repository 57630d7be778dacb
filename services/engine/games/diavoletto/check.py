"""Why the seat on turn may not make a move, and what would complete one that is half made."""

from msgspec import UNSET

from locanda.cards import RANKS, members
from locanda.games.base import Refusal
from locanda.games.diavoletto import (
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
    Discard,
    Move,
)
from locanda.refusals import INCOMPLETE, NOT_IN_HAND
from services.engine.games.diavoletto.moves import NEW, builds_for, columns_for, owed_aces
from services.engine.games.diavoletto.state import ACE, CARDS, CODES, WILD, DealState, rank


def check(deal: DealState, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    seat = deal.turn
    if seat is None:
        return Refusal("deal_over")
    if isinstance(move, Build):
        return _check_source(deal, seat, move) or _check_goal(deal, move)
    if isinstance(move, Discard):
        return _check_discard(deal, seat, move)
    return _check_end(deal, seat)


def _check_source(deal: DealState, seat: int, move: Build) -> Refusal | None:
    """Refuse a card that does not lie where the move takes it from."""
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
    found = [number for number, column in enumerate(columns) if column and column[-1] == card]
    return INCOMPLETE.refuse({"columns": found}) if found else NOT_ON_TOP.refuse({"card": move.card})


def _check_top(pile: bytes, move: Build) -> Refusal | None:
    """Refuse any card but the top one, which everybody sees."""
    top = CODES[pile[-1]] if pile else None
    return None if top == move.card else NOT_ON_TOP.refuse({"card": move.card, "top": top})


def _check_goal(deal: DealState, move: Build) -> Refusal | None:
    """Refuse a build that does not take the card; of builds that need the same rank, `moves` names the first."""
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
    """Name the builds that take the card; where there is none, explain why."""
    if taking:
        return INCOMPLETE.refuse({"builds": [None if goal == NEW else goal for goal in members(taking)]})
    if rank(CARDS[move.card]) in (ACE, WILD):
        return _not_opening(deal, move)
    return NO_SUCH_BUILD.refuse({"card": move.card})


def _not_opening(deal: DealState, move: Build) -> Refusal:
    """Explain why a card opens no build: it is no Ace, or there are as many builds as the options admit."""
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
    """Refuse a column that does not take the card; any empty one will do where the first does."""
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
    """Refuse to end the turn while an Ace can be played."""
    owed = owed_aces(deal, seat)
    if not owed:
        return None
    aces = [{"from": ace.source, "card": ace.card, "column": ace.column} for ace in owed]
    return ACE_FIRST.refuse({"aces": aces})
