"""The store: tables as bytes in Redis, with their deadlines, listings and notifications.

A single script changes each table. The store knows nothing about games or HTTP.
"""

import asyncio
import itertools
import secrets
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Literal, TypeAlias

from services.common.redis_connection import Command, Part, RedisReply
from services.engine.store import keys, scripts
from services.engine.store.administration import AdministrationStore
from services.engine.store.backends import Backend, StoreObserver, open_backend
from services.engine.store.deliveries import DeliveryStore
from services.engine.store.due import DueSets, milliseconds
from services.engine.store.errors import DamagedError
from services.engine.store.evenings import EveningStore
from services.engine.store.holdings import Holdings
from services.engine.store.listing import Listing
from services.engine.store.notices import NoticeStore
from services.engine.store.notifications import Notifications, Subscription
from services.engine.store.records import (
    NONCE,
    Commit,
    ListingName,
    LoadedTable,
    Snapshot,
    StoredAnswer,
    StoredTable,
    answer_of,
    apply_deltas,
    delta,
    kept_answer,
    snapshot_of,
)
from services.engine.store.shared_time import SharedTime, steady

DEAL = struct.Struct(">II")
"""The numbers of match and deal, before each line of the log."""
LEASE = 5_000
"""Milliseconds for which one caller claims a due table."""
HOLD = 15_000
"""Milliseconds without a heartbeat after which a clock that postpones deadlines counts as dead."""
OUTAGE = 5_000
"""Milliseconds without a heartbeat of any clock that count as an outage."""
SCAN = 512
NO_VERSION = bytes(8)
"""Prefix of a notification that carries a remark instead of a snapshot."""
NOTICED = 2
"""Reply of the commit script when it also wrote notices."""
KNOWN_VERSIONS = 16_384
"""Number of tables whose newest version this process remembers, to detect data loss in Redis."""


def never(_: Snapshot) -> bool:
    """Accept no snapshot, so that each notification wakes its subscriber."""
    return False


def ignore(_: bytes) -> None:
    """Ignore remarks."""


