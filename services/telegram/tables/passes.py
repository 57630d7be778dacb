"""Automatic passes for people who can play nothing."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import structlog

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import GivenMove, Table
from services.common.processes import BackgroundTasks
from services.telegram.play.turns import PASS, When

log = structlog.get_logger(__name__)

THINKING_SECONDS = (2.5, 4.0, 12.0)
"""Minimum, mode and maximum of the seconds that a person takes to pass (a triangular distribution)."""


class AutomaticPasses:
    """Passes for people, once in a turn."""

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
        """The version at which the bot last began to pass, by table."""

    def begin(self, table: Table, token: str, when: When) -> None:
        """Start to pass for a person, unless `when` is `never`; `table` is the person's view."""
        if when != "never" and self._begun.get(table.id) != table.version:
            self._begun[table.id] = table.version
            self._background.start(self._pass(table, token, 0 if when == "at_once" else self._seconds(table)))

    def _seconds(self, table: Table) -> float:
        """Return the seconds that a person might think, at most half of the time left."""
        least, usual, most = THINKING_SECONDS
        seconds = self._chance.triangular(least, most, usual)
        if table.deadline is None:
            return seconds
        return min(seconds, max(0.0, (table.deadline - datetime.now(UTC)).total_seconds() / 2))

    async def _pass(self, table: Table, token: str, seconds: float) -> None:
        await self._sleep(seconds)
        key = f"automatic-pass-{table.id}-{table.version}"
        try:
            await self._engine.play(table.id, token, GivenMove(PASS), version=table.version, key=key)
        except EngineError as error:  # the person has moved, or the table has changed
            log.info("not_passed", code=error.code)
        finally:
            if self._begun.get(table.id) == table.version:
                del self._begun[table.id]
