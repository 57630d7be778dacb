"""Feeds of tables: each reads a table's changes once for all listeners in this process, and encodes each view once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from services.common.processes import end
from services.engine.service.overdue import OverdueTables
from services.engine.service.transactions import read, readable, shown
from services.engine.store import Store
from services.engine.store.errors import StoreDownError
from services.engine.table.state import AnyTable

REREAD_SECONDS = 15.0
"""Seconds after which a feed reads again, in case a notification was lost."""
RETRY_SECONDS = 1.0
"""Seconds between two reads while the store is down."""
VERSIONS_KEPT = 8
"""How many versions a listener may be behind without reading from the store itself."""


class TableFeed:
    """The last versions of one table, as long as it has listeners."""

    def __init__(self, store: Store, overdue: OverdueTables, table: str) -> None:
        self._store = store
        self._overdue = overdue
        self._table = table
        self._recent: dict[int, AnyTable] = {}
        self._bodies: dict[tuple[int, int | None], bytes] = {}
        self._changed = asyncio.Event()
        self._failure: Exception | None = None
        self.listeners = 0
        self.task = asyncio.create_task(self._run(), name="feed")

    async def latest(self) -> AnyTable:
        """Return the newest version read. Raises as `read` and the store do."""
        while not self._recent and self._failure is None:
            await self._changed.wait()
        if self._failure is not None:
            raise self._failure
        return self._recent[self._version]

    async def newer(self, after: int, wait: float) -> bool:
        """Return once the table is newer than a version, or gone; false when `wait` seconds are up before."""
        try:
            async with asyncio.timeout(wait):
                while self._version <= after and not self.task.done():
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def after(self, version: int) -> list[AnyTable] | None:
        """Return the versions after one; None if they are no longer kept."""
        if version + 1 not in self._recent:
            return None
        return [table for number, table in self._recent.items() if number > version]

    def body(self, table: AnyTable, seat: int | None) -> bytes:
        """Return the view of a seat, or of a spectator, of one of the feed's versions, as JSON."""
        key = (table.version, seat)
        if key not in self._bodies:
            self._bodies[key] = msgspec.json.encode(shown(table, seat))
        return self._bodies[key]

    @property
    def _version(self) -> int:
        return next(reversed(self._recent), 0)

    async def _run(self) -> None:
        """Read, and after each notification again; ends when the table is gone."""
        try:
            async with self._store.subscribe(self._table) as subscription:
                while True:
                    try:
                        await self._read()
                    except StoreDownError as error:
                        self._fail(error)
                        await asyncio.sleep(RETRY_SECONDS)
                    else:
                        await subscription.wait(REREAD_SECONDS)
        except Exception as error:  # noqa: BLE001 - every listener gets it
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = error
        self._notify()

    async def _read(self) -> None:
        known = self._version
        if not known:
            found = [read((await self._store.load(self._table)).snapshot, self._table)]
        else:
            latest, snapshots = await self._store.events(self._table, known)
            await self._overdue.look(read(latest, self._table))
            found = readable(snapshots, self._table)
        self._failure = None
        if found:
            self._remember(found)
            self._notify()

    def _remember(self, found: list[AnyTable]) -> None:
        for table in found:
            if table.version != self._version + 1:  # some in between are no longer in the store
                self._recent.clear()
            self._recent[table.version] = table
        while len(self._recent) > VERSIONS_KEPT:
            del self._recent[next(iter(self._recent))]
        self._bodies = {key: body for key, body in self._bodies.items() if key[0] in self._recent}

    def _notify(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


class TableFeeds:
    """The feeds of all tables with listeners."""

    def __init__(self, store: Store, overdue: OverdueTables) -> None:
        self._store = store
        self._overdue = overdue
        self._feeds: dict[str, TableFeed] = {}

    @asynccontextmanager
    async def of(self, table: str) -> AsyncIterator[TableFeed]:
        """Follow a table; the first listener starts its feed, the last one ends it."""
        feed = self._feeds.get(table)
        if feed is None:
            feed = self._feeds[table] = TableFeed(self._store, self._overdue, table)
        feed.listeners += 1
        try:
            yield feed
        finally:
            feed.listeners -= 1
            if not feed.listeners:
                del self._feeds[table]
                await end(feed.task)