class Store:
    """All tables. While Redis is down, methods raise `StoreDownError`, which means that nothing was confirmed.

    Methods about a table raise `DamagedError` if the value of its key is not a table.
    """

    def __init__(self, backend: Backend, own_clock: Callable[[], float] = steady, renew: "Renew | None" = None) -> None:
        self._backend = backend
        self._renew = renew
        self._time = SharedTime(own_clock)
        self.now = self._time.now
        """Returns Redis' time in epoch milliseconds, which is the same for all engines."""
        self._notifications = Notifications(backend)
        self.administration = AdministrationStore(backend, self._notifications)
        self._clock_name = secrets.token_hex(8)
        """Distinguishes this process's clock from the clocks of other processes."""
        self._nonce_prefix = secrets.token_bytes(NONCE - 4)
        self._commit_numbers = itertools.count()
        """Numbers of this process's commits. A prefix and a number make the nonce of each commit."""
        self._heartbeats = 0
        self._heartbeat_lock = asyncio.Lock()
        self._others_postpone = False
        """Whether another process is postponing deadlines after an outage."""
        self._deadlines = DueSets(backend, keys.deadlines, LEASE)
        self.holdings = Holdings(backend)
        self.notices = NoticeStore(backend, self.holdings)
        self.deliveries = DeliveryStore(backend)
        self.evenings = EveningStore(backend, self.holdings)
        self.until_due = self._deadlines.until_due
        """Waits until a table may be due, by the times that this process knows, or for some seconds."""
        self.listings: dict[ListingName, Listing] = {
            "open": Listing(backend, keys.listed),
            "playing": Listing(backend, keys.watched),
        }
        self.floor = 0
        """Redis may have lost versions up to this one. A table with a version below the floor continues above it."""
        self._redis_run = b""
        """The last known run id of Redis. A different id means a different Redis process, perhaps with older data."""
        self._last_heartbeat = 0
        """When this process sent its last heartbeat, in epoch milliseconds."""
        self._verified_connections = -1
        """Number of connections when Redis was last checked for lost data."""
        self._newest: dict[str, int] = {}
        """The newest known version of each recently used table."""
        self._remembered: dict[str, Snapshot | None] = {}
        """Newest snapshot of each recently used table; None if another process also writes it."""

    def observe(self, observer: StoreObserver) -> None:
        """Report replies, failures and connection attempts to an observer."""
        self._backend.observer = observer

    async def load(self, table: str, idempotency: bytes | None = None) -> LoadedTable:
        """Return a table, and the stored answer for the hash of an idempotency key."""
        newest, answer = self._newest.get(table, 0), None
        names = keys.of(table)
        if idempotency is None:
            state = await self._backend.call(("GET", names.state))
        else:
            state, answer = await self._load_answered(names, idempotency)
        snapshot = None if state is None else snapshot_of(state)
        if snapshot is not None:
            if self._may_be_lost(snapshot.version, newest):
                snapshot = await self._restored(table, snapshot, newest)
            self._note_version(table, snapshot.version)
            self._remember(table, snapshot)
        return LoadedTable(snapshot, None if answer is None else answer_of(answer))

    def remembered(self, table: str) -> Snapshot | None:
        """Return the cached snapshot of a table, for a commit without reading Redis.

        If the snapshot is out of date, the commit returns `clash`.
        """
        snapshot = self._remembered.get(table)
        if snapshot is None or self._may_be_lost(snapshot.version, self._newest.get(table, 0)):
            return None
        return snapshot

    def _remember(self, table: str, snapshot: Snapshot) -> None:
        if self._remembered.pop(table, snapshot) is None:
            self._remembered[table] = None
            return
        self._remembered[table] = snapshot
        if len(self._remembered) > KNOWN_VERSIONS:
            del self._remembered[next(iter(self._remembered))]

    async def _load_answered(self, names: keys.TableKeys, idempotency: bytes) -> tuple[bytes | None, bytes | None]:
        command = ("MGET", names.state, names.answers + idempotency.hex())
        state, answer = await self._backend.call(command)
        if answer is not None:  # a repeated answer must be on as many replicas as the first one
            state, answer = await self._backend.call(command, names.mark)
        elif state is None:  # `MGET` returns nil for a value of another type, `GET` an error
            state = await self._backend.call(("GET", names.state))
        return state, answer

    def _may_be_lost(self, version: int, newest: int) -> bool:
        """Return whether Redis may have lost newer versions of a table.

        `newest` is the version that this process knew before it read `version`.
        """
        return self._verified_connections != self._backend.connections or version < newest or version < self.floor

    async def _restored(self, table: str, snapshot: Snapshot, newest: int) -> Snapshot:
        """Return the snapshot. If Redis has lost later versions, the snapshot gets a version above the floor."""
        if self._verified_connections != self._backend.connections:
            await self.verify()
        if snapshot.version < newest and self.floor < newest:
            await self._exchange(scripts.VERIFY, [], newest)
            self._newest.pop(table, None)
        if snapshot.version < self.floor and self._renew is not None:
            snapshot = await self._renew(self, table, snapshot)
        return snapshot

    def _note_version(self, table: str, version: int) -> None:
        known = self._newest.pop(table, 0)
        self._newest[table] = version if version > known else known
        if len(self._newest) > KNOWN_VERSIONS:
            del self._newest[next(iter(self._newest))]

    async def commit(self, commit: Commit) -> Literal["committed", "clash"] | StoredAnswer:
        """Store a transition if the table still has the expected version.

        Returns the stored answer if the idempotency key was used before. A transition is stored at most once, even if
        it is sent again after a lost connection.
        """
        names = keys.of(commit.table)
        nonce = self._nonce_prefix + (next(self._commit_numbers) % 2**32).to_bytes(4, "big")
        listed_at = self._time.microseconds() if commit.listing else 0
        changed, arguments = _commit_call(commit, names, nonce, listed_at, self.holdings)
        script = scripts.WEIGHED_COMMIT if commit.weighed else scripts.COMMIT
        reply = await self._backend.run(script, changed, arguments, names.mark)
        self._deadlines.note(commit.wake)
        if commit.weighed:
            for name, listing in self.listings.items():
                listing.note(commit.table, listed=commit.listing == name)
        if isinstance(reply, bytes):
            return answer_of(reply)
        if not reply:
            # Redis has another version than the newest known one, so another process also writes the table
            if commit.expected == self._newest.get(commit.table, 0):
                self._remembered[commit.table] = None
            return "clash"
        if reply == NOTICED:
            self.notices.note_new()
        if commit.version > self._newest.get(commit.table, 0):  # otherwise the commit's notification came first
            self._note_version(commit.table, commit.version)
            self._remember(commit.table, Snapshot(commit.version, commit.data))
        return "committed"

    async def events(self, table: str, after: int | None) -> tuple[Snapshot | None, list[Snapshot]]:
        """Return a table and its stored snapshots after a version, without gaps.

        Only the latest snapshots are stored.
        """
        names, newest = keys.of(table), self._newest.get(table, 0)
        state, events = await self._backend.run(scripts.HISTORY, [names.state, names.events], [])
        if state is None:
            return None, []
        latest = snapshot_of(state)
        lost = self._may_be_lost(latest.version, newest)
        known = await self._restored(table, latest, newest) if lost else latest
        self._note_version(table, known.version)
        if known is not latest:
            return known, [known] if known.version > (after or 0) else []
        return latest, apply_deltas(latest, events, after or 0)

    async def log(self, table: str, match: int, deal: int, known: int = 0) -> list[bytes]:
        """Return the lines of a deal's log, after the first `known` ones."""
        lines = await self._backend.run(scripts.DEAL, [keys.of(table).log], [DEAL.pack(match, deal), known])
        return [line[DEAL.size :] for line in lines]

    async def say(self, table: str, seat: int, remark: bytes, pause: int) -> int:
        """Publish a remark of a seat. Return 0, or the milliseconds until the seat may make another remark.

        After each remark the seat must wait `pause` milliseconds. The same remark during the pause counts as a retry,
        and is published once.
        """
        names = keys.of(table)
        arguments = (remark, pause, names.changed, NO_VERSION + remark)
        wait: int = await self._backend.run(scripts.REMARK, [f"{names.said}{seat}"], arguments)
        return wait

    def subscribe(
        self, table: str, take: Callable[[Snapshot], bool] = never, hear: Callable[[bytes], None] = ignore
    ) -> AbstractAsyncContextManager[Subscription]:
        """Subscribe to a table. Enter the context first, then read, then `wait`, so that no change is missed.

        `take` gets the snapshot of each notification, and returns false if the subscriber must be woken to read the
        table. Notifications of earlier releases, and those after a lost connection, have no snapshot. `hear` gets
        remarks. They are not stored, so remarks made while the connection is lost do not arrive.
        """
        return self._notifications.subscribe(keys.of(table).changed, partial(self._pass_on, table, take, hear))

    def _pass_on(
        self, table: str, take: Callable[[Snapshot], bool], hear: Callable[[bytes], None], message: bytes
    ) -> bool:
        if message.startswith(NO_VERSION):
            hear(message.removeprefix(NO_VERSION))
            return True
        snapshot = snapshot_of(message)
        taken = take(snapshot)
        if taken and snapshot.version > self._newest.get(table, 0):
            self._note_version(table, snapshot.version)
            self._remembered.pop(table, None)
            self._remember(table, snapshot)
        return taken

    async def unlist(self, table: str, listing: ListingName) -> None:
        """Remove a table from a listing, because the table has expired or does not belong in it."""
        names = keys.of(table)
        await self._backend.call(("ZREM", names.listed if listing == "open" else names.watched, table))
        self.listings[listing].note(table, listed=False)

    async def unlist_gone(self, tag: str) -> None:
        """Remove expired tables from a bucket's listings."""
        names = (keys.openers(tag), keys.listed(tag), keys.watched(tag))
        commands: list[Command] = [("HKEYS", names[0]), *(("ZRANGE", name, 0, -1) for name in names[1:])]
        openers, *listings = await self._backend.call_all(commands)
        listed = {table for listing in listings for table in listing}
        tables = [table for table in listed if table.isascii()]
        there = await self._backend.call_all([("EXISTS", keys.of(table.decode()).state) for table in tables])
        gone = [table for table, exists in zip(tables, there, strict=True) if not exists]
        if unlisted := {*openers} - listed.difference(gone):
            await self._backend.call(("HDEL", names[0], *unlisted))
        if gone:
            await self._backend.call_all([("ZREM", name, *gone) for name in names[1:]])
        for table in gone:
            for listing in self.listings.values():
                listing.note(table.decode(), listed=False)

    async def due(self, now: int, limit: int) -> list[str]:
        """Claim due tables, each for one caller. They are due again after `LEASE`, unless a commit sets another time.

        While another process postpones deadlines after an outage, no table is due.
        """
        if self._others_postpone:
            return []
        return [
            table for key, member in await self._deadlines.claim(now, limit) for table in await self._ids(key, [member])
        ]

    async def schedule(self, table: str, wake: int | None, version: int | None = None) -> None:
        """Set or remove a table's wake time. With `version`, this happens only if the table still has that version.

        Commits set the wake time too.
        """
        names = keys.of(table)
        arguments = (table, "" if wake is None else wake, b"" if version is None else version.to_bytes(8, "big"))
        await self._backend.run(scripts.SCHEDULE, [names.deadlines, names.state], arguments)
        self._deadlines.note(wake)

    async def restore_deadline(self, table: str, version: int) -> bool:
        """Make a table due that the clock should have woken at this version. Return whether its deadline was lost.

        Does nothing if a clock is about to wake the table, or has claimed it.
        """
        names, now = keys.of(table), self.now()
        arguments = (table, now, now + 2 * LEASE, version.to_bytes(8, "big"))
        lost = await self._backend.run(scripts.RESTORE, [names.deadlines, names.state], arguments)
        if lost:
            self._deadlines.note(now)
        return bool(lost)

    async def tables(self, count: int) -> AsyncIterator[list[str]]:
        """Yield all tables, in pages of about `count` scanned Redis keys."""
        async for page in self._backend.scan(keys.STATES, count):
            yield [table for name in page if (table := keys.table_of(name))]

    async def tables_step(self, position: str, count: int) -> tuple[list[StoredTable], str | None]:
        """Return some tables, and the next position. The first position is empty, and None follows the last tables.

        Raises `ValueError` for an invalid position.
        """
        server, cursor = map(int, position.split("-")) if position else (0, 0)
        names, following = await self._backend.scan_step(keys.STATES, (server, cursor), count)
        ids = [table for name in dict.fromkeys(names) if (table := keys.table_of(name))]
        snapshots = await asyncio.gather(*map(self._stored, ids))
        return [table for table in snapshots if table], following and f"{following[0]}-{following[1]}"

    async def _stored(self, table: str) -> StoredTable | None:
        state = keys.of(table).state
        try:
            data, expires_in = await self._backend.call_all([("GET", state), ("PTTL", state)])
        except DamagedError:
            return StoredTable(table, Snapshot(0, b""), 0)
        return None if data is None else StoredTable(table, snapshot_of(data), int(expires_in))

    async def remove(self, table: str) -> None:
        """Delete everything stored for a table, except subscriptions, which still get the notice of its end."""
        names = keys.of(table)
        await self._backend.call(("DEL", names.state, names.events, names.log))
        await self._backend.call(("ZREM", names.deadlines, table))
        for listing in self.listings:
            await self.unlist(table, listing)
        await self.notices.look(table, self.now())
        async for page in self._backend.scan(keys.of_table(table), SCAN):
            for name in page:
                # keep the subscriptions: subscribers still get a notice, and then the subscriptions expire
                if name.decode() != names.subscriptions:
                    await self._backend.call(("DEL", name.decode()))

    async def deadlines(self, tables: Sequence[str]) -> list[int | None]:
        """Return the wake time of each table as stored in Redis, or None."""
        times = await self._backend.call_all([("ZSCORE", keys.of(table).deadlines, table) for table in tables])
        return [None if wake is None else milliseconds(wake) for wake in times]

    async def scheduled(self) -> AsyncIterator[str]:
        """Yield every table that has a wake time, once."""
        for tag in keys.TAGS:
            seen: set[str] = set()
            cursor = b"0"
            while True:
                cursor, flat = await self._backend.call(("ZSCAN", keys.deadlines(tag), cursor, "COUNT", SCAN))
                for table in await self._ids(keys.deadlines(tag), flat[::2]):
                    if table not in seen:
                        seen.add(table)
                        yield table
                if cursor == b"0":
                    break

    async def _ids(self, deadlines: str, members: Sequence[bytes]) -> list[str]:
        """Return the members of a bucket's deadlines that can be table ids. Remove all other members from Redis."""
        ids = []
        for member in members:
            try:
                ids.append(member.decode())
            except UnicodeDecodeError:
                await self._backend.call(("ZREM", deadlines, member))
        return ids

    async def record_heartbeat(self, now: int, outage: int = OUTAGE) -> int:
        """Record that a clock runs.

        Return the milliseconds since the last heartbeat of any clock; 0 for the first heartbeat. After an outage, only
        one caller gets more than `outage`, even if replies are lost. Until that caller calls `settle`, or counts as
        dead, no table is due for the other clocks.
        """
        async with self._heartbeat_lock:
            arguments = (now, now + HOLD, outage, self._clock_name, f"{self._clock_name} {self._heartbeats}")
            gap, held, *_ = await self._exchange(scripts.HEARTBEAT, arguments)
            self._heartbeats += 1
            self._last_heartbeat = max(self._last_heartbeat, now)
        self._others_postpone = bool(held)
        return int(gap)

    async def verify(self) -> None:
        """For each new connection, read Redis' time and check whether Redis has lost data."""
        while self._verified_connections != (connections := self._backend.connections):
            await self._exchange(scripts.VERIFY, [])
            self._verified_connections = connections

    async def _exchange(self, script: scripts.Script, arguments: Sequence[Part], newest: int = 0) -> list[RedisReply]:
        """Return the replies of a script that includes epoch.lua. Learns the floor and the time from them.

        If Redis has an older version of a table than this process knew, `newest` is the known one.
        """
        sent = self._time.own()
        known = (self._redis_run, self._last_heartbeat, newest)
        reply: list[RedisReply] = await self._backend.run(script, [keys.HEARTBEAT], [*arguments, *known])
        floor, self._redis_run, seconds, microseconds = reply[-4], reply[-3], int(reply[-2]), int(reply[-1])
        self.floor = max(self.floor, floor)
        self._time.learn(sent, seconds * 1000 + microseconds / 1000, self._time.own())
        return reply

    async def settle(self) -> None:
        """Record that all deadlines have been postponed, after the outage that `record_heartbeat` returned."""
        await self._backend.run(scripts.SETTLE, [keys.HEARTBEAT], [self._clock_name])

    async def ping(self) -> None:
        """Check that Redis accepts writes, and that the required number of replicas holds them."""
        await self._backend.call(("SET", keys.PING, b"", "EX", 60), keys.PING)

    async def close(self) -> None:
        """Close all connections."""
        await self._notifications.close()
        await self._backend.close()


