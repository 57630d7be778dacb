"""Starts matches and deals."""

from msgspec import Struct, structs

from locanda.games.game import AnyGame
from locanda.messages import events
from services.engine.table import match as matches
from services.engine.table.match import MatchState
from services.engine.table.state import (
    AnyTable,
    DealStart,
    LogEntry,
    SeatState,
    Transition,
    TransitionContext,
    advance,
    game_of,
)
from services.engine.table.turns import wake_time, with_turn_begun


def begin(
    table: AnyTable, before: AnyTable, happened: list[Struct], context: TransitionContext, *, same: bool = False
) -> Transition:
    """Start a match with the seated players; `before` is the stored table.

    In a rematch of the `same` players, the next seat deals, and the last ranking affects the first deal. Otherwise the
    dealer is drawn. The client seeds move from the seats to the match, so the next match needs new seeds.
    """
    # Earlier releases left a match's client seeds on the seats. The match's proof has published them, so drop them.
    seeds = ["" if seat.client_seed in before.match.client_seeds else seat.client_seed for seat in table.seats]
    match = matches.start(_opened(before, same=same), seeds, drawn=not same)
    happened.append(events.Started(match.number))
    seats = tuple([_ready(seat) for seat in table.seats])
    begun = structs.replace(table, match=match, status="playing", seats=seats, past_deals=())
    dealt, log = deal_next(game_of(table), begun, happened)
    dealt = with_turn_begun(dealt, context.now)
    return advance(dealt, happened, [log], wake=wake_time(dealt, before, context))


def _ready(seat: SeatState) -> SeatState:
    """Return a seat at the start of a match. An own player (on another server) that was away plays again."""
    return structs.replace(seat, client_seed="", missed=0, away=seat.away and seat.kind == "person")


def _opened(before: AnyTable, *, same: bool) -> MatchState:
    if before.status != "over":
        return before.match
    return before.match.following if same else structs.replace(before.match.following, previous=None)


def deal_next(game: AnyGame, table: AnyTable, happened: list[Struct]) -> tuple[AnyTable, LogEntry]:
    """Deal the next cards of a match. Returns the table, and the first entry of the deal's log."""
    match, deal = matches.deal_next(table.match, game, table.options)
    happened.append(events.Dealt(match.deal, match.dealer))
    head = DealStart(game.rules, table.options, match, match.previous)
    return structs.replace(table, match=match, deal=deal), LogEntry(match.number, match.deal, head)
