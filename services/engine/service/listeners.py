"""Listeners of a table's feed (open streams and long polls), and their queued events."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from services.engine.service.accounts import Group
from services.engine.service.views import EncodedEvent
from services.engine.store.errors import StoreDownError

MOST_WAITING = 8
"""Maximum number of events queued for a slow listener, which then reads the missing ones from the store. Also the
maximum number of versions queued in a feed with many listeners, which then get only the newest.
"""


class EncodedRemark(Struct, frozen=True):
    """A remark at the table, as JSON."""

    remark: bytes


Send: TypeAlias = Callable[[EncodedEvent | EncodedRemark], bool]
"""Sends an event immediately. Returns false if it cannot, so that the event is queued."""


def send_nothing(_: EncodedEvent | EncodedRemark) -> bool:
    """Send nothing, so that all events are queued."""
    return False


class Listener:
    """A client that follows a table, with its queued events."""

    def __init__(
        self,
        account: Group,
        digest: bytes | None,
        send: Send = send_nothing,
        seats: Sequence[bytes] = (),
        *,
        hears: bool = False,
    ) -> None:
        self.account = account
        """The account to which the listener's events are charged."""
        self.digest = digest
        """Digest of the listener's token; None for a spectator."""
        self.seats = seats
        """Digests of additional tokens, whose views the listener gets too."""
        self.hears = hears
        """Whether the listener gets remarks."""
        self._send = send
        self.events: deque[EncodedEvent | EncodedRemark] = deque()
        self.after = 0
        """The table's version after all sent and queued events."""
        self.reads = True
        """Whether the listener must first read missed versions from the store. Until then, no event can be sent."""
        self.newest = 0
        """The newest version that the feed has announced since the listener began to read."""
        self.late = False
        """Whether the feed has skipped the listener, and will send the newest version later."""
        self.failure: Exception | None = None
        """The error that ended the listener's events; None while they continue."""
        self._woken: asyncio.Future[bool] | None = None

    @property
    def behind(self) -> bool:
        """Whether the listener must read missing events from the store."""
        return self.reads or self.newest > self.after

    @property
    def waits(self) -> bool:
        """Whether the listener has all events, and waits for the next."""
        return self._woken is not None and not self._woken.done()

    def announce(self, version: int) -> bool:
        """Tell the listener a version's number (wake it if it misses some); return whether it is its next one."""
        self.newest = max(self.newest, version)
        if self.reads or version != self.after + 1 or len(self.events) >= MOST_WAITING:
            self.wake()
            return False
        return True

    def give(self, event: EncodedEvent) -> None:
        """Send the listener's next event, or queue it."""
        self.after = event.id
        self._pass_on(event)

    def hear(self, remark: EncodedRemark) -> None:
        """Send a remark, or queue it. Drop it if many events are queued."""
        if self.hears and len(self.events) < MOST_WAITING:
            self._pass_on(remark)

    def _pass_on(self, event: EncodedEvent | EncodedRemark) -> None:
        if not (self.waits and self._send(event)):
            self.events.append(event)
            self.wake()

    def fail(self, failure: Exception) -> None:
        """End the listener's events with an exception."""
        self.failure = failure
        self.wake()

    def wake(self, *, quiet: bool = False) -> None:
        """Wake the listener if it waits. `quiet`: the reason is only that nothing has happened for a while."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(not quiet)

    async def woken(self) -> bool:
        """Wait until woken. Returns true if an event was queued or missed, false after a quiet time."""
        self._woken = asyncio.get_running_loop().create_future()
        try:
            return await self._woken
        finally:
            self._woken = None

    async def newer(self, after: int, wait: float) -> None:
        """Wait until the table is newer than version `after` or is gone, but at most `wait` seconds."""
        try:
            async with asyncio.timeout(wait):
                while self.newest <= after and (self.failure is None or isinstance(self.failure, StoreDownError)):
                    await self.woken()
        except TimeoutError:
            pass
