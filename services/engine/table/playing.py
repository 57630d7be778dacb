"""Playing: matches start, moves are made by people, by computer players and by the clock."""

from random import Random

import msgspec
from msgspec import Struct, structs

from services.engine import fairness
from services.engine import match as matches
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
    deadline,
    demand_host,
    demand_status,
    game_of,
    same_turn,
    step,
    turn_of,
    with_seat,
    wound,
)
from shared import events
from shared.games.base import Refusal

MISSED_TURNS_TO_AWAY = 2


def start(table: AnyTable, by: int, at: Moment) -> Step:
    """Start the match, or the rematch once it is over. Host only."""
    if table.status == "playing":
        raise TableError("already_playing")
    demand_host(table, by)
    least = min(game_of(table).seats(table.options))
    if len(table.seats) < least:
        raise TableError("too_few_players", seats=len(table.seats), least=least)
    opened = table.match.following if table.status == "over" else table.match
    match = matches.start(opened, [seat.client_seed for seat in table.seats])
    happened: list[Struct] = [events.Started(match.number)]
    dealt, log = _deal_next(structs.replace(table, match=match, status="playing"), happened)
    return step(wound(dealt, table, at), happened, [log])


def check(table: AnyTable, seat: int, move: Struct) -> Refusal | None:
    """Return why the seat may not make this move now, or nothing."""
    if table.status != "playing":
        return Refusal("deal_over")
    game, turn = game_of(table), turn_of(table)
    if turn != seat:
        return Refusal("not_your_turn", {"turn": turn})
    return game.check(table.deal, move)


def play(table: AnyTable, number: int, move: Struct, at: Moment) -> Step:
    """Make a person's move. Raises `IllegalMoveError` where the game forbids it."""
    demand_status(table, "playing")
    refusal = check(table, number, move)
    if refusal:
        raise IllegalMoveError(refusal)
    seat = table.seats[number]
    happened: list[Struct] = [events.Returned(number)] if seat.away else []
    attentive = not seat.missed and not seat.away
    present = table if attentive else with_seat(table, number, structs.replace(seat, missed=0, away=False))
    moved, log = _make(present, number, move, happened)
    return step(wound(moved, table, at), happened, log)


def wake(table: AnyTable, at: Moment, rng: Random) -> Step | None:
    """Make a computer player's move, or all that is left of a person's turn whose time is up; nothing before."""
    turn = turn_of(table)
    if turn is None or table.wake is None or at.now < table.wake:
        return None
    happened: list[Struct] = []
    act = _play_for if table.seats[turn].automatic else _finish_turn
    moved, log = act(table, turn, rng, happened)
    return step(wound(moved, table, at), happened, log)


def _finish_turn(table: AnyTable, number: int, rng: Random, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    moved = _miss(table, number, happened)
    log: list[LogLine] = []
    while same_turn(table, moved):
        moved, lines = _play_for(moved, number, rng, happened)
        log.extend(lines)
    return moved, log


def _play_for(table: AnyTable, number: int, rng: Random, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    game = game_of(table)
    return _make(table, number, plain.choose(game, game.view(table.deal, number), rng), happened)


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
    return step(structs.replace(table, wake=table.wake + milliseconds), [events.DeadlineMoved(milliseconds)])


def _make(table: AnyTable, seat: int, move: Struct, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    """Make a legal move, and all that follows from it."""
    deal, played = game_of(table).play(table.deal, move, fairness.shuffle)
    happened.extend(played)
    made = LogLine(table.match.number, table.match.deal, MoveMade(seat, msgspec.to_builtins(move)))
    settled, log = _settle(structs.replace(table, deal=deal), happened)
    return settled, [made, *log]


def _settle(table: AnyTable, happened: list[Struct]) -> tuple[AnyTable, list[LogLine]]:
    """Once the deal is over, end the match or deal the next hand."""
    game = game_of(table)
    result = game.result(table.deal)
    if result is None:
        return table, []
    match = matches.settle(table.match, game, table.options, result)
    settled = structs.replace(table, match=match)
    if match.result is None:
        dealt, log = _deal_next(settled, happened)
        return dealt, [log]
    happened.append(events.MatchOver(match.result))
    return structs.replace(settled, status="over"), []


def _deal_next(table: AnyTable, happened: list[Struct]) -> tuple[AnyTable, LogLine]:
    game = game_of(table)
    match, deal = matches.deal_next(table.match, game, table.options)
    happened.append(events.Dealt(match.deal, match.dealer))
    head = DealStart(game.rules, table.options, match, match.previous)
    return structs.replace(table, match=match, deal=deal), LogLine(match.number, match.deal, head)
