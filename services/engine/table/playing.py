"""Transitions of play: start, moves of people and computer players, timeouts, new deals and matches."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct, structs

from locanda.games.base import DealOver, Refusal, Result
from locanda.games.game import AnyGame
from locanda.messages import events
from services.engine.table import dealing, fairness, rematch
from services.engine.table import match as matches
from services.engine.table.state import (
    AnyTable,
    LogEntry,
    MoveMade,
    MoveRefusedError,
    PastDealState,
    TableError,
    Transition,
    TransitionContext,
    advance,
    game_of,
    require_host,
    require_status,
    same_turn,
    turn_of,
    with_seat,
)
from services.engine.table.turns import MISSED_TURNS_TO_AWAY, deadline, longest_wait, wake_time, with_turn_counted

Choose: TypeAlias = Callable[[AnyTable, int, Sequence[Struct]], Struct]
"""Returns a legal move for the seat on turn. Takes the table, the seat, and the events of the transition so far."""

MISSED_MOVES_TO_AWAY = 3
"""Moves in a row that an own player (on another server) may miss before it counts as away."""
DEAL_OVER = DealOver.__struct_config__.tag
"""Type of the event that ends a deal, in all games."""
MOST_PAST_DEALS = 20
"""Maximum number of past deals in a table. Most games have fewer. The number is limited since each move publishes all
of them.
"""
WAIT_MARGIN = 10_000
"""Tolerance in milliseconds: a wake time later than the longest possible wait plus this margin counts as wrong."""


def start(table: AnyTable, by: int, context: TransitionContext) -> Transition:
    """Start the match or, after a match, record that the host stays for another one. Host only."""
    if table.status == "playing":
        raise TableError("already_playing")
    require_host(table, by)
    if table.status == "over":
        return rematch.answer(table, by, stay=True, client_seed=None, context=context)
    game = game_of(table)
    least = next((players for players in game.seats(table.options) if players >= len(table.seats)), 0)
    if len(table.seats) < least:
        raise TableError("too_few_players", seats=len(table.seats), least=least)
    return dealing.begin(table, table, [], context)


def check(table: AnyTable, seat: int, move: Struct) -> Refusal | None:
    """Return why the seat may not make this move now, or None."""
    return _check(game_of(table), table, seat, move) if table.status == "playing" else Refusal("deal_over")


def _check(game: AnyGame, table: AnyTable, seat: int, move: Struct) -> Refusal | None:
    turn = turn_of(table)
    return game.check(table.deal, move) if turn == seat else Refusal("not_your_turn", {"turn": turn})


def play(table: AnyTable, number: int, move: Struct, context: TransitionContext) -> Transition:
    """Make a person's move. Raises `MoveRefusedError` if the game's rules forbid it."""
    require_status(table, "playing")
    game = game_of(table)
    refusal = _check(game, table, number, move)
    if refusal:
        raise MoveRefusedError(refusal)
    seat = table.seats[number]
    if seat.gave_up:
        raise TableError("hand_given_up", seat=number)
    happened: list[Struct] = [events.Returned(number)] if seat.away else []
    present = with_seat(table, number, structs.replace(seat, away=False)) if seat.away else table
    made, log = _make(game, present, number, move, happened)
    moved = with_turn_counted(table, made, number, "own", context.now)
    return advance(moved, happened, log, wake=wake_time(moved, table, context))


def due_seat(table: AnyTable, context: TransitionContext) -> int | None:
    """Return the seat for which a computer player must move now, or None.

    If a computer player's wake time is impossibly far ahead, because a clock was set back, the player moves
    immediately.
    """
    turn = turn_of(table)
    if turn is None or table.wake is None:
        return None
    due = context.now >= table.wake or (table.seats[turn].automatic and _is_misset(table, context))
    return turn if due else None


def _is_misset(table: AnyTable, context: TransitionContext) -> bool:
    """Return whether the wake time is further ahead than possible."""
    longest = longest_wait(table)
    ahead = 0 if table.wake is None else table.wake - context.now
    return ahead > WAIT_MARGIN + (context.think_ms if longest is None else longest)


def wake(
    table: AnyTable, context: TransitionContext, choose: Choose, *, answered: bool | None = None
) -> Transition | None:
    """Make a computer player's move, or finish the timed-out turn of a person. Returns None if nothing is due.

    For an own player (on another server), `answered` says whether that player chose the move.
    """
    number = due_seat(table, context)
    if number is None:
        return corrected(table, context)
    happened: list[Struct] = []
    act = _play_for if table.seats[number].automatic else _finish_turn
    noted = table if answered is None else _note_answer(table, number, happened, answered=answered)
    made, log = act(noted, number, choose, happened)
    moved = with_turn_counted(table, made, number, "computer", context.now)
    return advance(moved, happened, log, wake=wake_time(moved, table, context))


def corrected(table: AnyTable, context: TransitionContext) -> Transition | None:
    """Give a person their full time again if their deadline is further ahead than possible; otherwise return None."""
    longest = longest_wait(table)
    if longest is None or table.wake is None or not _is_misset(table, context):
        return None
    return advance(table, [], wake=context.now + longest)


def _finish_turn(
    table: AnyTable, number: int, choose: Choose, happened: list[Struct]
) -> tuple[AnyTable, list[LogEntry]]:
    moved = _miss(table, number, happened)
    log: list[LogEntry] = []
    while same_turn(table, moved):
        moved, lines = _play_for(moved, number, choose, happened)
        log.extend(lines)
    return moved, log


def _play_for(table: AnyTable, number: int, choose: Choose, happened: list[Struct]) -> tuple[AnyTable, list[LogEntry]]:
    return _make(game_of(table), table, number, choose(table, number, happened), happened)


def _miss(table: AnyTable, number: int, happened: list[Struct]) -> AnyTable:
    """Count a turn that timed out. At the second timeout in a match, a computer player takes the hand."""
    seat = table.seats[number]
    missed = seat.missed + 1
    away = missed >= MISSED_TURNS_TO_AWAY
    happened.append(events.TimedOut(number))
    if away:
        happened.append(events.Away(number))
    return with_seat(table, number, structs.replace(seat, missed=missed, away=away))


def _note_answer(table: AnyTable, number: int, happened: list[Struct], *, answered: bool) -> AnyTable:
    """Count the moves in a row that an own player did not choose.

    After three, the player is away until the match ends.
    """
    seat = table.seats[number]
    missed = 0 if answered else seat.missed + 1
    if missed == MISSED_MOVES_TO_AWAY:
        happened.append(events.Away(number))
    noted = structs.replace(seat, missed=missed, away=missed >= MISSED_MOVES_TO_AWAY)
    return table if noted == seat else with_seat(table, number, noted)


def postpone(table: AnyTable, milliseconds: int) -> Transition | None:
    """Postpone a person's deadline by the length of an outage. Returns None if there is no deadline."""
    if table.wake is None or (deadline(table) is None and table.status != "over"):
        return None
    return advance(table, [events.DeadlineMoved(milliseconds)], wake=table.wake + milliseconds)


