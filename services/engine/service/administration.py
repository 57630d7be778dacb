"""Operators' settings and acts while engines run.

Each engine subscribes to these settings in Redis, and reports its own state.
"""

import asyncio
import secrets
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import TypeVar

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from locanda import __version__
from locanda.messages.administration import Act, ActName
from locanda.messages.own_players import OwnPlayer
from services.engine.errors import ProblemError
from services.engine.service import administered, tokens
from services.engine.service.administered import Administered, BanState, KeyState, MaintenanceState, PlayerState
from services.engine.service.day_numbers import DayNumbers, day_of
from services.engine.settings import MOST_PLAYERS
from services.engine.store import AdministrationStore, Snapshot
from services.engine.store.errors import DamagedError, StoreDownError
from services.engine.table.state import NewerReleaseError, TableError

PAUSE = 5.0
"""Seconds between two reports of an engine. Engines are notified of operators' changes immediately."""
GONE = 30_000
"""Milliseconds without a report after which an engine counts as gone."""
USE_PRECISION = 60_000
"""Milliseconds between two records of an API key's use."""
ATTEMPTS = 16
LEAVE_SECONDS = 1.0

log = structlog.stdlib.get_logger("engine.admin")
T = TypeVar("T")


class Operator(Struct, frozen=True):
    """The author of an act: the operator's address and the id of the request."""

    client: str
    request: str


class EngineReport(Struct, frozen=True):
    """An engine's report about itself. Times are epoch milliseconds."""

    release: str
    started: int
    seen: int
    streams: int
    shares_address: bool
    """Whether the engine is one of several processes behind one address (`ENGINE_WORKERS`), so it cannot be drained
    alone.
    """


