"""Accounts of clients' processor time on the event loop, which limit each client to a fair share.

An account is a leaky bucket. Work for a client fills the bucket, which drains at the client's share of a second per
second. A client whose level exceeds the burst must wait. Below the burst, a client with recent work counts as busy: of
all busy clients, one piece of work starts per iteration of the event loop (`Accounts.turn`), so other requests run in
between.

Each engine keeps its own accounts. They are identified by a short hash of the client (`group_of`), so that a table can
name its opener's account without storing an address.
"""

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator
from functools import lru_cache, partial
from types import coroutine
from typing import Any, TypeVar

from services.common.fair_queue import Bounds
from services.common.places import Places

T = TypeVar("T")

Group = bytes
"""Identifies an account: one of only 65,536 hash values, so that the value does not reveal the client's address."""
GROUP_BYTES = 2
MOST_ACCOUNTS = 65_536
BURST = 0.5
"""Seconds of processor time that a client may use at once, beyond its share."""
BUSY = 0.005
"""Level in seconds from which a client counts as busy."""
PIECE = 0.0001
"""Approximate seconds of a small piece of work, such as a refusal."""
MEASUREMENTS = 64
"""Number of measurements after which processor time is read, since that takes a system call."""


@lru_cache(maxsize=4096)
def group_of(client: str, secret: bytes = b"") -> Group:
    """Return the group of a client's key. The secret prevents a search for an address in another client's group."""
    return hashlib.sha256(secret + client.encode()).digest()[:GROUP_BYTES]


class Accounts:
    """Recent processor time of the event loop, by client."""

    def __init__(
        self,
        share: float = 0.0,
        burst: float = 0.0,
        now: Callable[[], float] = time.perf_counter,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        """`share`: seconds per second that a client may use; 0 for no limit. `burst`: additional seconds at once.

        `now` measures wall-clock time. `cpu` measures this thread's processor time. It is read now and then to find
        which part of the wall-clock time the thread was running, since other processes share the machine.
        """
        self._share = share
        self._burst = burst
        self.now = now
        self._cpu = cpu
        self._part = 1.0
        """The recent ratio of processor time to measured time."""
        self._measured = 0.0
        self._measurements = 0
        self._cpu_before = cpu()
        self._levels: OrderedDict[Group, tuple[float, float]] = OrderedDict()
        """Level in seconds, and the time when it was computed, by group. The least recently charged group is first."""
        self._turns = Places(Bounds(places=1))
        """Queue for the next iteration of the event loop, for work of busy clients."""

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return bool(self._share)

    def charge(self, group: Group, seconds: float) -> None:
        """Charge processor time to a client's account."""
        if not self._share:
            return
        now = self.now()
        level, at = self._levels.get(group, (0.0, now))
        self._levels[group] = (max(0.0, level - self._share * (now - at)) + seconds, now)
        self._levels.move_to_end(group)
        if len(self._levels) > MOST_ACCOUNTS:
            self._levels.popitem(last=False)

    def spend(self, group: Group, seconds: float) -> None:
        """Charge measured time to a client's account: only the part that was processor time."""
        self._measured += seconds
        self._measurements += 1
        if self._measurements >= MEASUREMENTS:
            cpu = self._cpu()
            self._part = min(1.0, (cpu - self._cpu_before) / max(self._measured, PIECE))
            self._cpu_before, self._measured, self._measurements = cpu, 0.0, 0
        self.charge(group, seconds * self._part)

    def wait(self, group: Group) -> float:
        """Return the seconds until a client's account is below the burst; 0 if it is below already."""
        return self._seconds_until(group, self._burst)

    def busy(self, group: Group) -> bool:
        """Return whether a client's account is above the busy level."""
        return self._seconds_until(group, min(BUSY, self._burst)) > 0

    async def turn(self, group: Group) -> None:
        """Wait until a client's next piece of work may begin. A client that is not busy does not wait.

        Busy clients get one piece per iteration of the event loop, in turns by client. A client over the limit waits
        until its account has drained.
        """
        if self.busy(group):
            wait = self.wait(group)
            if wait:
                self.charge(group, PIECE)
                await asyncio.sleep(wait)
            place = await self._turns.begin(group)
            asyncio.get_running_loop().call_soon(self._turns.end, place, PIECE)

    def _seconds_until(self, group: Group, level: float) -> float:
        """Return the seconds until a client's account has drained to a level."""
        if group not in self._levels:
            return 0.0
        now, at = self._levels[group]
        return max(0.0, (now - level) / self._share - (self.now() - at))

    def charged(self, group: Group, work: Coroutine[Any, Any, T], spent: float = 0.0) -> Coroutine[Any, Any, T]:
        """Return a coroutine that charges a client for `work` on the event loop, and for `spent` seconds before."""
        return _charged(work, partial(self.spend, group), self.now, spent) if self._share else work


@coroutine
def _charged(
    work: Coroutine[Any, Any, T], charge: Callable[[float], None], now: Callable[[], float], spent: float
) -> Generator[Any, Any, T]:
    """Run a coroutine step by step. The time of its steps is charged at the end, and whenever it exceeds `PIECE`."""
    step, argument = work.send, None
    try:
        while True:
            began = now()
            try:
                awaited = step(argument)
            except StopIteration as returned:
                result: T = returned.value
                return result
            finally:
                spent += now() - began
            if spent > PIECE:
                charge(spent)
                spent = 0.0
            try:
                argument = yield awaited
                step = work.send
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # noqa: BLE001 - everything thrown into it is passed on
                step, argument = work.throw, error
    finally:
        charge(spent)
