"""Feeds of tables: each receives a table's changes once for all listeners in this process, and encodes each view once.

A notification contains the snapshot after a change. So a feed reads from the store only when it starts, when a
notification may have been lost, and after a quiet time. It drops a version as soon as its listeners have it: a listener
that falls behind reads the missing versions from the store.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from locanda import messages
from services.common.processes import end
from services.engine.service.errors import WrongTokenError
from services.engine.service.overdue import OverdueTables
from services.engine.service.transactions import read, shown
from services.engine.store import Snapshot, Store
from services.engine.store.errors import StoreDownError
from services.engine.store.notifications import Subscription
from services.engine.table.state import AnyTable

KEEP_ALIVE_SECONDS = 15.0
"""Seconds without a change after which a feed reads, in case a notification was lost, and tells its listeners that all
is quiet, so that they keep their connections alive."""
RETRY_SECONDS = 1.0
"""Seconds between two reads while the store is down."""
MOST_WAITING = 8
"""Events that wait for a listener who does not take them; beyond, they read from the store what they miss."""

NO_VIEW = b"null"

_encoder = msgspec.json.Encoder()


EventKind: TypeAlias = Literal["change", "gap"]


class EncodedEvent(Struct, frozen=True):
    """An event with its views in JSON."""

    id: int
    """The table's version after the event."""
    event: EventKind
    table: bytes
    """The listener's view of it, as JSON."""
    seats: tuple[bytes, ...] = ()
    """The views of further seats whose tokens the listener has given, in their order; `null` for a token of no seat."""


class EncodedRemark(Struct, frozen=True):
    """What somebody has said at the table, in JSON."""

    remark: bytes


class EncodedViews:
    """The views of one version of a table, each made and encoded once."""

    def __init__(self, table: AnyTable) -> None:
        self._table = table
        self._seats: dict[bytes | None, int] = {
            seat.token: number for number, seat in enumerate(table.everybody) if seat.token
        }
        """Seats by the digest of their tokens. How long it takes to find a digest tells nothing of a token."""
        self._public: messages.Table | None = None
        self._encoded: dict[int | None, bytes] = {}

    def has_seat(self, digest: bytes) -> bool:
        """Return whether a token is a seat's."""
        return digest in self._seats

    def event(self, kind: EventKind, digest: bytes | None, seats: Sequence[bytes]) -> EncodedEvent:
        """Return an event for the bearer of a token, with the views of further tokens: each token as its digest.

        Who is at no seat gets a spectator's view.
        """
        others = tuple([self._of(self._seats[each]) if self.has_seat(each) else NO_VIEW for each in seats])
        return EncodedEvent(self._table.version, kind, self._of(self._seats.get(digest)), others)

    def _of(self, seat: int | None) -> bytes:
        if seat not in self._encoded:
            self._public = self._public or shown(self._table, None)
            own = self._public if seat is None else shown(self._table, seat, self._public)
            self._encoded[seat] = _encoder.encode(own)
        return self._encoded[seat]


Send: TypeAlias = Callable[[EncodedEvent | EncodedRemark], bool]
"""Sends an event at once; returns false where something is in its way, so that the event waits."""


def send_nothing(_: EncodedEvent | EncodedRemark) -> bool:
    """Send nothing at once."""
    return False


