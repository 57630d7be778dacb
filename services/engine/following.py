"""Looking at a table: now, once it is newer, and step by step. Whatever is shown is a view for the one who looks."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from services.engine import codec, tokens
from services.engine.store.store import Store
from services.engine.table.state import AnyTable, seat_of
from services.engine.table.view import view
from services.engine.writing import authenticate, read
from shared.messages import EventItem, Table

LOOK_AGAIN = 15.0
"""Seconds after which a follower looks again, should the hint of a change have been lost."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A table, and the seat of the one who looks at it."""

    table: AnyTable
    seat: int | None

    @property
    def view(self) -> Table:
        """What that viewer may see."""
        return view(self.table, self.seat)


class Follower:
    """Reads tables and their streams."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def see(self, table: str, token: str | None) -> Seen:
        """Return the table now. Raises `NoSuchTableError`, `WrongTokenError`."""
        found = read((await self._store.load(table)).snapshot)
        return Seen(found, authenticate(found, _digest(token)))

    async def see_newer(self, table: str, token: str | None, after: int, wait: float) -> Seen:
        """Return the table once it is newer than `after`, or as it is after `wait` seconds."""
        until = asyncio.get_running_loop().time() + wait
        async with self._store.changes(table) as changes:
            while True:
                seen = await self.see(table, token)
                left = until - asyncio.get_running_loop().time()
                if seen.table.version > after or left <= 0:
                    return seen
                await changes.wait(min(left, LOOK_AGAIN))

    async def page(self, table: str, token: str | None, after: int | None) -> list[EventItem]:
        """Return the remembered events after a version; a `gap` with the table as it is where some are gone."""
        seen = await self.see(table, token)
        entries = await self._store.events(table, after)
        if after is not None and _missed(after, seen.table.version, entries):
            return [EventItem(seen.table.version, "gap", seen.view)]
        return [_item(snapshot, token) for _, snapshot in entries]

    async def follow(self, table: str, token: str | None, after: int | None) -> AsyncGenerator[EventItem | None]:
        """Yield the events after a version, then each as it happens, and none now and then while nothing does.

        Ends with an exception of `see`.
        """
        async with self._store.changes(table) as changes:
            if after is None:
                seen = await self.see(table, token)
                after = seen.table.version
                yield EventItem(after, "change", seen.view)
            while True:
                for item in await self.page(table, token, after):
                    after = item.id
                    yield item
                if not await changes.wait(LOOK_AGAIN):
                    yield None


def _missed(after: int, version: int, entries: list[tuple[int, bytes]]) -> bool:
    """Tell whether the stream no longer holds, or never held, the event that follows version `after`."""
    return entries[0][0] != after + 1 if entries else after != version


def _item(snapshot: bytes, token: str | None) -> EventItem:
    """Return an event for the bearer; from before he sat down he sees what a spectator saw."""
    then = codec.decode(snapshot)
    digest = _digest(token)
    return EventItem(then.version, "change", view(then, None if digest is None else seat_of(then, digest)))


def _digest(token: str | None) -> bytes | None:
    return None if token is None else tokens.digest(token)
