"""Transitions of seats: open a table, change its settings, sit down, set a client seed, leave, come back."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct, structs

from locanda.games.game import AnyGame
from locanda.messages import SeatableLevel, events
from services.common.names import distinct, look_alike
from services.engine.table import rematch
from services.engine.table.match import MatchState
from services.engine.table.state import (
    AnyTable,
    SeatState,
    ServerState,
    TableError,
    TableSettings,
    TableState,
    Transition,
    TransitionContext,
    advance,
    most_seats,
    require_host,
    require_status,
    require_unlocked,
    substitute,
    turn_of,
    with_seat,
)
from services.engine.table.turns import is_silent, wake_time, with_turn_begun

RENAME_MS = 30_000
"""Milliseconds after a rename before the same seat can be renamed again."""


def open_table(
    match: MatchState, game: AnyGame, host: SeatState, settings: TableSettings, now: int, opener: bytes | None = None
) -> Transition:
    """Open a table with its host in seat 0. `match` is its first match, with the table's id and secret."""
    table: AnyTable = TableState(
        game=game.name,
        rules=game.rules,
        version=1,
        status="open",
        host=0,
        opened=now,
        options=settings.options,
        turn_seconds=settings.turn_seconds,
        listed=settings.listed,
        seats=(host,),
        match=match,
        events=(msgspec.to_builtins(events.Opened(0, host.name)),),
        computers=settings.computers,
        opener=opener,
        locked=settings.locked,
    )
    return Transition(table)


def change(table: AnyTable, by: int, settings: TableSettings) -> Transition:
    """Change an open table's settings. Locking is possible at any time. Host only."""
    if settings != structs.replace(settings_of(table), locked=settings.locked):
        require_status(table, "open")
    require_host(table, by)
    most = most_seats(table, settings.options)
    if len(table.seats) > most:
        raise TableError("too_many_players", seats=len(table.seats), most=most)
    return advance(table, [events.Changed()], **structs.asdict(settings))


def settings_of(table: AnyTable) -> TableSettings:
    """Return the settings of a table."""
    return TableSettings(table.options, table.turn_seconds, table.listed, table.computers, table.locked)


def sit(table: AnyTable, newcomer: SeatState, by: int | None = None) -> Transition:
    """Seat a newcomer. Only the host may seat computer players, whose name gets a number if it is taken."""
    require_status(table, "open")
    names = [seat.name for seat in table.seats]
    if newcomer.kind == "computer":
        require_host(table, by)
        newcomer = structs.replace(newcomer, name=distinct(newcomer.name, names))
    else:
        require_unlocked(table)
    _require_distinct(newcomer.name, enumerate(names))
    most = most_seats(table, table.options)
    if len(table.seats) >= most:
        raise TableError("table_full", most=most)
    happened = events.Sat(len(table.seats), newcomer.name, newcomer.kind)
    return advance(table, [happened], seats=(*table.seats, newcomer))


def with_server(table: AnyTable, player: SeatState, server: ServerState) -> AnyTable:
    """Return the table with the server of a new own player, without servers of players who have left."""
    seated = {seat.level for seat in table.seats}
    kept = {level: own_server for level, own_server in (table.servers or {}).items() if level in seated}
    return structs.replace(table, servers={**kept, player.level or "": server})


def _require_distinct(name: str, others: Iterable[tuple[int, str]]) -> None:
    """Raise `TableError` `name_taken` if a name looks like the name of another seat."""
    for number, other in others:
        if look_alike(name, other):
            raise TableError("name_taken", seat=number)


def set_level(table: AnyTable, number: int, level: SeatableLevel, by: int) -> Transition:
    """Set the level of a computer player at an open table. Host only."""
    require_status(table, "open")
    require_host(table, by)
    if number >= len(table.seats):
        raise TableError("no_such_seat", seat=number)
    seat = table.seats[number]
    if seat.kind != "computer":
        raise TableError("not_computer", seat=number)
    leveled = with_seat(table, number, structs.replace(seat, level=level))
    return advance(leveled, [events.LevelChanged(number, level)])


def set_name(table: AnyTable, number: int, name: str, by: int, now: int) -> Transition | None:
    """Rename a seat: your own when no match is in progress, or, as the host, a computer player's.

    Returns None if the seat has that name already. A seat can be renamed once in 30 seconds. If the name of a person
    who has left is replaced, everything stored with it is forgotten; otherwise the history stays.
    """
    if number >= len(table.seats):
        raise TableError("no_such_seat", seat=number)
    seat = table.seats[number]
    if number != by:
        require_host(table, by)
        if seat.kind != "computer":
            raise TableError("not_computer", seat=number)
    if name == seat.name:
        return None
    if seat.kind == "person" and table.status == "playing":
        raise TableError("already_playing")
    lately = {renamed: at for renamed, at in table.renamed.items() if now - at < RENAME_MS}
    if seat.name in lately:
        raise TableError("renamed_lately", seat=number)
    _require_distinct(name, [(other, seat.name) for other, seat in enumerate(table.seats) if other != number])
    renamed = with_seat(table, number, structs.replace(seat, name=name, left=False))
    step = advance(renamed, [events.Renamed(number, name)], renamed={**lately, name: now})
    return structs.replace(step, forgets=seat.left)


