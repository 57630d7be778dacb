"""Playing: matches start, moves are made by people, by computer players and by the clock."""

from random import Random

import msgspec
from msgspec import Struct, structs

from services.engine import fairness
from services.engine import match as matches
from services.engine.games.game import AnyGame
from services.engine.players import plain
from services.engine.table.state import (
    AnyTable,
    DealStart,
    IllegalMoveError,
    LogLine,
    Moment,
    MoveMade,
    Step,
    TableError,
    alarm,
    deadline,
    demand_host,
    demand_status,
    game_of,
    same_turn,
    step,
    turn_of,
    with_seat,
)
from shared import events
from shared.games.base import Refusal, Result

MISSED_TURNS_TO_AWAY = 2


def start(table: AnyTable, by: int, at: Moment) -> Step:
    """Start the match, or the rematch once it is over. Host only."""
    if table.status == "playing":
        raise TableError("already_playing")
    demand_host(table, by)
    game = game_of(table)
    least = min(game.seats(table.options))
    if len(table.seats) < least:
        raise TableError("too_few_players", seats=len(table.seats), least=least)
    opened = table.match.following if table.status == "over" else table.match
    match = matches.start(opened, [seat.client_seed for seat in table.seats])
    happened: list[Struct] = [events.Started(match.number)]
    dealt, log = _deal_next(game, structs.replace(table, match=match, status="playing"), happened)
    return step(dealt, happened, [log], wake=alarm(dealt, table, at))


def check(table: AnyTable, seat: int, move: Struct) -> Refusal | None:
    """Return why the seat may not make this move now, or nothing."""
    return _check(game_of(table), table, seat, move) if table.status == "playing" else Refusal("deal_over")


def _check(game: AnyGame, table: AnyTable, seat: int, move: Struct) -> Refusal | None:
    turn = turn_of(table)
    return game.check(table.deal, move) if turn == seat else Refusal("not_your_turn", {"turn": turn})


def play(table: AnyTable, number: int, move: Struct, at: Moment) -> Step:
    """Make a person's move. Raises `IllegalMoveError` where the game forbids it."""
    demand_status(table, "playing")
    game = game_of(table)
    refusal = _check(game, table, number, move)
    if refusal:
        raise IllegalMoveError(refusal)
    seat = table.seats[number]
    happened: list[Struct] = [events.Returned(number)] if seat.away else []
    attentive = not seat.missed and not seat.away
    present = table if attentive else with_seat(table, number, structs.replace(seat, missed=0, away=False))
    moved, log = _make(game, present, number, move, happened)
    return step(moved, happened, log, wake=alarm(moved, table, at))


def wake(table: AnyTable, at: Moment, rng: Random) -> Step | None:
    """Make a computer player's move, or all that is left of a person's turn whose time is up; nothing before."""
    turn = turn_of(table)
    if turn is None or table.wake is None or at.now < table.wake:
        return None
    happened: list[Struct] = []
    act = _play_for if table.seats[turn].automatic else _finish_turn
    moved, log = act(table, turn, rng, happened)
    return step(moved, happened, log, wake=alarm(moved, table, at))


def _finish_turn(table: AnyTable, number: int, rng: Random, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    moved = _miss(table, number, happened)
    log: list[LogLine] = []
    while same_turn(table, moved):
        moved, lines = _play_for(moved, number, rng, happened)
        log.extend(lines)
    return moved, log


def _play_for(table: AnyTable, number: int, rng: Random, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    game = game_of(table)
    return _make(game, table, number, plain.choose(game, game.view(table.deal, number), rng), happened)


def _miss(table: AnyTable, number: int, happened: list[Struct]) -> AnyTable:
    """Count a turn that a person let pass; at the second in a row a computer player takes the hand."""
    seat = table.seats[number]
    missed = seat.missed + 1
    away = missed >= MISSED_TURNS_TO_AWAY
    happened.append(events.TimedOut(number))
    if away:
        happened.append(events.Away(number))
    return with_seat(table, number, structs.replace(seat, missed=missed, away=away))


def put_off(table: AnyTable, milliseconds: int) -> Step | None:
    """Put a person's deadline off by as long as the house was closed; nothing where none runs."""
    if deadline(table) is None or table.wake is None:
        return None
    return step(table, [events.DeadlineMoved(milliseconds)], wake=table.wake + milliseconds)


def _make(
    game: AnyGame, table: AnyTable, seat: int, move: Struct, happened: list[Struct]
) -> tuple[AnyTable, list[LogLine]]:
    """Make a legal move, and all that follows from it."""
    deal, played = game.play(table.deal, move, fairness.shuffle)
    happened.extend(played)
    made = LogLine(table.match.number, table.match.deal, MoveMade(seat, msgspec.to_builtins(move)))
    moved = structs.replace(table, deal=deal)
    result = game.result(deal) if deal.turn is None else None
    if result is None:
        return moved, [made]
    settled, log = _settle(game, moved, result, happened)
    return settled, [made, *log]


def _settle(game: AnyGame, table: AnyTable, deal: Result, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    """After a deal, end the match or deal the next hand."""
    match = matches.settle(table.match, game, table.options, deal)
    settled = structs.replace(table, match=match)
    if match.result is None:
        dealt, log = _deal_next(game, settled, happened)
        return dealt, [log]
    happened.append(events.MatchOver(match.result))
    return structs.replace(settled, status="over"), []


def _deal_next(game: AnyGame, table: AnyTable, happened: list[Struct]) -> tuple[AnyTable, LogLine]:
    match, deal = matches.deal_next(table.match, game, table.options)
    happened.append(events.Dealt(match.deal, match.dealer))
    head = DealStart(game.rules, table.options, match, match.previous)
    return structs.replace(table, match=match, deal=deal), LogLine(match.number, match.deal, head)
