"""Rematches: who stays, who joins, and when the next match begins.

A rematch begins when everybody has answered or, with those who stay, a minute after the first person stays. Computer
players always stay.
"""

from collections.abc import Sequence

from msgspec import Struct, structs

from locanda.messages import events
from services.common.names import look_alike
from services.engine.table import dealing
from services.engine.table.state import (
    AnyTable,
    RematchState,
    SeatState,
    TableError,
    Transition,
    TransitionContext,
    advance,
    game_of,
    most_seats,
    require_unlocked,
    substitute,
    with_seat,
)
from services.engine.table.turns import REMATCH_MS


def state_of(table: AnyTable) -> RematchState:
    """Return the state of the rematch, empty before the first answer."""
    return table.rematch or RematchState((None,) * len(table.seats))


def stays(table: AnyTable, number: int) -> bool | None:
    """Return whether a seat stays; None if its person has not answered."""
    if number >= len(table.seats) or table.seats[number].kind == "computer":
        return True
    return state_of(table).answers[number]


def require_over(table: AnyTable) -> None:
    """Raise `TableError` `match_not_over` unless a match is over and a rematch is possible."""
    if table.status != "over" or table.match.result is None:
        raise TableError("match_not_over", match=table.match.number)


# --- transitions


def answer(
    table: AnyTable, number: int, *, stay: bool, client_seed: str | None, context: TransitionContext
) -> Transition:
    """Record whether a person stays (a newcomer leaves otherwise); begin the next match if all have answered."""
    require_over(table)
    if number >= len(table.seats):
        return _begun_or_waiting(table, [], context) if stay else _stop(table, number)
    if stay and stays(table, number) is False:
        _require_room(table)
    seat = structs.replace(table.seats[number], away=False) if stay else table.seats[number]
    if client_seed is not None:
        if client_seed in table.match.client_seeds:
            raise TableError("seed_used")
        seat = structs.replace(seat, client_seed=client_seed)
    table = with_seat(table, number, seat)
    state = state_of(table)
    answers = (*state.answers[:number], stay, *state.answers[number + 1 :])
    answered = structs.replace(table, rematch=structs.replace(state, answers=answers))
    return _begun_or_waiting(answered, [events.RematchAnswered(number, stay)], context)


def _stop(table: AnyTable, number: int) -> Transition:
    return leave(table, number, events.Left(number, table.everybody[number].name))


def sit(table: AnyTable, newcomer: SeatState, context: TransitionContext) -> Transition:
    """Add a newcomer, a person who had no seat in the last match."""
    require_over(table)
    require_unlocked(table)
    for number, other in enumerate(table.everybody):
        if look_alike(newcomer.name, other.name):
            raise TableError("name_taken", seat=number)
    _require_room(table)
    state = state_of(table)
    seated = structs.replace(table, rematch=structs.replace(state, newcomers=(*state.newcomers, newcomer)))
    return _begun_or_waiting(seated, [events.Awaited(newcomer.name)], context)


def left(table: AnyTable, happened: Struct, context: TransitionContext) -> Transition:
    """Continue after a computer player has taken the seat of a person who left."""
    return _begun_or_waiting(table, [happened], context)


def leave(table: AnyTable, number: int, happened: Struct) -> Transition:
    """Remove a newcomer."""
    state, place = state_of(table), number - len(table.seats)
    newcomers = state.newcomers[:place] + state.newcomers[place + 1 :]
    return advance(structs.replace(table, rematch=structs.replace(state, newcomers=newcomers)), [happened])


def due(table: AnyTable, context: TransitionContext) -> Transition | None:
    """Begin the match with those who stay, if the minute is over. If they are too few, wait for newcomers.

    Returns None if the minute is not over.
    """
    if table.status != "over" or table.wake is None or context.now < table.wake:
        return None
    state = state_of(table)
    answers = tuple(bool(stays) for stays in state.answers)
    closed = structs.replace(table, rematch=structs.replace(state, answers=answers))
    return _begun_or_waiting(closed, [], context)


def _everybody(table: AnyTable) -> range:
    return range(len(table.everybody))


# --- start of the rematch


def _begun_or_waiting(table: AnyTable, happened: list[Struct], context: TransitionContext) -> Transition:
    """Begin the match if all have answered. Otherwise set the deadline for those who have not."""
    staying = [number for number in _everybody(table) if stays(table, number)]
    people = [number for number in staying if table.everybody[number].kind == "person"]
    waits = any(stays(table, number) is None for number in _everybody(table))
    begun = _begun(table, staying, happened, context) if people and not waits else None
    if begun is not None:
        return begun
    clock_runs = waits and any(number < len(table.seats) for number in people)
    wake = table.wake or context.now + REMATCH_MS if clock_runs else None
    return advance(table, happened, wake=wake)


def _require_room(table: AnyTable) -> None:
    """Raise `TableError` `table_full` if the people who may stay fill all seats."""
    most = most_seats(table, table.options)
    if sum(stays(table, number) is not False for number in _everybody(table)) >= most:
        raise TableError("table_full", most=most)


def _least(table: AnyTable, seats: int) -> int:
    """Return the smallest allowed number of players that is not below `seats`; 0 if there is none."""
    return next((players for players in game_of(table).seats(table.options) if players >= seats), 0)


def _begun(
    table: AnyTable, staying: Sequence[int], happened: list[Struct], context: TransitionContext
) -> Transition | None:
    """Begin the match with the staying seats. Return None if they are too few.

    If the host allows it, computer players take seats of people who do not stay, until the number of players is
    allowed.
    """
    missing = _least(table, len(staying)) - len(staying)
    gone = [number for number in range(len(table.seats)) if number not in staying]
    handed_over = gone[: max(0, missing)] if table.computers.fill_seats else []
    if missing > len(handed_over):
        return None
    kept = sorted([*staying, *handed_over])
    dropped = [number for number in reversed(gone) if number not in handed_over]
    happened += [events.Left(number, table.seats[number].name) for number in dropped]
    happened += [events.Replaced(kept.index(number), table.seats[number].name) for number in handed_over]
    everybody = table.everybody
    stopped = {number: substitute(table, everybody[number], everybody[number].name) for number in handed_over}
    seats = tuple([stopped.get(number, everybody[number]) for number in kept])
    people = [number for number, seat in enumerate(seats) if seat.kind == "person"]
    host = kept.index(table.host) if table.host in kept else None
    if host is None or seats[host].kind != "person":
        host = next(iter(people), None)
    ready = structs.replace(table, seats=seats, host=host, rematch=None, wake=None)
    same = kept == list(range(len(table.seats)))
    return dealing.begin(ready, table, happened, context, same=same)
