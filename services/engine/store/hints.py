"""Who waits for which table: one connection a process, on which Redis tells that a table has changed.

A hint can be lost with the connection, so whoever waits is woken after each loss, and looks for himself.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from redis.asyncio.client import PubSub

from services.engine.store import keys
from services.engine.store.errors import REDIS_ERRORS, REPLY_SECONDS
from services.engine.store.link import Link
from shared.tasks import end

PATIENCE = 1.0
"""Seconds that one who begins to listen waits for the subscription; after it, its arrival counts as a hint."""
QUIET = 5.0
"""Seconds of silence after which the connection is tried, and then given up."""
PAUSE = 0.2
"""Seconds between attempts to connect."""


class Changes:
    """Hints about one table, from the moment of listening on."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()

    def hint(self) -> None:
        """Let the one who waits look."""
        self._changed.set()

    async def wait(self, timeout: float) -> bool:  # noqa: ASYNC109 - how long to wait is what the caller says
        """Return at the next hint, or at once if one came since the last; false when the time is up."""
        try:
            async with asyncio.timeout(timeout):
                await self._changed.wait()
        except TimeoutError:
            return False
        self._changed.clear()
        return True


class _Topic:
    """A channel somebody listens to."""

    def __init__(self) -> None:
        self.listeners: set[Changes] = set()
        self.settled = asyncio.Event()
        """Nobody waits for the subscription any more: it is there, or it is late."""

    def hint(self) -> None:
        for listener in self.listeners:
            listener.hint()


class _Wire:
    """One connection and the subscriptions on it."""

    def __init__(self, pubsub: PubSub) -> None:
        self.pubsub = pubsub
        self._sent: set[str] = set()
        self._unconfirmed: dict[str, int] = {}

    async def bring_to(self, channels: Iterable[str], wanted: Iterable[str]) -> None:
        """Subscribe to, or unsubscribe from, those of the channels that need it."""
        touched, wanted = set(channels), set(wanted)
        new, old = (touched & wanted) - self._sent, (touched - wanted) & self._sent
        self._sent = (self._sent | new) - old
        for channel in new:
            self._unconfirmed[channel] = self._unconfirmed.get(channel, 0) + 1
        if new:
            await self.pubsub.subscribe(*new)
        if old:
            await self.pubsub.unsubscribe(*old)

    def confirm(self, channel: str) -> bool:
        """Note that Redis confirmed a subscription; false while a later one to the same channel is on its way."""
        left = self._unconfirmed.pop(channel, 1) - 1
        if left > 0:
            self._unconfirmed[channel] = left
        return left <= 0

    def hears(self, channel: str) -> bool:
        """Tell whether hints on a channel arrive."""
        return channel in self._sent and channel not in self._unconfirmed


class Hints:
    """All listening of a process."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._topics: dict[str, _Topic] = {}
        self._touched: set[str] = set()
        self._touch = asyncio.Event()
        self._wire: _Wire | None = None
        self._away = False
        self._task: asyncio.Task[None] | None = None
        self._workers: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def changes(self, table: str) -> AsyncIterator[Changes]:
        """Listen to a table. First enter, then read, then wait: so no change falls between reading and waiting."""
        channel = keys.of(table).changed
        listener = Changes()
        topic = self._join(channel, listener)
        try:
            await self._settle(topic)
            yield listener
        finally:
            self._leave(channel, listener)

    async def close(self) -> None:
        """End the connection."""
        if self._task:
            await end(self._task, *self._workers)

    def _join(self, channel: str, listener: Changes) -> _Topic:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="store hints")
        topic = self._topics.setdefault(channel, _Topic())
        topic.listeners.add(listener)
        if self._away or (self._wire and self._wire.hears(channel)):
            topic.settled.set()
        self._mark(channel)
        return topic

    def _leave(self, channel: str, listener: Changes) -> None:
        topic = self._topics[channel]
        topic.listeners.discard(listener)
        if not topic.listeners:
            del self._topics[channel]
            self._mark(channel)

    def _mark(self, *channels: str) -> None:
        self._touched.update(channels)
        self._touch.set()

    async def _settle(self, topic: _Topic) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await topic.settled.wait()
        except TimeoutError:
            topic.settled.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._stay_connected()
            except REDIS_ERRORS:
                self._away = True
            for topic in self._topics.values():
                topic.settled.set()
            await asyncio.sleep(PAUSE)

    async def _stay_connected(self) -> None:
        pubsub = await self._link.subscriber()
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                await pubsub.subscribe(keys.SUBSCRIBED)
            self._wire, self._away = _Wire(pubsub), False
            self._mark(*self._topics)
            self._workers = [
                asyncio.create_task(work(self._wire), name="store hints") for work in (self._listen, self._subscribe)
            ]
            ended, _ = await asyncio.wait(self._workers, return_when=asyncio.FIRST_COMPLETED)
            await ended.pop()
        finally:
            self._wire = None
            await end(*self._workers)
            await pubsub.aclose()  # type: ignore[no-untyped-call]

    async def _subscribe(self, wire: _Wire) -> None:
        while True:
            await self._touch.wait()
            self._touch.clear()
            touched, self._touched = self._touched, set()
            await wire.bring_to(touched, touched & self._topics.keys())

    async def _listen(self, wire: _Wire) -> None:
        silent = False
        while True:
            message = await wire.pubsub.get_message(timeout=QUIET)
            if message is not None:
                silent = False
                self._heard(wire, message["type"], message["channel"])
            elif silent:
                raise ConnectionError("no answer on the connection for subscriptions")
            else:
                silent = True
                await wire.pubsub.ping()

    def _heard(self, wire: _Wire, kind: str, name: bytes | None) -> None:
        channel = name.decode() if name else ""
        topic = self._topics.get(channel)
        if kind == "subscribe" and not wire.confirm(channel):
            return
        if topic is None or kind == "unsubscribe":
            return
        if kind == "message" or topic.settled.is_set():
            topic.hint()
        topic.settled.set()