def _make(
    game: AnyGame, table: AnyTable, seat: int, move: Struct, happened: list[Struct]
) -> tuple[AnyTable, list[LogEntry]]:
    """Make a legal move. If the move ends the deal, deal again or end the match."""
    deal, played = game.play(table.deal, move, fairness.shuffle)
    happened.extend(played)
    made = LogEntry(table.match.number, table.match.deal, MoveMade(seat, msgspec.to_builtins(move)))
    moved = structs.replace(table, deal=deal)
    result = game.result(deal) if deal.turn is None else None
    if result is None:
        return moved, [made]
    settled, log = _settle(game, moved, result, happened)
    return settled, [made, *log]


def _settle(game: AnyGame, table: AnyTable, deal: Result, happened: list[Struct]) -> tuple[AnyTable, list[LogEntry]]:
    """Add a deal's result to the match. End the match, or deal again."""
    match = matches.settle(table.match, game, table.options, deal)
    over = next((event for event in reversed(happened) if event.__struct_config__.tag == DEAL_OVER), DealOver(deal))
    past = PastDealState(match.number, match.deal, match.points, msgspec.to_builtins(over))
    settled = structs.replace(table, match=match, past_deals=(*table.past_deals, past)[-MOST_PAST_DEALS:])
    if match.result is None:
        dealt, log = dealing.deal_next(game, settled, happened)
        return dealt, [log]
    happened.append(events.MatchOver(match.result))
    return structs.replace(settled, status="over"), []
