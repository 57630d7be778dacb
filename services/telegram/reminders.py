"""When people are reminded of a turn that waits for them, by their hand in a new message. Pure; times in Unix seconds.

Where a turn has a limit, once, before its end; without one, each day that the others have waited.
"""

from locanda.messages import Table

SHORTEST = 120
"""The shortest limit of a turn, in seconds, of whose end people are reminded: with less they sit at the table."""
SHARE = 4
"""Of how many equal parts of the limit the last one begins with the reminder."""
DAY = 86_400.0
MARK = "!"
"""Between a turn and the number of its reminders, where turns are stored for which people were notified."""


def reminders_due(table: Table, since: float, now: float) -> int:
    """Return how many reminders of the present turn are due by now; `since`: when it began."""
    at = _at(table, since)
    if at is None or now < at:
        return 0
    return 1 if table.turn_seconds else int((now - since) // DAY)


def next_reminder(table: Table, since: float, now: float) -> float | None:
    """Return when the next reminder of the present turn is due; None if there is none to come."""
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
    """Return the turn for which somebody is notified with its number of reminders.

    `before`: the turn for which they were last notified. The number never gets less: a deadline may be put off.
    """
    most = max(due, reminders_of(before)) if before.partition(MARK)[0] == turn else due
    return f"{turn}{MARK}{most}" if most else turn


def reminders_of(turn: str) -> int:
    """Return how many reminders a turn has had."""
    return int(turn.partition(MARK)[2] or 0)
