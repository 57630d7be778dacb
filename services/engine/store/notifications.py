"""Subscriptions to tables: notifications of their changes, over one pub/sub connection a process.

A notification can be lost with the connection, so every subscriber is woken after each loss, and reads the table anew.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TypeAlias

from redis.asyncio.client import PubSub

from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.engine.store import keys
from services.engine.store.backends import Backend
from services.engine.store.errors import REPLY_SECONDS

READY_SECONDS = 1.0
"""How long a new subscriber waits until Redis confirms; a later confirmation counts as a notification."""
QUIET_SECONDS = 5.0
"""Seconds of silence after which the connection is pinged; after as many more it counts as lost."""
RETRY_SECONDS = 0.2
"""Seconds between attempts to connect."""


Take: TypeAlias = Callable[[bytes], bool]
"""Takes the message of a notification; returns false where its subscriber is to be woken."""


def leave(_: bytes) -> bool:
    """Take no message: every notification wakes its subscriber."""
    return False


class Subscription:
    """Notifications about one table, from the moment of subscribing on."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._changed = asyncio.Event()

    def notify(self, message: bytes = b"") -> None:
        """Let the subscriber take the snapshot in a notification, or wake them; without a snapshot, wake them."""
        if not (message and self._take(message)):
            self._changed.set()

    async def wait(self, timeout: float) -> bool:  # noqa: ASYNC109 - the caller chooses how long to wait
        """Return at the next notification, or at once if one came since the last; false when the time is up."""
        try:
            async with asyncio.timeout(timeout):
                await self._changed.wait()
        except TimeoutError:
            return False
        self._changed.clear()
        return True


class _Channel:
    """A channel with subscribers."""

    def __init__(self) -> None:
        self.subscribers: set[Subscription] = set()
        self.ready = asyncio.Event()
        """Set once no subscriber waits for the confirmation any more: it has come, or it is late."""

    def notify(self, message: bytes) -> None:
        for subscriber in self.subscribers:
            subscriber.notify(message)


class _SubscriberConnection:
    """One connection, and the channels to which it is subscribed."""

    def __init__(self, pubsub: PubSub) -> None:
        self.pubsub = pubsub
        self._sent: set[str] = set()
        self._unconfirmed: dict[str, int] = {}

    async def update(self, channels: Iterable[str], wanted: Iterable[str]) -> None:
        """Subscribe to those of the channels that are wanted, and unsubscribe from the others."""
        names, wanted = set(channels), set(wanted)
        new, old = (names & wanted) - self._sent, (names - wanted) & self._sent
        self._sent = (self._sent | new) - old
        for channel in new:
            self._unconfirmed[channel] = self._unconfirmed.get(channel, 0) + 1
        if new:
            await self.pubsub.subscribe(*new)
        if old:
            await self.pubsub.unsubscribe(*old)

    def confirm(self, channel: str) -> bool:
        """Record that Redis confirmed a channel; false while a later confirmation of the same one is awaited."""
        left = self._unconfirmed.pop(channel, 1) - 1
        if left > 0:
            self._unconfirmed[channel] = left
        return left <= 0

    def receives(self, channel: str) -> bool:
        """Return whether messages on a channel arrive."""
        return channel in self._sent and channel not in self._unconfirmed


class Notifications:
    """All subscriptions of a process."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._channels: dict[str, _Channel] = {}
        self._to_update: set[str] = set()
        self._update_needed = asyncio.Event()
        self._connection: _SubscriberConnection | None = None
        self._down = False
        self._task: asyncio.Task[None] | None = None
        self._workers: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def subscribe(self, table: str, take: Take) -> AsyncIterator[Subscription]:
        """Subscribe to a table. Enter first, then read, then wait: so no change falls between reading and waiting."""
        channel = keys.of(table).changed
        subscriber = Subscription(take)
        state = self._join(channel, subscriber)
        try:
            await self._wait_ready(state)
            yield subscriber
        finally:
            self._leave(channel, subscriber)

    async def close(self) -> None:
        """End the connection."""
        if self._task:
            await end(self._task, *self._workers)

    def _join(self, channel: str, subscriber: Subscription) -> _Channel:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="store notifications")
        state = self._channels.setdefault(channel, _Channel())
        state.subscribers.add(subscriber)
        if self._down or (self._connection and self._connection.receives(channel)):
            state.ready.set()
        self._schedule_update(channel)
        return state

    def _leave(self, channel: str, subscriber: Subscription) -> None:
        state = self._channels[channel]
        state.subscribers.discard(subscriber)
        if not state.subscribers:
            del self._channels[channel]
            self._schedule_update(channel)

    def _schedule_update(self, *channels: str) -> None:
        self._to_update.update(channels)
        self._update_needed.set()

    async def _wait_ready(self, state: _Channel) -> None:
        try:
            async with asyncio.timeout(READY_SECONDS):
                await state.ready.wait()
        except TimeoutError:
            state.ready.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._stay_connected()
            except REDIS_ERRORS:
                self._down = True
            for state in self._channels.values():
                state.ready.set()
            await asyncio.sleep(RETRY_SECONDS)

    async def _stay_connected(self) -> None:
        pubsub = await self._backend.subscriber()
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                await pubsub.subscribe(keys.SUBSCRIBED)
            self._connection, self._down = _SubscriberConnection(pubsub), False
            self._schedule_update(*self._channels)
            work = (self._listen(self._connection), self._update(self._connection))
            self._workers = [asyncio.create_task(each, name="store notifications") for each in work]
            ended, _ = await asyncio.wait(self._workers, return_when=asyncio.FIRST_COMPLETED)
            await ended.pop()
        finally:
            self._connection = None
            await end(*self._workers)
            await pubsub.aclose()  # type: ignore[no-untyped-call]

    async def _update(self, connection: _SubscriberConnection) -> None:
        while True:
            await self._update_needed.wait()
            self._update_needed.clear()
            names, self._to_update = self._to_update, set()
            await connection.update(names, names & self._channels.keys())

    async def _listen(self, connection: _SubscriberConnection) -> None:
        silent = False
        while True:
            message = await connection.pubsub.get_message(timeout=QUIET_SECONDS)
            if message is not None:
                silent = False
                self._handle(connection, message["type"], message["channel"], message["data"])
            elif silent:
                raise ConnectionError("no answer on the connection for subscriptions")
            else:
                silent = True
                await connection.pubsub.ping()

    def _handle(
        self, connection: _SubscriberConnection, kind: str, name: bytes | None, data: bytes | int | None
    ) -> None:
        channel = name.decode() if name else ""
        state = self._channels.get(channel)
        if kind == "subscribe" and not connection.confirm(channel):
            return
        if state is None or kind == "unsubscribe":
            return
        if kind == "message" or state.ready.is_set():
            state.notify(data if isinstance(data, bytes) else b"")
        state.ready.set()
