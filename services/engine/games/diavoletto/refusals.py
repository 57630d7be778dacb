"""Why the seat on turn may not make a move, and what would complete one that is half made."""

from msgspec import UNSET

from services.engine.games.diavoletto.cards import ACE, CARDS, CODES, WILD, rank
from services.engine.games.diavoletto.legal import columns_for, owed_aces
from services.engine.games.diavoletto.state import Deal
from services.engine.games.diavoletto.targets import NEW, goals
from shared.cards import RANKS, members
from shared.games.base import Refusal
from shared.games.diavoletto import Build, Discard, Move


def check(deal: Deal, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    seat = deal.turn
    if seat is None:
        return Refusal("deal_over")
    if isinstance(move, Build):
        return _check_source(deal, seat, move) or _check_goal(deal, move)
    if isinstance(move, Discard):
        return _check_discard(deal, seat, move)
    return _check_end(deal, seat)


def _check_source(deal: Deal, seat: int, move: Build) -> Refusal | None:
    """Refuse a card that does not lie where the move takes it from."""
    if move.source == "column":
        return _check_column(deal, seat, move)
    if move.column is not None:
        return Refusal("impossible", {"field": "column"})
    card = CARDS[move.card]
    if move.source == "hand":
        return None if card in deal.hands[seat] else Refusal("not_in_hand", {"card": move.card})
    return _check_top(deal.mazzetti[seat], move)


def _check_column(deal: Deal, seat: int, move: Build) -> Refusal | None:
    columns, card = deal.columns[seat], CARDS[move.card]
    if move.column is not None:
        column = columns[move.column]
        return _check_top(column, move) if column else Refusal("no_such_column", {"column": move.column})
    found = [number for number, column in enumerate(columns) if column and column[-1] == card]
    return Refusal("incomplete", {"columns": found}) if found else Refusal("not_on_top", {"card": move.card})


def _check_top(pile: bytes, move: Build) -> Refusal | None:
    """Refuse any card but the top one, which everybody sees."""
    top = CODES[pile[-1]] if pile else None
    return None if top == move.card else Refusal("not_on_top", {"card": move.card, "top": top})


def _check_goal(deal: Deal, move: Build) -> Refusal | None:
    """Refuse a build that does not take the card."""
    card = rank(CARDS[move.card])
    if move.build is UNSET:
        return _half_made(deal, move)
    if move.build is None:
        return _check_opening(deal, move)
    if move.build >= len(deal.builds):
        return Refusal("no_such_build", {"build": move.build})
    needed = len(deal.builds[move.build])
    return None if card in (needed, WILD) else Refusal("wrong_rank", {"card": move.card, "needs": RANKS[needed]})


def _half_made(deal: Deal, move: Build) -> Refusal:
    """Name the builds that take the card; where there is none, say why."""
    card = rank(CARDS[move.card])
    found = members(goals(tuple(map(len, deal.builds)), deal.options.max_piles)[card])
    if found:
        return Refusal("incomplete", {"builds": [None if goal == NEW else goal for goal in found]})
    if card in (ACE, WILD):
        return _check_opening(deal, move) or Refusal("incomplete")
    return Refusal("no_such_build", {"card": move.card})


def _check_opening(deal: Deal, move: Build) -> Refusal | None:
    """Refuse a new build to all but an Ace, and to that where the table is full."""
    card, limit = rank(CARDS[move.card]), deal.options.max_piles
    if card == WILD:
        return Refusal("joker_opens")
    if card != ACE:
        return Refusal("wrong_rank", {"card": move.card, "needs": RANKS[ACE]})
    return None if limit is None or len(deal.builds) < limit else Refusal("too_many_builds", {"max_piles": limit})


def _check_discard(deal: Deal, seat: int, move: Discard) -> Refusal | None:
    card = CARDS[move.card]
    if card not in deal.hands[seat]:
        return Refusal("not_in_hand", {"card": move.card})
    return _check_aces(deal, seat) or _check_room(deal, seat, card, move)


def _check_room(deal: Deal, seat: int, card: int, move: Discard) -> Refusal | None:
    """Refuse a column that does not take the card; any empty one will do where the first does."""
    columns, room = deal.columns[seat], columns_for(deal, seat)[rank(card)]
    if not room:
        return Refusal("joker_stays")
    if move.column is UNSET:
        return Refusal("incomplete", {"columns": members(room)})
    if room >> move.column & 1 or not columns[move.column]:
        return None
    return Refusal("not_descending", {"card": move.card, "columns": members(room)})


def _check_end(deal: Deal, seat: int) -> Refusal | None:
    return _check_aces(deal, seat) or (Refusal("must_discard") if deal.hands[seat] else None)


def _check_aces(deal: Deal, seat: int) -> Refusal | None:
    """Refuse to end the turn while an Ace can be played."""
    owed = owed_aces(deal, seat)
    if not owed:
        return None
    aces = [{"from": ace.source, "card": ace.card, "column": ace.column} for ace in owed]
    return Refusal("ace_first", {"aces": aces})
