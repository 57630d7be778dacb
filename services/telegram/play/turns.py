"""Turns that wait: for whom the bot passes, and when people are reminded. Pure.

A reminder is the hand in a new message. If a turn has a limit, people are reminded once, before its end; without a
limit, once for each day that the others have waited.
"""

from typing import Literal, TypeAlias

from locanda.messages import JsonObject, Table

PASS: JsonObject = {"type": "pass"}
SHORTEST = 120
"""The shortest limit of a turn, in seconds, with reminders: with a shorter one people are watching the table."""
SHARE = 4
"""The reminder is sent when a quarter (1/SHARE) of the limit is left."""
DAY = 86_400.0
MARK = "!"
"""Between a turn and the number of its reminders, where turns are stored for which people were notified."""

Passing: TypeAlias = Literal["never", "forced", "always"]
"""When the bot passes for a person who can play nothing: never, where a pass can only be forced, or always."""
When = Literal["never", "at_once", "later"]


def when_to_pass(table: Table, passing: Passing, *, alone: bool, free_pass: bool) -> When:
    """Return when the bot passes for the viewer of a table: at once, later (as a person would), or never.

    It passes only if the viewer can do nothing else. If the game lets players pass voluntarily (`free_pass`), an
    immediate pass would reveal that they could play nothing, so the bot waits; not if they play alone.
    """
    if table.deal is None or table.you is None or table.deal.turn != table.you or table.moves != [PASS]:
        return "never"
    if table.seats[table.you].away or passing == "never":
        return "never"
    if alone or not free_pass:
        return "at_once"
    return "later" if passing == "always" else "never"


# --- reminders; times in Unix seconds


def reminders_due(table: Table, since: float, now: float) -> int:
    """Return the number of reminders due at `now` for a turn that began at `since`."""
    at = _at(table, since)
    if at is None or now < at:
        return 0
    return 1 if table.turn_seconds else int((now - since) // DAY)


def next_reminder(table: Table, since: float, now: float) -> float | None:
    """Return the time of the next reminder of the present turn, None without one."""
    at = _at(table, since)
    if at is None or now < at:
        return at
    return None if table.turn_seconds else since + DAY * (reminders_due(table, since, now) + 1)


def _at(table: Table, since: float) -> float | None:
    """Return when the first reminder is due."""
    if table.turn_seconds is None:
        return since + DAY
    if table.deadline is None or table.turn_seconds < SHORTEST:
        return None
    return table.deadline.timestamp() - table.turn_seconds / SHARE


def with_reminders(turn: str, before: str, due: int) -> str:
    """Return the notified turn, with its number of reminders, as it is stored.

    `before` is the stored value. The number never falls: a deadline may be postponed.
    """
    most = max(due, reminders_of(before)) if turn_of(before) == turn else due
    return f"{turn}{MARK}{most}" if most else turn


def turn_of(notified: str) -> str:
    """Return a turn without the number of its reminders."""
    return notified.partition(MARK)[0]


def reminders_of(turn: str) -> int:
    """Return how many reminders a turn has had."""
    return int(turn.partition(MARK)[2] or 0)
