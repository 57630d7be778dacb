"""Feeds: one for each table with listeners (open streams and long polls). A feed encodes each change once for them.

A feed gets the commits of this process immediately, with the views that were made for the mover's answer. The
notifications of other commits contain the snapshot. So a feed reads from the store only when it starts, when a
notification may be lost, and after a quiet time. It drops a version when all listeners have it; a listener that falls
behind reads the missing versions from the store.

The time for sending is charged to the clients' accounts of processor time. Each iteration of the event loop serves a
few listeners. Listeners of a client over its limit skip versions, and get only the newest when the account allows it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import islice
from typing import TypeAlias

from services.common.processes import end
from services.engine.service.accounts import Accounts, Group
from services.engine.service.errors import WrongTokenError
from services.engine.service.listeners import MOST_WAITING, EncodedRemark, Listener
from services.engine.service.overdue import OverdueTables
from services.engine.service.transactions import read
from services.engine.service.views import EncodedViews, EventKind
from services.engine.store import Snapshot, Store
from services.engine.store.errors import StoreDownError
from services.engine.store.notifications import Subscription

KEEP_ALIVE_SECONDS = 15.0
"""Seconds without a change after which a feed reads the table again, in case a notification was lost, and its listeners
may send keep-alives.
"""
RETRY_SECONDS = 1.0
"""Seconds between two attempts to read while the store is down."""
AT_ONCE = 8
"""Listeners that a feed serves in one iteration of the event loop."""
LATE_SECONDS = 0.01
"""Minimum seconds between two attempts to serve listeners of clients over their limit."""


def nothing() -> None:
    """Do nothing. Used for a table without listeners."""


Act: TypeAlias = Callable[[Listener], None]
"""Work for one listener."""


class TableFeed:
    """The changes of one table, while it has listeners."""

    def __init__(self, store: Store, overdue: OverdueTables, accounts: Accounts, table: str) -> None:
        self._store = store
        self._overdue = overdue
        self._accounts = accounts
        self._table = table
        self._version = 0
        self._newest: EncodedViews | None = None
        """The views of the newest version, while listeners still need them."""
        self._own: dict[bytes, EncodedViews] = {}
        """By snapshot, the views of this process's last commits whose notifications have not arrived."""
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        """When the table was last read or changed, in seconds of the event loop's clock."""
        self.listeners: set[Listener] = set()
        self._acts: deque[tuple[Act, Iterator[Listener]]] = deque()
        """Work for all listeners, oldest first, each with an iterator over the listeners that remain."""
        self._late: dict[Group, dict[Listener, None]] = {}
        """Listeners of clients over their limit, by account, which still need the newest version; longest waiting
        first."""
        self._catching_up: asyncio.TimerHandle | None = None
        self.task = asyncio.create_task(self._run(), name="feed")

    async def _run(self) -> None:
        """Read the table at the start, and again whenever a notification was missed. Returns when the table is gone."""
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
        except Exception as error:  # noqa: BLE001 - passed to all listeners
            self._fail(error)

    async def _listen(self, subscription: Subscription) -> None:
        """Wait until the table must be read again."""
        while (left := self._heard + KEEP_ALIVE_SECONDS - self._loop.time()) > 0:
            if await subscription.wait(left):
                return
        self._for_all(lambda listener: listener.wake(quiet=True))

    def _take(self, snapshot: Snapshot) -> bool:
        """Pass on a notification's snapshot if it is the next version. Return false if the table must be read."""
        own = self._own.pop(snapshot.data, None)
        if snapshot.version != self._version + 1:
            return own is not None
        try:
            self._offer(own or EncodedViews(read(snapshot, self._table)))
        except Exception:  # noqa: BLE001 - reading the table will raise it for all listeners
            return False
        return True

    def prepare(self, views: EncodedViews, data: bytes) -> Callable[[], object]:
        """Keep the views of a commit that this process is about to make; return a function to call after the commit.

        That function sends the views to the listeners, unless the commit's notification comes first; the later of the
        two is ignored. If another process's commit is still on its way, both commits come as notifications. The views
        are sent in the next iteration of the event loop, so that the mover is not charged for the listeners.
        """
        self._own[data] = views
        if len(self._own) > MOST_WAITING:  # drop the views of commits that were not made
            del self._own[next(iter(self._own))]
        return partial(self._loop.call_soon, self._pass_on, views)

    def _pass_on(self, views: EncodedViews) -> None:
        if views.version == self._version + 1:
            # the next version makes all listeners read the table, which raises the error for each of them
            with suppress(Exception):
                self._offer(views)

    def _hear(self, remark: bytes) -> None:
        """Send a remark to all listeners."""
        said = EncodedRemark(remark)
        self._for_all(lambda listener: listener.hear(said))

    async def _read(self) -> None:
        table = read((await self._store.load(self._table)).snapshot, self._table)
        await self._overdue.restore_if_overdue(table)
        self._offer(EncodedViews(table))

    def _offer(self, views: EncodedViews) -> None:
        """Send a version to the listeners that have the previous version. Tell its number to the other listeners."""
        self._heard, self._version, self._newest = self._loop.time(), views.version, views
        if len(self._acts) < MOST_WAITING:
            self._for_all(partial(self._tell, views))
        else:
            for listener in self.listeners:
                self._be_late(listener)

    def _tell(self, views: EncodedViews, listener: Listener) -> None:
        if listener.late:
            return
        if not listener.reads and self._accounts.wait(listener.account):
            self._be_late(listener)
        elif listener.announce(views.version):
            self._give(views, listener, "change")

    def _give(self, views: EncodedViews, listener: Listener, kind: EventKind) -> None:
        if listener.digest is not None and not views.has_seat(listener.digest):
            listener.fail(WrongTokenError())
        else:
            listener.give(views.event(kind, listener.digest, listener.seats))

    def _fail(self, error: Exception) -> None:
        self._for_all(lambda listener: listener.fail(error))

    # --- listeners in turns

    def _for_all(self, act: Act) -> None:
        """Run `act` for all listeners: for a few now, for the others in the next iterations of the event loop."""
        self._acts.append((act, iter(tuple(self.listeners))))
        if len(self._acts) == 1:
            self._go_on()

    def _go_on(self) -> None:
        """Serve some listeners, and charge their clients."""
        left = AT_ONCE
        while self._acts and left:
            act, listeners = self._acts[0]
            some = list(islice(listeners, left))
            self._charged(act, some)
            left -= len(some)
            if left:
                self._acts.popleft()
        if self._acts:
            self._loop.call_soon(self._go_on)
        else:
            self._forget_newest()

    def _forget_newest(self) -> None:
        if not (self._acts or self._late):
            self._newest = None

    def _charged(self, act: Act, listeners: Sequence[Listener]) -> None:
        """Run `act` for some listeners, and charge its time to their clients in equal parts."""
        began = self._accounts.now()
        for listener in listeners:
            act(listener)
        spent = self._accounts.now() - began
        for listener in listeners:
            self._accounts.spend(listener.account, spent / len(listeners))

    def _be_late(self, listener: Listener) -> None:
        """Skip a listener until its client's account allows the feed to send the newest version."""
        listener.late = True
        self._late.setdefault(listener.account, {})[listener] = None
        self._catching_up = self._catching_up or self._loop.call_later(LATE_SECONDS, self._catch_up)

    def _catch_up(self) -> None:
        """Send the newest version to some of the skipped listeners."""
        newest, self._catching_up = self._newest, None
        for account, listeners in list(self._late.items()):
            if newest is None or self._accounts.wait(account):
                continue
            some = list(islice(listeners, AT_ONCE))
            self._charged(partial(self._give_newest, newest), some)
            for listener in some:
                del listeners[listener]
            if not listeners:
                del self._late[account]
        if self._late:
            wait = min(self._accounts.wait(account) for account in self._late)
            self._catching_up = self._loop.call_later(max(LATE_SECONDS, wait), self._catch_up)
        self._forget_newest()

    def _give_newest(self, newest: EncodedViews, listener: Listener) -> None:
        listener.late = False
        missed = newest.version - listener.after
        if listener.reads or len(listener.events) >= MOST_WAITING:
            listener.announce(newest.version)
        elif missed > 0:
            self._give(newest, listener, "change" if missed == 1 else "gap")

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        self._late.get(listener.account, {}).pop(listener, None)


class TableFeeds:
    """The feeds of all tables with listeners."""

    def __init__(self, store: Store, overdue: OverdueTables, accounts: Accounts) -> None:
        self._store = store
        self._overdue = overdue
        self._accounts = accounts
        self._feeds: dict[str, TableFeed] = {}

    def prepare(self, views: EncodedViews, data: bytes) -> Callable[[], object]:
        """Prepare the listeners of a table for a commit of this process, as `TableFeed.prepare` does."""
        feed = self._feeds.get(views.table.id)
        return nothing if feed is None else feed.prepare(views, data)

    @asynccontextmanager
    async def of(self, table: str, listener: Listener) -> AsyncIterator[None]:
        """Follow a table while the context lasts. The first listener starts its feed, the last one ends it."""
        feed = self._feeds.get(table)
        if feed is None or feed.task.done():
            feed = self._feeds[table] = TableFeed(self._store, self._overdue, self._accounts, table)
        feed.listeners.add(listener)
        try:
            yield
        finally:
            feed.leave(listener)
            if not feed.listeners:
                if self._feeds.get(table) is feed:
                    del self._feeds[table]
                await end(feed.task)
