"""Coming and going: a table is opened, people sit down, leave, and come back."""

import msgspec
from msgspec import Struct, structs

from services.engine.games.game import AnyGame
from services.engine.match import Match
from services.engine.table.state import (
    AnyTable,
    Moment,
    Seat,
    Step,
    Table,
    TableError,
    Terms,
    alarm,
    demand_host,
    demand_status,
    game_of,
    step,
    with_seat,
)
from shared import events


def open_table(match: Match, game: AnyGame, host: Seat, terms: Terms, now: int) -> Step:
    """Open a table with its host on seat 0; the coming match carries the table's id and secret root."""
    table: AnyTable = Table(
        game=game.name,
        rules=game.rules,
        version=1,
        status="open",
        host=0,
        opened=now,
        options=terms.options,
        turn_seconds=terms.turn_seconds,
        listed=terms.listed,
        seats=(host,),
        match=match,
        events=(msgspec.to_builtins(events.Opened(0, host.name)),),
    )
    return Step(table)


def change(table: AnyTable, by: int, terms: Terms) -> Step:
    """Change an open table's terms. Host only."""
    demand_status(table, "open")
    demand_host(table, by)
    most = _most_seats(table, terms.options)
    if len(table.seats) > most:
        raise TableError("too_many_players", seats=len(table.seats), most=most)
    return step(table, [events.Changed()], options=terms.options, turn_seconds=terms.turn_seconds, listed=terms.listed)


def sit(table: AnyTable, newcomer: Seat, by: int | None = None) -> Step:
    """Seat a newcomer on the next free seat; a computer player only by the host."""
    demand_status(table, "open")
    if newcomer.kind == "computer":
        demand_host(table, by)
    most = _most_seats(table, table.options)
    if len(table.seats) >= most:
        raise TableError("table_full", most=most)
    happened = events.Sat(len(table.seats), newcomer.name, newcomer.kind)
    return step(table, [happened], seats=(*table.seats, newcomer))


def _most_seats(table: AnyTable, options: Struct) -> int:
    return max(game_of(table).seats(options))


def give_seed(table: AnyTable, number: int, client_seed: str) -> Step:
    """Take a seat's own share in the shuffle of the match that starts next."""
    if table.status == "playing":
        raise TableError("already_playing")
    seat = structs.replace(table.seats[number], client_seed=client_seed)
    return step(with_seat(table, number, seat), [events.Seeded(number)])


def leave(table: AnyTable, number: int, by: int, at: Moment) -> Step:
    """Leave, or be removed by the host; once cards are dealt a computer player takes the seat over."""
    if number >= len(table.seats):
        raise TableError("no_such_seat", seat=number)
    if number != by:
        demand_host(table, by)
    return _leave_open(table, number) if table.status == "open" else _hand_over(table, number, at)


def _leave_open(table: AnyTable, number: int) -> Step:
    """Free the seat; those behind move up. The last person to leave closes the table."""
    seats = table.seats[:number] + table.seats[number + 1 :]
    host = _host_after(table, seats, number)
    happened = events.Left(number, table.seats[number].name)
    return step(table, [happened], seats=seats, host=host, status="over" if host is None else "open")


def _host_after(table: AnyTable, seats: tuple[Seat, ...], freed: int) -> int | None:
    if table.host is None or table.host == freed:
        return _first_person(seats)
    return table.host - 1 if freed < table.host else table.host


def _hand_over(table: AnyTable, number: int, at: Moment) -> Step:
    leaver = table.seats[number]
    if leaver.kind == "computer":
        raise TableError("already_computer", seat=number)
    computer = Seat(leaver.name, "computer", "plain", client_seed=leaver.client_seed)
    held = with_seat(table, number, computer)
    host = _first_person(held.seats) if number == table.host else table.host
    return step(held, [events.Replaced(number, leaver.name)], host=host, wake=alarm(held, table, at))


def _first_person(seats: tuple[Seat, ...]) -> int | None:
    return next((number for number, seat in enumerate(seats) if seat.kind == "person"), None)


def come_back(table: AnyTable, number: int, at: Moment) -> Step:
    """Take one's hand back from the computer player that held it."""
    seat = table.seats[number]
    if not seat.away:
        raise TableError("not_away", seat=number)
    back = with_seat(table, number, structs.replace(seat, away=False, missed=0))
    return step(back, [events.Returned(number)], wake=alarm(back, table, at))