def give_seed(table: AnyTable, number: int, client_seed: str) -> Transition | None:
    """Set a seat's client seed for the next match. Returns None if the seat has that seed already.

    A seed that was used in the previous match is refused, since it is public.
    """
    if table.status == "playing":
        raise TableError("already_playing")
    if client_seed in table.match.client_seeds:
        raise TableError("seed_used")
    if client_seed == table.seats[number].client_seed:
        return None
    seat = structs.replace(table.seats[number], client_seed=client_seed)
    return advance(with_seat(table, number, seat), [events.Seeded(number)])


def leave(
    table: AnyTable, number: int, by: int, context: TransitionContext, successor: str | None = None
) -> Transition:
    """Leave a seat, or remove its player. During or after a match, a computer player takes the seat.

    With a `successor` name, everything stored with the leaver's name is forgotten.
    """
    if number >= len(table.everybody):
        raise TableError("no_such_seat", seat=number)
    if number != by:
        _require_removable(table, number, by, context.now)
    if successor is None:
        return _without(table, number, table.everybody[number].name, by, context)
    _require_distinct(successor, [(other, seat.name) for other, seat in enumerate(table.everybody) if other != number])
    nameless = structs.replace(table, renamed={})
    return structs.replace(_without(nameless, number, successor, by, context), forgets=True)


def _without(table: AnyTable, number: int, name: str, by: int, context: TransitionContext) -> Transition:
    """Free a seat, or give it to a computer player. `name` is used in the event, and for that computer player."""
    newcomer, removed = number >= len(table.seats), number != by and table.everybody[number].kind == "person"
    gone = events.Left if newcomer or table.status == "open" else events.Replaced
    remover = by - (table.status == "open" and by > number)
    happened = events.Removed(number, name, remover) if removed else gone(number, name)
    if newcomer:
        return rematch.leave(table, number, happened)
    if table.status == "open":
        return _leave_open(table, number, happened)
    return _hand_over(table, number, name, happened, context)


def _require_removable(table: AnyTable, number: int, by: int, now: int) -> None:
    """Raise `TableError` if seat `by` may not remove seat `number`.

    The host may remove others. But during a match, the host may remove a person only if that person is away or, without
    a time limit, has been on turn for a day. In the latter case, other seats may also remove the host.
    """
    playing, seat = table.status == "playing", table.everybody[number]
    silent = playing and is_silent(table, number, now)
    if not (silent and number == table.host):
        require_host(table, by)
    if playing and seat.kind == "person" and not (silent or seat.away):
        raise TableError("still_playing", seat=number)


def close(table: AnyTable) -> Transition:
    """End a table as if the last person had left. Raises `TableError` if its last match is over."""
    if table.status == "over":
        raise TableError("already_over")
    return advance(table, [events.Closed()], seats=(), host=None, status="over", deal=None, wake=None, listed=False)


def _leave_open(table: AnyTable, number: int, happened: Struct) -> Transition:
    """Free the seat, so that later seats move up. The table is over when its last person leaves."""
    seats = table.seats[:number] + table.seats[number + 1 :]
    host = _host_after(table, seats, number)
    return advance(table, [happened], seats=seats, host=host, status="over" if host is None else "open")


def _host_after(table: AnyTable, seats: tuple[SeatState, ...], freed: int) -> int | None:
    if table.host is None or table.host == freed:
        return _first_person(seats)
    return table.host - 1 if freed < table.host else table.host


def _hand_over(table: AnyTable, number: int, name: str, happened: Struct, context: TransitionContext) -> Transition:
    leaver = table.seats[number]
    if leaver.kind == "computer":
        raise TableError("already_computer", seat=number)
    held = with_seat(table, number, substitute(table, leaver, name))
    host = _first_person(held.seats) if number == table.host else table.host
    if table.status == "over":
        return rematch.left(structs.replace(held, host=host), happened, context)
    return advance(held, [happened], host=host, wake=wake_time(held, table, context))


def _first_person(seats: tuple[SeatState, ...]) -> int | None:
    return next((number for number, seat in enumerate(seats) if seat.kind == "person"), None)


def come_back(table: AnyTable, number: int, context: TransitionContext) -> Transition:
    """Give the hand back from the computer player to the seat's person."""
    seat = table.seats[number]
    if not seat.away:
        raise TableError("not_away", seat=number)
    if table.status == "playing" and seat.gave_up:
        raise TableError("hand_given_up", seat=number)
    back = with_seat(table, number, structs.replace(seat, away=False))
    if turn_of(table) == number:
        back = with_turn_begun(back, context.now)
    wake = wake_time(back, table, context) if table.status == "playing" else table.wake
    return advance(back, [events.Returned(number)], wake=wake)
