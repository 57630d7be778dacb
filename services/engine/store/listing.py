"""Listed tables, open or in play, merged from all buckets: in pages, newest first, or alternating between clients."""

import asyncio
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from services.engine.store import keys
from services.engine.store.backends import Backend
from services.engine.store.errors import DamagedError

_CURSOR = re.compile(r"(\d{1,16}) (.+)", re.ASCII)

KEPT_SECONDS = 1.0
"""Seconds for which a listing is cached."""
MOST_LISTED = 2000
"""Maximum number of listed tables. If there are more, the oldest are left out."""
OTHERS = 10
"""If at least this many tables of other clients are shown, no client has more than half."""

ListingPosition = tuple[int, str]
"""When a table was listed, in microseconds, and its id."""


class Listing:
    """Listed tables of one status, from all buckets. The list is cached for a second, so requests rarely read Redis."""

    def __init__(self, link: Backend, key: Callable[[str], str]) -> None:
        """`key` returns the key of a bucket's tables, given its hash tag."""
        self._link = link
        self._key = key
        self._positions: list[ListingPosition] = []
        """Positions of the listed tables, oldest first."""
        self._tables: set[str] = set()
        self._openers: dict[str, bytes] = {}
        """The group of the client who opened each listed table, if known."""
        self._until = 0.0
        self._reading = asyncio.Lock()

    def note(self, table: str, *, listed: bool) -> None:
        """Make the next call read the list again, if this process has changed the table's listing."""
        if listed != (table in self._tables):
            self._until = 0.0

    async def tables(self) -> set[str]:
        """Return the ids of all listed tables."""
        await self._read()
        return self._tables

    async def count(self, group: bytes) -> int:
        """Return how many of the tables were opened by a group of clients."""
        await self._read()
        return sum(self._openers.get(table) == group for table in self._tables)

    async def in_turns(self, limit: int) -> list[str]:
        """Return table ids, newest first, alternating between clients."""
        await self._read()
        return in_turns([(table, self._openers.get(table, b"")) for _, table in self._positions[::-1]], limit)

    async def page(self, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
        """Return a page of table ids, and the cursor of the next page, if any. Raises `ValueError` for a bad cursor."""
        before = _decode_cursor(cursor) if cursor else None
        await self._read()
        end = len(self._positions) if before is None else bisect_left(self._positions, before)
        start = max(0, end - limit)
        shown = self._positions[start:end][::-1]
        return [table for _, table in shown], _encode_cursor(shown[-1]) if start else None

    async def _read(self) -> None:
        async with self._reading:
            if time.monotonic() < self._until:
                return
            self._until = time.monotonic() + KEPT_SECONDS
            try:
                buckets = await asyncio.gather(*(_bucket(self._link, self._key(tag)) for tag in keys.TAGS))
                openers = await asyncio.gather(*(_openers(self._link, tag) for tag in keys.TAGS))
            except BaseException:
                self._until = 0.0
                raise
            self._positions = sorted(position for bucket in buckets for position in bucket)[-MOST_LISTED:]
            self._tables = {table for _, table in self._positions}
            self._openers = {table: group for bucket in openers for table, group in bucket.items()}


async def _bucket(link: Backend, key: str) -> list[ListingPosition]:
    """Return the newest positions in a bucket; empty if its key has the wrong type."""
    try:
        reply = await link.call(("ZREVRANGE", key, 0, MOST_LISTED - 1, "WITHSCORES"))
    except DamagedError:
        return []
    positions = []
    for table, score in zip(reply[::2], reply[1::2], strict=True):
        with suppress(ValueError, OverflowError):  # skip a member with an invalid id or time
            positions.append((int(float(score)), table.decode()))
    return positions


async def _openers(link: Backend, tag: str) -> dict[str, bytes]:
    """Return the opener's group for each of a bucket's listed tables; empty if the key has the wrong type."""
    try:
        reply = await link.call(("HGETALL", keys.openers(tag)))
    except DamagedError:
        return {}
    return {table.decode("utf-8", "replace"): group for table, group in zip(reply[::2], reply[1::2], strict=True)}


def in_turns(tables: Sequence[tuple[str, bytes]], limit: int) -> list[str]:
    """Return the first tables of a list, alternating between clients; unknown clients count as different."""
    turns: Counter[bytes] = Counter()
    placed: list[tuple[int, int, str, bytes]] = []
    for place, (table, group) in enumerate(tables):
        client = group or table.encode()
        placed.append((turns[client], place, table, client))
        turns[client] += 1
    shown = sorted(placed)[:limit]
    for client, own in Counter(client for *_, client in shown).most_common(1):
        others = len(shown) - own
        if own > others >= OTHERS:
            shown = [row for row in shown if row[3] != client or row[0] < others]
    return [table for *_, table, _ in shown]


def _encode_cursor(position: ListingPosition) -> str:
    return urlsafe_b64encode(f"{position[0]} {position[1]}".encode()).decode()


def _decode_cursor(cursor: str) -> ListingPosition:
    try:
        match = _CURSOR.fullmatch(urlsafe_b64decode(cursor.encode("ascii")).decode())
    except ValueError:
        match = None
    if match is None:
        raise ValueError("the cursor is invalid")
    return int(match[1]), match[2]
