"""Looking at a table: now, once it is newer, and step by step. Whatever is shown is a view for the one who looks."""

from collections.abc import AsyncGenerator
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from services.engine import codec, tokens
from services.engine.feeds import Feed, Feeds
from services.engine.idempotency import Reply
from services.engine.store.store import Snapshot, Store
from services.engine.table.state import AnyTable, seat_of
from services.engine.table.view import view
from services.engine.writing import authenticate, existing, read
from shared.messages import EventItem

LOOKS_KEPT = 4096
"""Some 2 KB each."""
LOOK_AGAIN = 15.0
"""Seconds after which one who follows gives a sign of life."""


class Seen(Struct, frozen=True):
    """A table, and the seat of the one who looks at it."""

    table: AnyTable
    seat: int | None


class Told(Struct, frozen=True):
    """An event as it is sent."""

    id: int
    """The table's version after the event."""
    event: Literal["change", "gap"]
    table: bytes
    """What the viewer may see of it, as JSON."""


class Follower:
    """Reads tables and their histories."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._feeds = Feeds(store)

    async def see(self, table: str, token: str | None) -> Seen:
        """Return the table now. Raises `NoSuchTableError`, `WrongTokenError`."""
        found = read((await self._store.load(table)).snapshot)
        return Seen(found, authenticate(found, _digest(token)))

    async def look(self, table: str, token: str | None) -> Reply:
        """Return what the bearer may see of the table now. Raises as `see` does."""
        snapshot = existing((await self._store.load(table)).snapshot)
        return Reply(snapshot.version, _looked(snapshot.data, _digest(token)))

    async def look_newer(self, table: str, token: str | None, after: int, wait: float) -> Reply:
        """Return it once the table is newer than `after`, or as it is after `wait` seconds."""
        async with self._feeds.of(table) as feed:
            look = await self.look(table, token)
            if look.version > after:
                return look
            await feed.newer(after, wait)
            return await self.look(table, token)

    async def page(self, table: str, token: str | None, after: int | None) -> list[EventItem]:
        """Return the remembered events after a version; a `gap` with the table as it is where some are gone."""
        latest, snapshots = await self._store.events(table, after)
        digest, now = _digest(token), read(latest)
        seat = authenticate(now, digest)
        if after is not None and _missed(after, now.version, snapshots):
            return [EventItem(now.version, "gap", view(now, seat))]
        return [_item(codec.decode(snapshot.data), digest) for snapshot in snapshots]

    async def follow(self, table: str, token: str | None, after: int | None) -> AsyncGenerator[Told | None]:
        """Yield the events after a version, then each as it happens, and none now and then while nothing does.

        Ends with an exception of `see`.
        """
        digest = _digest(token)
        async with self._feeds.of(table) as feed:
            if after is None:
                # Not what the feed knows: it may be a moment older than what this viewer has seen or done.
                now = (await self.see(table, token)).table
                after = now.version
                yield _told(feed, now, digest)
            while True:
                for told in await self._since(feed, table, token, after):
                    after = told.id
                    yield told
                if not await feed.newer(after, LOOK_AGAIN):
                    yield None

    async def _since(self, feed: Feed, table: str, token: str | None, after: int) -> list[Told]:
        """Return the events after a version: those that all share who follow, or its own where these begin too late."""
        latest, digest = await feed.latest(), _digest(token)
        authenticate(latest, digest)
        if after == latest.version:
            return []
        recent = feed.after(after)
        if recent is not None:
            return [_told(feed, then, digest) for then in recent]
        items = await self.page(table, token, after)
        return [Told(item.id, item.event, msgspec.json.encode(item.table)) for item in items]


@lru_cache(maxsize=LOOKS_KEPT)
def _looked(snapshot: bytes, digest: bytes | None) -> bytes:
    """Return what a bearer may see of a snapshot, as JSON. Raises `WrongTokenError`.

    Who looks again at what has not changed is answered from memory: a function of bytes is never out of date.
    """
    table = codec.decode(snapshot)
    return msgspec.json.encode(view(table, authenticate(table, digest)))


def _missed(after: int, version: int, snapshots: list[Snapshot]) -> bool:
    """Tell whether the event that follows version `after` is remembered no longer, or never was."""
    return snapshots[0].version != after + 1 if snapshots else after != version


def _item(then: AnyTable, digest: bytes | None) -> EventItem:
    """Return an event for the bearer; from before he sat down he sees what a spectator saw."""
    return EventItem(then.version, "change", view(then, _seat(then, digest)))


def _told(feed: Feed, then: AnyTable, digest: bytes | None) -> Told:
    """Return an event for the bearer: what it says is made once for all who may see the same."""
    return Told(then.version, "change", feed.body(then, _seat(then, digest)))


def _seat(then: AnyTable, digest: bytes | None) -> int | None:
    return None if digest is None else seat_of(then, digest)


def _digest(token: str | None) -> bytes | None:
    return None if token is None else tokens.digest(token)
