"""Waiting turns: when the bot passes for people, and when it reminds them. No I/O.

A reminder sends the hand again as a new message. A turn with a time limit has one reminder, before the limit ends. A
turn without a limit has one for each day of waiting.
"""

from typing import Literal, TypeAlias

from locanda.messages import JsonObject, Table

PASS: JsonObject = {"type": "pass"}
SHORTEST = 120
"""Minimum time limit of a turn for reminders, in seconds: with shorter limits people are watching the table."""
SHARE = 4
"""The reminder is sent when a quarter (1/SHARE) of the limit is left."""
DAY = 86_400.0
MARK = "!"
"""Separates a stored turn from the number of its reminders."""

Passing: TypeAlias = Literal["never", "forced", "always"]
"""A person's setting for automatic passes: never, only in games without voluntary passes, or always."""
When = Literal["never", "at_once", "later"]


def when_to_pass(table: Table, passing: Passing, *, alone: bool, free_pass: bool) -> When:
    """Return when the bot passes for the viewer of a table: at once, later (as a person would), or never.

    It passes only if the viewer can do nothing else. In a game with voluntary passes (`free_pass`), a pass at once
    would reveal that the viewer could not play. So the bot waits, unless they play alone.
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
    """Return the time of the current turn's next reminder, or None."""
    at = _at(table, since)
    if at is None or now < at:
        return at
    return None if table.turn_seconds else since + DAY * (reminders_due(table, since, now) + 1)


def _at(table: Table, since: float) -> float | None:
    """Return when the first reminder is due, or None."""
    if table.turn_seconds is None:
        return since + DAY
    if table.deadline is None or table.turn_seconds < SHORTEST:
        return None
    return table.deadline.timestamp() - table.turn_seconds / SHARE


def with_reminders(turn: str, before: str, due: int) -> str:
    """Return a turn with its number of reminders as stored text; the number never falls."""
    most = max(due, reminders_of(before)) if turn_of(before) == turn else due
    return f"{turn}{MARK}{most}" if most else turn


def turn_of(notified: str) -> str:
    """Return the turn in a stored text."""
    return notified.partition(MARK)[0]


def reminders_of(turn: str) -> int:
    """Return the number of reminders in a stored text."""
    return int(turn.partition(MARK)[2] or 0)
