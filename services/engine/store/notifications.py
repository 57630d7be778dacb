"""Subscriptions to notifications of changed tables and operators' settings, over one connection per process.

Notifications can be lost with the connection. So after a loss, all subscribers are woken and read their data again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from math import inf
from typing import Any, TypeAlias

from redis.asyncio.client import PubSub

from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.engine.store import keys
from services.engine.store.backends import Backend
from services.engine.store.errors import REPLY_SECONDS

READY_SECONDS = 1.0
"""Seconds that a new subscriber waits for Redis' confirmation. A later confirmation counts as a notification."""
QUIET_SECONDS = 3.0
"""Seconds between two checks of the connection. A connection that was silent since the last check is pinged. If it is
still silent at the next check, it counts as lost.
"""
RETRY_SECONDS = 0.2
"""Seconds between attempts to connect."""


Take: TypeAlias = Callable[[bytes], bool]
"""Processes the message of a notification. Returns false if its subscriber must be woken."""


class Subscription:
    """A subscriber's notifications on a channel."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._changed = False
        self._woken: asyncio.Future[None] | None = None

    def notify(self, message: bytes = b"") -> None:
        """Let the subscriber process a message. An empty message, or one that cannot be processed, wakes it."""
        if not (message and self._take(message)):
            self._changed = True
            self._wake()

    async def wait(self, timeout: float) -> bool:  # noqa: ASYNC109 - the caller chooses how long to wait
        """Wait for a notification, unless one has come since the last call. Returns false after the timeout.

        Followed tables time out every few seconds. So this method uses a timer of its own, since `asyncio.timeout`
        would cancel the task and raise.
        """
        if not self._changed:
            loop = asyncio.get_running_loop()
            self._woken, timer = loop.create_future(), loop.call_later(timeout, self._wake)
            try:
                await self._woken
            finally:
                timer.cancel()
        changed, self._changed = self._changed, False
        return changed

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)


class _Channel:
    def __init__(self) -> None:
        self.subscribers: set[Subscription] = set()
        self.ready = asyncio.Event()
        """Set when no subscriber waits for Redis' confirmation, because it has come or is late."""

    def notify(self, message: bytes) -> None:
        for subscriber in self.subscribers:
            subscriber.notify(message)


class _SubscriberConnection:
    """A connection, and the channels to which it is subscribed."""

    def __init__(self, pubsub: PubSub) -> None:
        self.pubsub = pubsub
        self.heard = 0
        self._sent: set[str] = set()
        self._unconfirmed: dict[str, int] = {}

    async def read(self) -> list[Any]:
        """Return the next message: its kind and content. Raises errors of redis-py.

        This method bypasses the layers of redis-py that retry, measure and translate, which take longer than decoding a
        table.
        """
        connection: Any = self.pubsub.connection  # redis-py declares its type as None
        message: list[Any] = await connection.read_response(timeout=inf, disconnect_on_error=False, push_request=True)
        self.heard += 1
        if message[0] != b"message":
            await self.pubsub.handle_message(message)  # type: ignore[no-untyped-call]
        return message

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
        """Record that Redis confirmed a channel; return false if another confirmation of it is pending."""
        left = self._unconfirmed.pop(channel, 1) - 1
        if left > 0:
            self._unconfirmed[channel] = left
        return left <= 0

    def receives(self, channel: str) -> bool:
        """Return whether messages on a channel arrive on this connection."""
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
    async def subscribe(self, channel: str, take: Take) -> AsyncIterator[Subscription]:
        """Subscribe to a channel. Enter the context first, then read, then wait, so that no change is missed."""
        subscriber = Subscription(take)
        state = self._join(channel, subscriber)
        try:
            await self._wait_ready(state)
            yield subscriber
        finally:
            self._leave(channel, subscriber)

    async def close(self) -> None:
        """Close the connection."""
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
            work = (self._listen(self._connection), self._update(self._connection), self._check(self._connection))
            self._workers = [asyncio.create_task(job, name="store notifications") for job in work]
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
        while True:
            kind, *rest = await connection.read()
            if kind == b"message":
                self._change(*rest)
            elif kind == b"subscribe":
                self._subscribed(connection, rest[0].decode())

    def _change(self, name: bytes, message: bytes) -> None:
        channel = self._channels.get(name.decode())
        if channel is not None:
            channel.notify(message)
            channel.ready.set()

    def _subscribed(self, connection: _SubscriberConnection, name: str) -> None:
        if not connection.confirm(name):
            return
        channel = self._channels.get(name)
        if channel is not None:
            if channel.ready.is_set():
                channel.notify(b"")
            channel.ready.set()

    async def _check(self, connection: _SubscriberConnection) -> None:
        """Ping the connection if it is silent. Raises `ConnectionError` if it stays silent."""
        pinged = False
        while True:
            heard = connection.heard
            await asyncio.sleep(QUIET_SECONDS)
            if connection.heard != heard:
                pinged = False
            elif pinged:
                raise ConnectionError("no answer on the connection for subscriptions")
            else:
                pinged = True
                await connection.pubsub.ping()