Renew: TypeAlias = Callable[[Store, str, Snapshot], Awaitable[Snapshot]]
"""Raises a table's version above the store's floor, and returns the new snapshot."""


async def connect(
    url: str | None, replicas: int = 0, own_clock: Callable[[], float] = steady, renew: Renew | None = None
) -> Store:
    """Return the store for a URL, without waiting for Redis. An empty URL means a store inside this process.

    `replicas` is the number of replicas that must hold a transition before it counts as committed. `own_clock` is this
    machine's steady clock in milliseconds. `renew` is called for each table whose latest versions Redis has lost.
    Raises `ValueError` if the URL is invalid.
    """
    return Store(await open_backend(url, replicas), own_clock, renew)


def _commit_call(
    commit: Commit, names: keys.TableKeys, nonce: bytes, listed_at: int, holdings: Holdings
) -> tuple[list[str], list[Part]]:
    """Return the keys and arguments of the commit script. Each commit has its own nonce."""
    version, idempotency = commit.version.to_bytes(8, "big"), commit.idempotency
    changed = [names.state, names.events, names.log, names.deadlines, names.subscriptions, names.notices]
    if idempotency:
        changed += [names.answers + idempotency.key.hex(), names.answered + idempotency.caller.hex(), names.callers]
    arguments: list[Part] = [
        commit.table,
        commit.expected.to_bytes(8, "big") if commit.expected else b"",
        version + commit.data,
        version + nonce + _way_back(commit),
        -commit.ttl if commit.least else commit.ttl,
        "" if commit.wake is None else commit.wake,
        names.changed,
        kept_answer(idempotency) if idempotency else "",
        (idempotency.seconds if idempotency.seated else -idempotency.seconds) if idempotency else 0,
        "forget" if commit.forget else "",
        commit.news,
        len(commit.log),
        *[DEAL.pack(line.match, line.deal) + line.payload for line in commit.log],
    ]
    if commit.weighed:
        # The script finds keys by position, so the keys of an answer are included even without one.
        changed += [] if idempotency else [names.state, names.state, names.callers]
        changed += (names.watched, names.listed) if commit.listing == "playing" else (names.listed, names.watched)
        changed += [names.openers, names.evening, holdings.place(commit.table, commit.opener, "")[0]]
        arguments += [
            listed_at if commit.listing else "",
            commit.opener,
            "deserted" if commit.deserted else "",
            commit.least_bytes,
            holdings.tight if holdings.counted(commit.opener) else 0,
        ]
    return changed, arguments


def _way_back(commit: Commit) -> bytes:
    """Return the delta to the previous snapshot.

    The delta is empty if that snapshot must be forgotten, or if versions were skipped after a data loss.
    """
    if commit.forget or commit.version != commit.expected + 1:
        return b""
    return delta(commit.data, commit.previous)
