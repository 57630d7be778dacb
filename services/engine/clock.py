"""Wakes tables whose time has come: computer players, absent people. Every replica runs a clock."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import structlog

from services.engine import tokens
from services.engine.store.errors import StoreDownError
from services.engine.store.store import Store

AT_ONCE = 64
"""Tables that are woken, or put off, at a time."""

log = structlog.stdlib.get_logger("engine.clock")


@dataclass(frozen=True, slots=True)
class Debt:
    """An outage that the tables have not been given back yet."""

    gap: int
    paid: set[str] = field(default_factory=set)


class Clock:
    """Wakes tables whose time has come. After an outage it puts all off first, so that nobody loses time by it.

    `wake` acts on a table if its time has really come, `shift` puts its time off by milliseconds. A table may be
    woken, and put off, more than once. `tell` hears of each outage that this clock makes up for, in milliseconds.
    """

    def __init__(
        self,
        store: Store,
        wake: Callable[[str], Awaitable[None]],
        shift: Callable[[str, int], Awaitable[None]],
        now: Callable[[], int],
        tick: float = 0.2,
        outage: int = 5000,
        tell: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._wake = wake
        self._shift = shift
        self._now = now
        self._tick = tick
        self._outage = outage
        self._tell = tell
        self._waking: dict[str, asyncio.Task[None]] = {}
        self._debt: Debt | None = None
        self._down = False

    async def run(self) -> None:
        """Beat and wake until cancelled; tables that are being woken then are finished with first."""
        try:
            while True:
                if not await self._round():
                    await asyncio.sleep(self._tick)
        finally:
            if self._waking:
                await asyncio.wait(self._waking.values())

    async def _round(self) -> bool:
        """Do what is due now; return whether there may be more of it."""
        try:
            await self._beat()
            while self._debt:
                await self._pay(self._debt)
            return await self._wake_due()
        except StoreDownError as error:
            if not self._down:
                log.warning("clock_stands", reason=str(error))
            self._down = True
        except Exception as error:  # noqa: BLE001 - whatever it is, the other tables must go on
            _report("clock_failed", error)
        return False

    async def _beat(self) -> None:
        gap = await self._store.beat(self._now(), self._outage)
        if self._down:
            log.info("clock_goes_on")
        self._down = False
        if gap > self._outage:
            log.warning("outage", milliseconds=gap)
            self._tell(gap)
            self._debt = Debt(gap + (self._debt.gap if self._debt else 0))

    async def _wake_due(self) -> bool:
        free = AT_ONCE - len(self._waking)
        if not free:
            await asyncio.wait(self._waking.values(), timeout=self._tick, return_when=asyncio.FIRST_COMPLETED)
            return True
        due = await self._store.due(self._now(), free)
        # A table that is being woken still has outlasted its lease: it is not woken twice at once.
        for table in set(due) - self._waking.keys():
            self._waking[table] = asyncio.create_task(self._try(self._wake, table), name=table)
            self._waking[table].add_done_callback(lambda task: self._waking.pop(task.get_name()))
        return len(due) == free

    async def _pay(self, debt: Debt) -> None:
        """Put all tables off, and keep beating meanwhile, or it would pass for another outage."""
        paying = asyncio.create_task(self._put_all_off(debt), name="put off")
        try:
            while not paying.done():
                await asyncio.wait([paying], timeout=self._tick)
                await self._beat()
            await paying
        finally:
            paying.cancel()
            await asyncio.gather(paying, return_exceptions=True)
        if self._debt is debt:
            await self._store.settle()
            self._debt = None

    async def _put_all_off(self, debt: Debt) -> None:
        unpaid = iter([table async for table in self._store.scheduled() if table not in debt.paid])
        failures = await asyncio.gather(*(self._put_off(unpaid, debt) for _ in range(AT_ONCE)))
        for failure in failures:
            if failure:
                raise failure

    async def _put_off(self, unpaid: Iterator[str], debt: Debt) -> StoreDownError | None:
        for table in unpaid:
            try:
                await self._try(lambda table: self._shift(table, debt.gap), table, StoreDownError)
            except StoreDownError as error:
                return error
            debt.paid.add(table)
        return None

    async def _try(self, act: Callable[[str], Awaitable[None]], table: str, *passed: type[Exception]) -> None:
        """Act on a table; its failure is its own. What is to be passed on is."""
        try:
            await act(table)
        except passed:
            raise
        except StoreDownError as error:  # it is due again when its lease is over
            log.warning("table_waits", reason=str(error), table=tokens.beginning(table))
        except Exception as error:  # noqa: BLE001 - one table's failure must not stop the others
            _report("table_failed", error, table=tokens.beginning(table))


def _report(event: str, error: Exception, **facts: str) -> None:
    """Log what failed and where, without the error's words: they could quote a hand."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    log.error(event, error=type(error).__name__, at=f"{frame.f_code.co_qualname}:{line}", **facts)
