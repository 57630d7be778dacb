"""Turns that wait: automatic passes for people who can play nothing, and reminders.

A reminder is the hand in a new message. If a turn has a limit, people are reminded once, before its end; without a
limit, once for each day that the others have waited.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from typing import Literal, Protocol

import structlog

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import JsonObject, Table
from services.common.processes import BackgroundTasks
from services.telegram.records import Passing
from services.telegram.screens.games import GAME_SCREENS

log = structlog.get_logger(__name__)

THINKING_SECONDS = (2.5, 4.0, 12.0)
"""The least, the most usual and the most seconds that a person takes to pass."""
PASS: JsonObject = {"type": "pass"}
SHORTEST = 120
"""The shortest limit of a turn, in seconds, with reminders: with a shorter one people are watching the table."""
SHARE = 4
"""The reminder is sent when a quarter (1/SHARE) of the limit is left."""
DAY = 86_400.0
MARK = "!"
"""Between a turn and the number of its reminders, where turns are stored for which people were notified."""

When = Literal["never", "at_once", "later"]


class Passer(Protocol):
    """A person at a table: what automatic passing needs of them."""

    @property
    def token(self) -> str:
        """The token of their seat."""

    @property
    def table(self) -> Table:
        """The table as they see it."""

    @property
    def passes(self) -> When:
        """Whether the bot is to pass for them."""


def when_to_pass(table: Table, passing: Passing, *, alone: bool) -> When:
    """Return when the bot passes for the viewer of a table: at once, later (as a person would), or never.

    It passes only if the viewer can do nothing else. If the game lets players pass voluntarily, an immediate pass would
    reveal that they could play nothing, so the bot waits; not if they play alone.
    """
    if table.deal is None or table.you is None or table.deal.turn != table.you or table.moves != [PASS]:
        return "never"
    if table.seats[table.you].away or passing == "never":
        return "never"
    if alone or not GAME_SCREENS[table.game].free_pass(table.deal):
        return "at_once"
    return "later" if passing == "always" else "never"


class AutomaticPasses:
    """Passes for people, once in each turn."""

    def __init__(
        self,
        engine: EngineClient,
        background: BackgroundTasks,
        *,
        chance: random.Random | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._engine = engine
        self._background = background
        self._chance = chance or random.SystemRandom()
        self._sleep = sleep
        self._begun: dict[str, int] = {}
        """By table, the version at which a pass was last begun."""

    def begin(self, passers: Iterable[Passer]) -> None:
        """Start to pass for those of a table's people for whom the bot passes now."""
        for passer in passers:
            table = passer.table
            if passer.passes != "never" and self._begun.get(table.id) != table.version:
                self._begun[table.id] = table.version
                self._background.start(
                    self._pass(table, passer.token, 0 if passer.passes == "at_once" else self._seconds(table))
                )

    def _seconds(self, table: Table) -> float:
        """Return for how long a person might think: at most half of the time that they have."""
        least, usual, most = THINKING_SECONDS
        seconds = self._chance.triangular(least, most, usual)
        if table.deadline is None:
            return seconds
        return min(seconds, max(0.0, (table.deadline - datetime.now(UTC)).total_seconds() / 2))

    async def _pass(self, table: Table, token: str, seconds: float) -> None:
        await self._sleep(seconds)
        key = f"automatic-pass-{table.id}-{table.version}"
        try:
            await self._engine.play(table.id, token, PASS, version=table.version, key=key)
        except EngineError as error:  # the person has passed, the table has moved on, or they pass by the button
            log.info("not_passed", code=error.code)
        finally:
            if self._begun.get(table.id) == table.version:
                del self._begun[table.id]


# --- reminders; times in Unix seconds


def reminders_due(table: Table, since: float, now: float) -> int:
    """Return how many reminders of the present turn are due at `now`; `since` is when the turn began."""
    at = _at(table, since)
    if at is None or now < at:
        return 0
    return 1 if table.turn_seconds else int((now - since) // DAY)


def next_reminder(table: Table, since: float, now: float) -> float | None:
    """Return when the next reminder of the present turn is due, None if there is none."""
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