class Listener:
    """Somebody who follows a table, and the events that wait for them."""

    def __init__(
        self, digest: bytes | None, send: Send = send_nothing, seats: Sequence[bytes] = (), *, hears: bool = False
    ) -> None:
        self.digest = digest
        """Of the listener's token; None for a spectator."""
        self.seats = seats
        """The digests of further tokens, whose seats' views the listener gets too."""
        self.hears = hears
        """Whether the listener gets what is said at the table."""
        self._send = send
        self.events: deque[EncodedEvent | EncodedRemark] = deque()
        """Those that wait."""
        self.after = 0
        """The version that the listener has, with all events that wait."""
        self.reads = True
        """Whether the listener reads from the store what they miss, or is about to: until then events are no use."""
        self.newest = 0
        """The newest version that the feed has told of, since the listener has begun to read."""
        self.failure: Exception | None = None
        """Why no more events will come."""
        self._woken: asyncio.Future[bool] | None = None

    @property
    def behind(self) -> bool:
        """Whether the listener must read missing events from the store."""
        return self.reads or self.newest > self.after

    @property
    def waits(self) -> bool:
        """Whether the listener has all events, and waits for more."""
        return self._woken is not None and not self._woken.done()

    def announce(self, version: int) -> bool:
        """Tell the listener of a version, and wake them if they miss some; return whether it is their next one."""
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
        """Send the listener what was said, or queue it; who has many events to take does without."""
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
        """Wake the listener if they wait; `quiet`: because nothing has happened for a while."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(not quiet)

    async def woken(self) -> bool:
        """Return true once something has happened that was not sent at once; false after a quiet time."""
        self._woken = asyncio.get_running_loop().create_future()
        try:
            return await self._woken
        finally:
            self._woken = None

    async def newer(self, after: int, wait: float) -> None:
        """Return once the table is newer than a version, or gone, or when `wait` seconds are up."""
        try:
            async with asyncio.timeout(wait):
                while self.newest <= after and (self.failure is None or isinstance(self.failure, StoreDownError)):
                    await self.woken()
        except TimeoutError:
            pass


class TableFeed:
    """The changes of one table, as long as it has listeners."""

    def __init__(self, store: Store, overdue: OverdueTables, table: str) -> None:
        self._store = store
        self._overdue = overdue
        self._table = table
        self._version = 0
        self._time = asyncio.get_running_loop().time
        self._heard = self._time()
        """When the table was read, or a change of it has come, last."""
        self.listeners: set[Listener] = set()
        self.task = asyncio.create_task(self._run(), name="feed")

    async def _run(self) -> None:
        """Read, and read again after each notification without the next version; end when the table is gone."""
        try:
            async with self._store.subscribe(self._table, self._take, self._hear) as subscription:
                while True:
                    try:
                        await self._read()
                    except StoreDownError as error:
                        self._fail(error)
                        await asyncio.sleep(RETRY_SECONDS)
                    else:
                        await self._listen(subscription)
        except Exception as error:  # noqa: BLE001 - every listener gets it
            self._fail(error)

    async def _listen(self, subscription: Subscription) -> None:
        """Return when the table must be read again."""
        while (left := self._heard + KEEP_ALIVE_SECONDS - self._time()) > 0:
            if await subscription.wait(left):
                return
        for listener in self.listeners:
            listener.wake(quiet=True)

    def _take(self, snapshot: Snapshot) -> bool:
        """Pass on the snapshot of a notification if it is the next version; return false if the table must be read."""
        if snapshot.version != self._version + 1:
            return False
        try:
            self._offer(read(snapshot, self._table))
        except Exception:  # noqa: BLE001 - reading it shows what is wrong, and every listener gets that
            return False
        return True

    def _hear(self, remark: bytes) -> None:
        """Pass on what somebody has said."""
        for listener in self.listeners:
            listener.hear(EncodedRemark(remark))

    async def _read(self) -> None:
        found = read((await self._store.load(self._table)).snapshot, self._table)
        await self._overdue.restore_if_overdue(found)
        self._offer(found)

    def _offer(self, table: AnyTable) -> None:
        """Give a version to the listeners whose next one it is; tell the others its number."""
        self._heard, self._version = self._time(), table.version
        views = EncodedViews(table)
        for listener in self.listeners:
            if not listener.announce(table.version):
                continue
            if listener.digest is not None and not views.has_seat(listener.digest):
                listener.fail(WrongTokenError())
            else:
                listener.give(views.event("change", listener.digest, listener.seats))

    def _fail(self, error: Exception) -> None:
        for listener in self.listeners:
            listener.fail(error)


class TableFeeds:
    """The feeds of all tables with listeners."""

    def __init__(self, store: Store, overdue: OverdueTables) -> None:
        self._store = store
        self._overdue = overdue
        self._feeds: dict[str, TableFeed] = {}

    @asynccontextmanager
    async def of(self, table: str, listener: Listener) -> AsyncIterator[None]:
        """Follow a table; the first listener starts its feed, the last one ends it."""
        feed = self._feeds.get(table)
        if feed is None or feed.task.done():
            feed = self._feeds[table] = TableFeed(self._store, self._overdue, table)
        feed.listeners.add(listener)
        try:
            yield
        finally:
            feed.listeners.discard(listener)
            if not feed.listeners:
                if self._feeds.get(table) is feed:
                    del self._feeds[table]
                await end(feed.task)
