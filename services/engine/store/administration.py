"""Operators' settings and acts, and engines' reports, in Redis. This module does not decode the values.

All keys have one hash tag, so that one script can change them, on a cluster too.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from services.engine.store import keys, scripts
from services.engine.store.backends import Backend
from services.engine.store.notifications import Notifications, Subscription
from services.engine.store.records import Snapshot, snapshot_of

KEPT_ACTS = 10_000
DAY_SECONDS = 400 * 86_400
"""Seconds for which the statistics of a day are kept."""


class AdministrationStore:
    """Operators' settings, acts, engines' reports and statistics. Methods raise `StoreDownError`."""

    def __init__(self, backend: Backend, notifications: Notifications) -> None:
        self._backend = backend
        self._notifications = notifications

    async def load(self) -> Snapshot:
        """Return the operators' settings; version 0 and empty data if there are none yet."""
        stored = await self._backend.call(("GET", keys.ADMINISTERED))
        return Snapshot(0, b"") if stored is None else snapshot_of(stored)

    async def commit(self, before: Snapshot, data: bytes, act: bytes) -> Snapshot | None:
        """Store changed settings and the record of the act. Returns None if another operator's change came first."""
        stored = Snapshot(before.version + 1, data)
        expected = before.version.to_bytes(8, "big") if before.version else b""
        return stored if await self._administer(expected, stored.version.to_bytes(8, "big") + data, act) else None

    async def record(self, act: bytes) -> None:
        """Store the record of an act that changes no setting."""
        await self._administer(b"", b"", act)

    async def _administer(self, expected: bytes, stored: bytes, act: bytes) -> bool:
        names = [keys.ADMINISTERED, keys.ACTS]
        arguments = (expected, stored, act, KEPT_ACTS, keys.ADMINISTERED_CHANNEL)
        return bool(await self._backend.run(scripts.ADMINISTER, names, arguments))

    async def acts(self, count: int) -> list[bytes]:
        """Return the latest acts, newest first."""
        acts: list[bytes] = await self._backend.call(("LRANGE", keys.ACTS, 0, count - 1))
        return acts

    def subscribe(self, take: Callable[[Snapshot], bool]) -> AbstractAsyncContextManager[Subscription]:
        """Subscribe to the operators' settings, like `Store.subscribe` to a table."""
        return self._notifications.subscribe(keys.ADMINISTERED_CHANNEL, lambda message: take(snapshot_of(message)))

    # --- reports of engines

    async def note_use(self, key: str, now: int) -> None:
        """Record when an API key was used."""
        await self._backend.call(("HSET", keys.KEYS_USED, key, now))

    async def uses(self) -> dict[str, int]:
        """Return the time when each API key was last used, in epoch milliseconds."""
        return {name.decode(): int(used) for name, used in (await self._hash(keys.KEYS_USED)).items()}

    async def forget_use(self, key: str) -> None:
        """Remove the record of an API key's use."""
        await self._backend.call(("HDEL", keys.KEYS_USED, key))

    async def report(self, engine: str, report: bytes) -> None:
        """Store an engine's report, replacing its previous one."""
        await self._backend.call(("HSET", keys.ENGINES, engine, report))

    async def reports(self) -> dict[str, bytes]:
        """Return the latest report of each engine."""
        return {name.decode(): report for name, report in (await self._hash(keys.ENGINES)).items()}

    async def forget_engine(self, engine: str) -> None:
        """Remove an engine's report."""
        await self._backend.call(("HDEL", keys.ENGINES, engine))

    async def add_numbers(self, day: str, counted: Mapping[str, int]) -> None:
        """Add counts to the statistics of a day. If a reply is lost, a count may be added twice."""
        name = keys.numbers(day)
        for field, number in counted.items():
            await self._backend.call(("HINCRBY", name, field, number))
        await self._backend.call(("EXPIRE", name, DAY_SECONDS))

    async def numbers(self, days: Sequence[str]) -> list[dict[str, int]]:
        """Return the statistics of these days, in the same order."""
        by_day = [await self._hash(keys.numbers(day)) for day in days]
        return [{name.decode(): int(number) for name, number in of_day.items()} for of_day in by_day]

    async def _hash(self, name: str) -> dict[bytes, bytes]:
        flat = await self._backend.call(("HGETALL", name))
        return dict(zip(flat[::2], flat[1::2], strict=True))
