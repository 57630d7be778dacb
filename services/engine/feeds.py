"""What happens at a table, read once for all in this process who follow it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from services.engine import codec
from services.engine.store.errors import StoreDownError
from services.engine.store.store import Store
from services.engine.table.state import AnyTable
from services.engine.table.view import view
from services.engine.writing import read
from shared.tasks import end

LOOK_AGAIN = 15.0
"""Seconds after which a feed looks again, should the hint of a change have been lost."""
STORE_PAUSE = 1.0
"""Seconds between two looks at a store that is down."""
KEPT = 8
"""How many steps those who follow may be behind without reading for themselves."""


class Feed:
    """One table while somebody follows it."""

    def __init__(self, store: Store, table: str) -> None:
        self._store = store
        self._table = table
        self._recent: dict[int, AnyTable] = {}
        self._bodies: dict[tuple[int, int | None], bytes] = {}
        self._stirred = asyncio.Event()
        self._failure: Exception | None = None
        self.followers = 0
        self.task = asyncio.create_task(self._run(), name="feed")

    async def latest(self) -> AnyTable:
        """Return the newest table that is known. Raises `NoSuchTableError`, `StoreDownError`."""
        while not self._recent and self._failure is None:
            await self._stirred.wait()
        if self._failure is not None:
            raise self._failure
        return self._recent[self._version]

    async def newer(self, after: int, wait: float) -> bool:
        """Return once the table is newer than a version, or gone; false when that many seconds are up before."""
        try:
            async with asyncio.timeout(wait):
                while self._version <= after and not self.task.done():
                    await self._stirred.wait()
        except TimeoutError:
            return False
        return True

    def after(self, version: int) -> list[AnyTable] | None:
        """Return the steps after a version; none where it is too long ago."""
        if version + 1 not in self._recent:
            return None
        return [table for number, table in self._recent.items() if number > version]

    def body(self, table: AnyTable, seat: int | None) -> bytes:
        """Return the JSON of what a seat, or a spectator, may see of one of the feed's tables."""
        key = (table.version, seat)
        if key not in self._bodies:
            self._bodies[key] = msgspec.json.encode(view(table, seat))
        return self._bodies[key]

    @property
    def _version(self) -> int:
        return next(reversed(self._recent), 0)

    async def _run(self) -> None:
        """Read, and after each hint again; ends when the table is gone."""
        try:
            async with self._store.changes(self._table) as changes:
                while True:
                    try:
                        await self._read()
                    except StoreDownError as error:
                        self._fail(error)
                        await asyncio.sleep(STORE_PAUSE)
                    else:
                        await changes.wait(LOOK_AGAIN)
        except Exception as error:  # noqa: BLE001 - it is for those who follow
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = error
        self._stir()

    async def _read(self) -> None:
        known = self._version
        if not known:
            found = [read((await self._store.load(self._table)).snapshot)]
        else:
            latest, snapshots = await self._store.events(self._table, known)
            read(latest)
            found = [codec.decode(snapshot.data) for snapshot in snapshots]
        self._failure = None
        if found:
            self._remember(found)
            self._stir()

    def _remember(self, found: list[AnyTable]) -> None:
        for table in found:
            if table.version != self._version + 1:  # some in between are forgotten
                self._recent.clear()
            self._recent[table.version] = table
        while len(self._recent) > KEPT:
            del self._recent[next(iter(self._recent))]
        self._bodies = {key: body for key, body in self._bodies.items() if key[0] in self._recent}

    def _stir(self) -> None:
        stirred, self._stirred = self._stirred, asyncio.Event()
        stirred.set()


class Feeds:
    """The feeds of all tables that somebody follows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._feeds: dict[str, Feed] = {}

    @asynccontextmanager
    async def of(self, table: str) -> AsyncIterator[Feed]:
        """Follow a table; who comes first sets its feed up, who leaves last ends it."""
        feed = self._feeds.get(table)
        if feed is None:
            feed = self._feeds[table] = Feed(self._store, table)
        feed.followers += 1
        try:
            yield feed
        finally:
            feed.followers -= 1
            if not feed.followers:
                del self._feeds[table]
                await end(feed.task)