class Administration:
    """The operators' settings as this engine knows them, and the acts that change them."""

    def __init__(
        self,
        store: AdministrationStore,
        now: Callable[[], int],
        *,
        streams: Callable[[], int] = lambda: 0,
        shares_address: bool = False,
    ) -> None:
        """`streams` returns this engine's number of open streams; `shares_address` is as in `EngineReport`."""
        self._store = store
        self.now = now
        self._snapshot = Snapshot(0, b"")
        self._used: dict[str, int] = {}
        """When each API key was last used on this engine, in epoch milliseconds."""
        self._uses_to_store: dict[str, int] = {}
        self.set = Administered()
        """The operators' current settings."""
        self.numbers = DayNumbers()
        self.engine = f"{socket.gethostname()}-{secrets.token_hex(3)}"
        self.started = now()
        self.shares_address = shares_address
        self._streams = streams
        self._watchers: list[Callable[[], None]] = []

    # --- following

    async def load(self) -> None:
        """Read the settings from Redis; keep the previous ones if they cannot be read."""
        known = self._snapshot
        with suppress(StoreDownError):
            snapshot = await self._store.load()
            # if the snapshot has changed meanwhile, a notification has brought newer settings
            if self._snapshot is known:
                self._take(snapshot)

    async def follow(self) -> None:
        """Follow changes of the settings, and report this engine's state, until cancelled."""
        async with self._store.subscribe(self._notified) as subscription:
            while True:
                await self.load()
                with suppress(StoreDownError):
                    await self._report()
                await subscription.wait(PAUSE)

    def _notified(self, snapshot: Snapshot) -> bool:
        if snapshot.version > self._snapshot.version:
            self._take(snapshot)
        return True

    def _take(self, snapshot: Snapshot) -> None:
        if snapshot == self._snapshot:
            return
        try:
            stored = administered.decode(snapshot.data)
        except (NewerReleaseError, DamagedError) as error:
            if snapshot.version != self._snapshot.version:
                log.warning("administration_unreadable", error=type(error).__name__)
        else:
            self.set = stored
        self._snapshot = snapshot
        for watch in self._watchers:
            watch()

    def watch(self, watch: Callable[[], None]) -> None:
        """Call a function after each change of the settings."""
        self._watchers.append(watch)

    async def _report(self) -> None:
        report = EngineReport(__version__, self.started, self.now(), self._streams(), self.shares_address)
        await self._store.report(self.engine, msgspec.msgpack.encode(report))
        uses, self._uses_to_store = self._uses_to_store, {}
        for key, used in uses.items():
            await self._store.note_use(key, used)
        if counted := self.numbers.taken():
            try:
                await self._store.add_numbers(day_of(self.now()), counted)
            except StoreDownError:
                self.numbers.put_back(counted)
                raise

    async def leave(self) -> None:
        """Store pending data before the engine ends, unless Redis takes too long."""
        with suppress(StoreDownError, TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._report()
                await self._store.forget_engine(self.engine)

    # --- queries of requests

    def is_banned(self, client: str) -> bool:
        """Return whether a client is banned now."""
        return bool(self.set.bans) and self.set.is_banned(client, self.now())

    def require_served(self, client: str) -> None:
        """Raise `ProblemError` `banned` if a client is banned."""
        if self.is_banned(client):
            raise ProblemError("banned")

    def require_allowed(self, name: str) -> None:
        """Raise `ProblemError` `name_blocked` if operators have blocked a name."""
        if self.set.is_blocked(name):
            raise ProblemError("name_blocked")

    @property
    def draining(self) -> bool:
        """Whether an operator has drained this engine."""
        return self.engine in self.set.draining

    def maintenance(self) -> MaintenanceState | None:
        """Return the maintenance notice that people see now, or None."""
        return self.set.maintenance_at(self.now())

    def note_use(self, key: str) -> None:
        """Record that an API key was used."""
        now = self.now()
        if now - self._used.get(key, 0) > USE_PRECISION:
            self._used[key] = self._uses_to_store[key] = now

    # --- acts

    async def announce(self, in_minutes: int, minutes: int | None, text: str, by: Operator) -> MaintenanceState:
        """Announce maintenance. This replaces an earlier announcement."""
        begins = self.now() + in_minutes * 60_000
        announced = MaintenanceState(begins, None if minutes is None else begins + minutes * 60_000, text)
        await self._act("announce_maintenance", text, by, lambda now: replace(now, maintenance=announced))
        return announced

    async def end_maintenance(self, by: Operator) -> None:
        """Withdraw the announcement."""
        await self._act("end_maintenance", "", by, lambda now: replace(now, maintenance=None))

    async def add_key(self, name: str, by: Operator) -> str:
        """Create an API key, and return it. Raises `TableError` `entry_taken`."""
        key = tokens.new_token()
        made = KeyState(tokens.digest(key), self.now())
        await self._act("add_key", name, by, lambda now: replace(now, keys=_with(now.keys, name, made)))
        return key

    async def remove_key(self, name: str, by: Operator) -> None:
        """Remove an API key. Raises `TableError` `no_such_entry`."""
        await self._act("remove_key", name, by, lambda now: replace(now, keys=_without(now.keys, name)))
        await self._store.forget_use(name)

    async def ban(self, client: str, reason: str, minutes: int | None, by: Operator) -> BanState:
        """Ban a client. Raises `TableError` `entry_taken`."""
        since = self.now()
        made = BanState(reason, since, None if minutes is None else since + minutes * 60_000)

        def change(now: Administered) -> Administered:
            in_force = {key: ban for key, ban in now.bans.items() if ban.until is None or ban.until > since}
            return replace(now, bans=_with(in_force, client, made))

        await self._act("ban", client, by, change)
        return made

    async def lift_ban(self, client: str, by: Operator) -> None:
        """Lift a ban. Raises `TableError` `no_such_entry`."""
        await self._act("lift_ban", client, by, lambda now: replace(now, bans=_without(now.bans, client)))

    async def block_name(self, name: str, by: Operator) -> None:
        """Block a name. Raises `TableError` `entry_taken`."""

        def change(now: Administered) -> Administered:
            names = _with(dict.fromkeys(now.blocked_names), name, None)
            return replace(now, blocked_names=tuple(sorted(names)))

        await self._act("block_name", name, by, change)

    async def allow_name(self, name: str, by: Operator) -> None:
        """Unblock a name. Raises `TableError` `no_such_entry`."""

        def change(now: Administered) -> Administered:
            return replace(now, blocked_names=tuple(_without(dict.fromkeys(now.blocked_names), name)))

        await self._act("allow_name", name, by, change)

    async def add_player(self, player: OwnPlayer, by: Operator) -> None:
        """Add an own player.

        Raises `TableError`: `entry_taken` if operators have added a player of this name, `too_many_entries` above the
        limit.
        """
        entry, made = player.entry, PlayerState(player.server.url, self.now(), player.server.secret)

        def change(now: Administered) -> Administered:
            return replace(now, players=_with(now.players, entry, made, MOST_PLAYERS))

        await self._act("add_player", entry, by, change)

    async def remove_player(self, entry: str, by: Operator) -> None:
        """Remove an own player. Raises `TableError` `no_such_entry`."""
        await self._act("remove_player", entry, by, lambda now: replace(now, players=_without(now.players, entry)))

    async def drain(self, engine: str, by: Operator) -> None:
        """Stop an engine from accepting new connections.

        Raises `TableError`: `no_such_entry` if no such engine runs, `last_engine` if no other engine would be left,
        `shared_address` if other engines have the same address.
        """
        engines = await self.engines()
        if engine not in engines:
            raise TableError("no_such_entry")
        if engines[engine].shares_address:
            raise TableError("shared_address")

        def change(now: Administered) -> Administered:
            draining = {name for name in now.draining if name in engines} | {engine}
            if draining >= engines.keys():
                raise TableError("last_engine")
            return replace(now, draining=tuple(sorted(draining)))

        await self._act("drain_engine", engine, by, change)

    async def resume(self, engine: str, by: Operator) -> None:
        """Let a drained engine accept connections again. Raises `TableError` `no_such_entry`."""

        def change(now: Administered) -> Administered:
            return replace(now, draining=tuple(_without(dict.fromkeys(now.draining), engine)))

        await self._act("resume_engine", engine, by, change)

    async def record(self, act: ActName, about: str, by: Operator) -> None:
        """Record an operator's act on a table, just before it is carried out."""
        await self._store.record(self._entry(act, about, by))

    async def _act(
        self, act: ActName, about: str, by: Operator, change: Callable[[Administered], Administered]
    ) -> None:
        """Store a change together with its record.

        Raises `ProblemError` `busy` if others keep changing the settings, `NewerReleaseError`, and the errors of
        `change`.
        """
        entry = self._entry(act, about, by)
        for _ in range(ATTEMPTS):
            before = await self._store.load()
            after = administered.encode(change(administered.decode(before.data)), before.data)
            committed = await self._store.commit(before, after, entry)
            if committed:
                self._take(committed)
                return
        raise ProblemError("busy")

    def _entry(self, act: ActName, about: str, by: Operator) -> bytes:
        shown = tokens.short_id(about) if act.endswith("_table") else about
        log.info("operator_act", act=act, about=shown, client=by.client)
        return msgspec.msgpack.encode(Act(at(self.now()), act, about, by.client, by.request))

    # --- lists

    async def acts(self, count: int) -> list[Act]:
        """Return the latest acts, newest first. Acts unknown to this release are left out."""
        acts = []
        for entry in await self._store.acts(count):
            with suppress(msgspec.MsgspecError):
                acts.append(msgspec.msgpack.decode(entry, type=Act))
        return acts

    async def uses(self) -> dict[str, int]:
        """Return the time when each API key was last used, in epoch milliseconds."""
        return await self._store.uses() | self._used

    async def engines(self) -> dict[str, EngineReport]:
        """Return the reports of the running engines, by name."""
        await self._report()
        reports = {}
        for name, report in sorted((await self._store.reports()).items()):
            with suppress(msgspec.MsgspecError):
                reports[name] = msgspec.msgpack.decode(report, type=EngineReport)
        gone = [name for name, report in reports.items() if report.seen < self.now() - GONE]
        for name in gone:
            del reports[name]
            await self._store.forget_engine(name)
        return reports

    async def days(self, count: int) -> list[tuple[str, dict[str, int]]]:
        """Return the statistics of the last days, today first."""
        await self._report()
        days = [day_of(self.now() - number * 86_400_000) for number in range(count)]
        return list(zip(days, await self._store.numbers(days), strict=True))


def at(milliseconds: int) -> datetime:
    """Return epoch milliseconds as a time."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def time_or_none(milliseconds: int | None) -> datetime | None:
    """Return epoch milliseconds as a time, or None."""
    return None if milliseconds is None else at(milliseconds)


def _with(entries: Mapping[str, T], name: str, value: T, most: int | None = None) -> dict[str, T]:
    """Return the entries with one added. Raises `TableError` `entry_taken` or `too_many_entries`."""
    most = administered.MOST if most is None else most
    if name in entries:
        raise TableError("entry_taken")
    if len(entries) >= most:
        raise TableError("too_many_entries", most=most)
    return {**entries, name: value}


def _without(entries: Mapping[str, T], name: str) -> dict[str, T]:
    """Return the entries without one. Raises `TableError` `no_such_entry` if it does not exist."""
    if name not in entries:
        raise TableError("no_such_entry")
    return {entry_name: value for entry_name, value in entries.items() if entry_name != name}
