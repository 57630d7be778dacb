"""Overdue tables: those whose wake time is missing in Redis.

A table's snapshot contains its wake time, and a sorted set has a copy for the clock. If the copy is lost or wrong, the
clock does not wake the table. Each read and write of a table checks its copy, and a search checks all tables.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from msgspec import Struct

from services.engine.service import codec, tokens
from services.engine.store import Store
from services.engine.store.errors import StoreDownError
from services.engine.table.playing import WAIT_MARGIN
from services.engine.table.state import AnyTable
from services.engine.table.turns import longest_wait

LATE = 3_000
"""Milliseconds after its wake time from which a table counts as overdue rather than just a little late."""
MOST_ASKED = 4096
SEARCH_SECONDS = 1.0
"""Seconds between two steps of the search."""
SEARCH_KEYS = 100
"""Approximate number of Redis keys that a step of the search reads. A table has at least four keys."""

log = structlog.stdlib.get_logger("engine.clock")


class WakeTime(Struct, frozen=True):
    """When the clock must act on a table."""

    at: int
    longest: int | None
    """Maximum milliseconds from now until the wake time; None if a computer player moves next, since its time is a
    setting.
    """


def wake_time_of(table: AnyTable) -> WakeTime | None:
    """Return the time when the clock must act on a table, or None."""
    return None if table.wake is None else WakeTime(table.wake, longest_wait(table))


class OverdueTables:
    """Restores the wake times of tables that the clock should have woken."""

    def __init__(self, store: Store, now: Callable[[], int], think_ms: int) -> None:
        self._store = store
        self._now = now
        self._think_ms = think_ms
        self._asked: dict[str, int] = {}
        """Time of the last check of each table, so that repeated reads of an overdue table do not check again."""

    def is_overdue(self, wake: WakeTime | None) -> bool:
        """Return whether the clock should have acted already, or the wake time is too far ahead."""
        if wake is None:
            return False
        ahead = wake.at - self._now()
        return not -LATE <= ahead <= WAIT_MARGIN + (self._think_ms if wake.longest is None else wake.longest)

    async def restore(self, table: str, version: int) -> None:
        """Make a table due if it is overdue at this version, unless the clock is about to wake it."""
        now = self._now()
        if now - self._asked.get(table, -LATE) < LATE:
            return
        if len(self._asked) >= MOST_ASKED:
            self._asked.clear()
        self._asked[table] = now
        if await self._store.restore_deadline(table, version):
            log.warning("deadline_restored", table=tokens.short_id(table))

    async def restore_if_overdue(self, table: AnyTable) -> None:
        """Restore a table's wake time if it is overdue."""
        if table.wake is not None and self.is_overdue(wake_time_of(table)):
            await self.restore(table.id, table.version)

    async def search(self, pause: Callable[[], Awaitable[None]]) -> None:
        """Search all tables for lost wake times forever, a few at a time; `pause` waits between the steps."""
        while True:
            try:
                async for tables in self._store.tables(SEARCH_KEYS):
                    await self._search_among(tables)
                    await pause()
            except StoreDownError:
                pass
            await pause()

    async def _search_among(self, tables: list[str]) -> None:
        for table, scheduled in zip(tables, await self._store.deadlines(tables), strict=True):
            try:
                await self._check(table, scheduled)
            except StoreDownError:
                raise
            except Exception as error:  # noqa: BLE001 - an unreadable table must not delay the others
                log.debug("table_not_checked", table=tokens.short_id(table), error=type(error).__name__)

    async def _check(self, table: str, scheduled: int | None) -> None:
        """Compare a table's wake time with its copy in Redis, unless the copy is due soon anyway."""
        if scheduled is not None and scheduled <= self._now() + WAIT_MARGIN:
            return
        snapshot = (await self._store.load(table)).snapshot
        table_now = codec.cached_decode(snapshot.data) if snapshot else None
        if table_now is None or table_now.wake is None:
            return
        if self.is_overdue(wake_time_of(table_now)):
            await self.restore(table, table_now.version)
        elif scheduled is None or scheduled > table_now.wake:
            await self._store.schedule(table, table_now.wake, table_now.version)
            log.warning("deadline_restored", table=tokens.short_id(table))


async def pause_between_steps() -> None:
    """Pause between two steps of the search."""
    await asyncio.sleep(SEARCH_SECONDS)
