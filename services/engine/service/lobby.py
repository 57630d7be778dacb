"""The lobby: pages of the listed tables, and a stream of the newest tables. Tables are listed as open or in play."""

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress

import msgspec

from locanda.messages import ListedTable, LobbyNow, TablePage
from services.engine.service.accounts import Group
from services.engine.service.errors import UNEXPECTED_ERRORS, UnservedTables, diagnosed, unserved_reason
from services.engine.service.feeds import KEEP_ALIVE_SECONDS
from services.engine.service.transactions import listing_of, read
from services.engine.service.validation import ImpossibleError
from services.engine.store import ListingName, Store, keys
from services.engine.store.errors import DamagedError, NewerFormError, StoreDownError
from services.engine.store.listing import KEPT_SECONDS
from services.engine.table.state import TableError, Transition
from services.engine.table.view import listing

LOOK_SECONDS = 2.0
"""Seconds between two reads of the lobby, shared by all its followers."""
MOST_SHOWN = 50
"""Maximum number of tables of each status in the lobby, which shows the newest."""

_encoder = msgspec.json.Encoder()


class LobbyQueries:
    """Reads the lists of tables. Tables that this release cannot serve are left out."""

    def __init__(self, store: Store, unserved: UnservedTables) -> None:
        self._store = store
        self._unserved = unserved
        self._listing = asyncio.Lock()
        self._entries: dict[str, ListedTable | None] = {}
        self._entries_read = 0.0
        self._shown = asyncio.Lock()
        self._encoded = b""
        self._encoded_until = 0.0

    async def page(self, cursor: str | None, limit: int, status: ListingName) -> TablePage:
        """Return a page of listed tables. Raises `ImpossibleError` for an invalid cursor."""
        try:
            ids, following = await self._store.listings[status].page(cursor, limit)
        except ValueError as error:
            raise ImpossibleError("cursor", str(error)) from None
        return TablePage(await self._known_entries(ids, status), following)

    async def lobby(self) -> LobbyNow:
        """Return the newest listed tables, alternating between clients."""
        waiting, played = [
            await self._known_entries(await listing.in_turns(MOST_SHOWN), status)
            for status, listing in self._store.listings.items()
        ]
        return LobbyNow(waiting, played)

    async def follow(self) -> AsyncGenerator[bytes | None, None]:
        """Yield the lobby as JSON at first and after changes; None after `KEEP_ALIVE_SECONDS` without a change."""
        sent, since = b"", time.monotonic()
        while True:
            now = await self._encoded_lobby()
            if now != sent or time.monotonic() - since > KEEP_ALIVE_SECONDS:
                yield None if now == sent else now
                sent, since = now, time.monotonic()
            await asyncio.sleep(LOOK_SECONDS)

    async def _encoded_lobby(self) -> bytes:
        async with self._shown:
            if time.monotonic() > self._encoded_until:
                self._encoded = _encoder.encode(await self.lobby())
                self._encoded_until = time.monotonic() + LOOK_SECONDS / 2
        return self._encoded

    async def is_open(self, table: str) -> bool:
        """Return whether a table is listed as open."""
        return table in await self._store.listings["open"].tables()

    async def count(self, group: Group) -> int:
        """Return how many tables opened by a group of clients are listed, open or in play."""
        return sum([await listing.count(group) for listing in self._store.listings.values()])

    async def sweep(self, pause: Callable[[], Awaitable[None]]) -> None:
        """Remove expired tables from the lists forever, one bucket at a time; `pause` waits between the steps."""
        for tag in itertools.cycle(keys.TAGS):
            with suppress(StoreDownError):
                await self._store.unlist_gone(tag)
            await pause()

    def note(self, _outcome: str, transition: Transition) -> None:
        """Drop the cached entry of a changed table."""
        self._entries.pop(transition.table.id, None)

    async def _known_entries(self, tables: Sequence[str], status: ListingName) -> list[ListedTable]:
        async with self._listing:
            entries = [await self._known_entry(table, status) for table in tables]
        return [entry for entry in entries if entry and entry.status == status]

    async def _known_entry(self, table: str, status: ListingName) -> ListedTable | None:
        """Return a table's entry, cached for a second; None if the table must not be shown."""
        now = time.monotonic()
        if now - self._entries_read > KEPT_SECONDS:
            self._entries.clear()
            self._entries_read = now
        if table not in self._entries:
            self._entries[table] = await self._served_entry(table, status)
        return self._entries[table]

    async def _served_entry(self, table: str, status: ListingName) -> ListedTable | None:
        try:
            entry = await self._entry(table)
        except (TableError, NewerFormError, DamagedError) as error:
            self._unserved.report(table, unserved_reason(error) or "damaged")
            return None
        if entry is None or entry.status != status:
            await self._store.unlist(table, status)
        return entry

    async def _entry(self, table: str) -> ListedTable | None:
        """Return a table's entry; None if the table is gone, or must not be listed any more."""
        snapshot = (await self._store.load(table)).snapshot
        if snapshot is None:
            return None
        state = read(snapshot, table)
        if listing_of(state) is None:
            return None
        try:
            return listing(state)
        except UNEXPECTED_ERRORS as error:
            raise diagnosed(state, error) from None
