"""The clock, which wakes due tables: when a computer player must move, or a turn times out. Every replica runs one."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from services.engine.service import tokens
from services.engine.store import Store
from services.engine.store.errors import StoreDownError

WAKING = 1024
"""Maximum number of tables that are being woken or wait to be woken."""
POSTPONING = 64
"""Maximum number of tables that are being postponed."""

log = structlog.stdlib.get_logger("engine.clock")


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage that has postponed only some of the deadlines so far. 0 milliseconds if there was none."""

    milliseconds: int
    postponed: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a clock pauses between rounds, in seconds."""

    tick: float = 0.2
    """The shortest pause."""
    sweep: float = 1.0
    """The longest pause, used when nothing is due. So a deadline set by a process that has died is noticed this late at
    worst.
    """


PACE = Pace()


class BusyTime:
    """How long this thread has computed or waited for a processor core. Both stop while the process is stopped."""

    def __init__(self) -> None:
        self._schedule: int | None = None
        with suppress(OSError):  # only Linux reports how long a thread has waited for a processor core
            self._schedule = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def seconds(self) -> float:
        """Return the seconds since an arbitrary start."""
        if self._schedule is None:
            return time.thread_time()
        computed, waited, _ = os.pread(self._schedule, 64, 0).split()
        return (int(computed) + int(waited)) / 1e9

    def close(self) -> None:
        """Close the file in `/proc`."""
        if self._schedule is not None:
            os.close(self._schedule)


class StallMeter:
    """Measures how long this process's own work, rather than a stop of the process, blocked its event loop."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._stalled = 0.0
        self._expected = 0.0
        self._busy = BusyTime()
        self._busy_before = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start measuring."""
        self._busy_before = self._busy.seconds()
        self._expected = asyncio.get_running_loop().time() + self._interval
        self._timer = asyncio.get_running_loop().call_at(self._expected, self._tick)

    def stop(self) -> None:
        """Stop measuring."""
        if self._timer is not None:
            self._timer.cancel()

    def close(self) -> None:
        """Stop measuring, and close the file in `/proc`."""
        self.stop()
        self._busy.close()

    def take(self) -> float:
        """Return for how many milliseconds the loop was blocked since the last call, without the shortest stalls."""
        self.stop()
        self._add_lateness()
        self.start()
        stalled, self._stalled = self._stalled, 0.0
        return stalled * 1000

    def _tick(self) -> None:
        self._add_lateness()
        self.start()

    def _add_lateness(self) -> None:
        late = asyncio.get_running_loop().time() - self._expected
        if late > 0:
            self._stalled += min(late, self._busy.seconds() - self._busy_before)


class TableClock:
    """Wakes due tables. After an outage it first postpones all deadlines, so that players lose no time.

    An outage means that Redis, or all engines, were down or stopped. A stall of this process's event loop does not
    count, or else a slow request would postpone every deadline.

    `wake` acts on a table if the table is really due. `postpone` postpones a table's deadline by milliseconds. Both may
    be called more than once for a table. `on_outage` is called with the milliseconds of each outage.
    """

    def __init__(
        self,
        store: Store,
        wake: Callable[[str], Awaitable[None]],
        postpone: Callable[[str, int], Awaitable[None]],
        now: Callable[[], int],
        pace: Pace = PACE,
        outage_milliseconds: int = 5000,
        on_outage: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._wake = wake
        self._postpone = postpone
        self._now = now
        self._tick, self._sweep = pace.tick, pace.sweep
        self._outage_milliseconds = outage_milliseconds
        self._on_outage = on_outage
        self._stalls = StallMeter(outage_milliseconds / 5000)
        self._waking: dict[str, asyncio.Task[None]] = {}
        self._pending_outage: Outage | None = None
        self._down = False
        self._floor: int | None = None

    async def run(self) -> None:
        """Send heartbeats and wake tables until cancelled. Then finish the tables that are being woken."""
        self._stalls.start()
        try:
            while True:
                if not await self._round():
                    await self._rest()
        finally:
            self._stalls.close()
            if self._waking:
                await asyncio.wait(self._waking.values())

    async def _rest(self) -> None:
        await asyncio.sleep(self._tick)
        if not self._down:
            await self._store.until_due(self._now, self._sweep - self._tick)

    async def _round(self) -> bool:
        """Wake the tables due now. Return whether more may be due immediately."""
        try:
            now = await self._send_heartbeat()
            while self._pending_outage:
                await self._make_up(self._pending_outage)
            return await self._wake_due(now)
        except StoreDownError as error:
            if not self._down:
                log.warning("clock_suspended", reason=str(error), note="nothing can be played until Redis serves again")
            self._down = True
        except Exception:  # the other tables must continue
            log.exception("clock_failed")
        return False

    async def _send_heartbeat(self) -> int:
        """Send a heartbeat, and return its time. Outages before that time have been detected."""
        await self._store.verify()
        now, stalled = (
            self._now(),
            self._stalls.take(),
        )  # taken before the await, so that a later stall counts for the next gap between heartbeats
        gap = await self._store.record_heartbeat(now, self._outage_milliseconds)
        if self._floor is not None and self._store.floor > self._floor:
            log.warning("versions_lost", floor=self._store.floor)
        self._floor = self._store.floor
        if self._down:
            log.info("clock_resumed")
        self._down = False
        if gap > self._outage_milliseconds >= gap - stalled:
            log.warning("loop_stalled", milliseconds=gap)
            self._pending_outage = self._pending_outage or Outage(0)
        elif gap > self._outage_milliseconds:
            log.warning(
                "outage", milliseconds=gap, note="Redis or all engines were down; deadlines are postponed by this time"
            )
            self._on_outage(gap)
            self._pending_outage = Outage(gap + (self._pending_outage.milliseconds if self._pending_outage else 0))
        return now

    async def _wake_due(self, now: int) -> bool:
        free = WAKING - len(self._waking)
        if not free:
            await asyncio.wait(self._waking.values(), timeout=self._tick, return_when=asyncio.FIRST_COMPLETED)
            return True
        due = await self._store.due(now, free)
        # A table that is still being woken here has outlived its lease. Do not wake it twice at the same time.
        for table in set(due) - self._waking.keys():
            self._waking[table] = asyncio.create_task(self._try(self._wake, table), name=table)
            self._waking[table].add_done_callback(lambda task: self._waking.pop(task.get_name()))
            await asyncio.sleep(0)  # let requests run before the next tables
        return len(due) == free

    async def _make_up(self, outage: Outage) -> None:
        """Postpone all deadlines. Keeps sending heartbeats, or else other clocks would detect another outage."""
        if outage.milliseconds:
            await self._postpone_with_heartbeats(outage)
        if self._pending_outage is outage:
            await self._store.settle()
            self._pending_outage = None

    async def _postpone_with_heartbeats(self, outage: Outage) -> None:
        postponing = asyncio.create_task(self._postpone_all(outage), name="postpone")
        try:
            while not postponing.done():
                await asyncio.wait([postponing], timeout=self._tick)
                await self._send_heartbeat()
            await postponing
        finally:
            postponing.cancel()
            await asyncio.gather(postponing, return_exceptions=True)

    async def _postpone_all(self, outage: Outage) -> None:
        remaining = iter([table async for table in self._store.scheduled() if table not in outage.postponed])
        failures = await asyncio.gather(*(self._postpone_each(remaining, outage) for _ in range(POSTPONING)))
        for failure in failures:
            if failure:
                raise failure

    async def _postpone_each(self, remaining: Iterator[str], outage: Outage) -> StoreDownError | None:
        for table in remaining:
            try:
                await self._try(lambda table: self._postpone(table, outage.milliseconds), table, StoreDownError)
            except StoreDownError as error:
                return error
            outage.postponed.add(table)
        return None

    async def _try(self, act: Callable[[str], Awaitable[None]], table: str, *raised: type[Exception]) -> None:
        """Run `act` for a table. Logs errors, except those of the types `raised`."""
        try:
            await act(table)
        except raised:
            raise
        except StoreDownError as error:  # the table is due again when its lease expires
            log.warning("table_retried_later", reason=str(error), table=tokens.short_id(table))
        except Exception:  # one table's failure must not stop the others
            log.exception("table_failed", table=tokens.short_id(table))
