"""The time that people have for their turns, and statistics of who took the turns of a match.

Half of the turn time is available in every turn. The other half comes from a reserve that each person has for the whole
match. A person who has used up the reserve has only the first half in later turns. After a third timeout in a match, a
computer player keeps the person's hand until the match ends.
"""

from typing import Literal

from msgspec import structs

from services.engine.table.state import AnyTable, TransitionContext, TurnCounts, same_turn, turn_of

RESERVE_TURNS = 5
"""Size of the reserve, as a number of full turn times."""
MISSED_TURNS_TO_AWAY = 2
REMATCH_MS = 60_000
"""Milliseconds after the first person stays, until a rematch begins without the people who have not answered."""
SILENT_MS = 86_400_000
"""Milliseconds on turn after which a person may be removed, at a table without a time limit."""


def turns_of(table: AnyTable) -> TurnCounts:
    """Return who took the turns of the table's match, and how long they took."""
    none = (0,) * len(table.seats)
    counts = table.turns
    if counts is None or counts.match != table.match.number:
        return TurnCounts(table.match.number, none, none, none)
    return counts if counts.spent else structs.replace(counts, spent=none)


def turn_ms(table: AnyTable, seat: int) -> int:
    """Return how many milliseconds a person's turn may take now, at a table with a time limit."""
    full = (table.turn_seconds or 0) * 1000
    reserve = max(0, RESERVE_TURNS * full - turns_of(table).spent[seat])
    return full // 2 + min(full - full // 2, reserve)


def deadline(table: AnyTable) -> int | None:
    """Return the time when the person on turn times out, or None if no time limit runs."""
    turn = turn_of(table)
    return None if turn is None or table.seats[turn].automatic else table.wake


def wake_time(table: AnyTable, before: AnyTable, context: TransitionContext) -> int | None:
    """Return when the clock acts for the seat on turn. A person's time covers the whole turn."""
    turn = turn_of(table)
    if turn is None:
        return None
    if table.seats[turn].automatic:
        return context.now + context.think_ms
    if table.turn_seconds is None:
        return None
    if same_turn(before, table) and not before.seats[turn].automatic:
        return before.wake
    return context.now + turn_ms(table, turn)


def longest_wait(table: AnyTable) -> int | None:
    """Return the maximum milliseconds that the clock may wait for people; None for a computer player."""
    if table.status == "over":
        return REMATCH_MS
    turn = turn_of(table)
    return None if turn is None or table.seats[turn].automatic else (table.turn_seconds or 0) * 1000


def is_silent(table: AnyTable, seat: int, now: int) -> bool:
    """Return whether a seat has been on turn for a day, at a table without a time limit."""
    since = turns_of(table).since
    return table.turn_seconds is None and turn_of(table) == seat and 0 < since <= now - SILENT_MS


def with_turn_begun(table: AnyTable, now: int) -> AnyTable:
    """Return the table with a turn that begins now."""
    return structs.replace(table, turns=structs.replace(turns_of(table), since=now))


def with_turn_counted(
    before: AnyTable, after: AnyTable, seat: int, taken_by: Literal["own", "computer"], now: int
) -> AnyTable:
    """Return the table after a move. If the move ended the turn, the turn and its time are counted."""
    if same_turn(before, after):
        return after
    counts = turns_of(before)
    counted = {taken_by: _added(getattr(counts, taken_by), seat, 1), "since": now}
    wake = deadline(before)
    if wake is not None:
        free = (before.turn_seconds or 0) * 500
        left = max(0, wake - now)
        counted["spent"] = _added(counts.spent, seat, max(0, turn_ms(before, seat) - left - free))
    return structs.replace(after, turns=structs.replace(counts, **counted))


def _added(numbers: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*numbers[:seat], numbers[seat] + more, *numbers[seat + 1 :])
