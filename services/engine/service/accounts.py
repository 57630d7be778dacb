"""Accounts of clients' processor time: everything that the loop does for a client is charged to its account.

An account is a leaky bucket: it empties by the client's share of a second each second, and a client whose account is
fuller than the burst waits. Before that, pieces of busy clients' work begin one in each turn of the loop, so that
others come in between (`Accounts.turn`). Each engine keeps accounts of its own. They are kept under the short group of
the client (`group_of`), so that a table can name the account of its opener without storing an address.
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
"""A group of clients that share an account: one of 65,536, so that it does not reveal an address."""
GROUP_BYTES = 2
MOST_ACCOUNTS = 65_536
BURST = 0.5
"""Seconds of processor time that a client may use at once beyond the share."""
BUSY = 0.005
"""Seconds in the account from which a client is busy."""
PIECE = 0.0001
"""Seconds that a piece of work takes about, such as a refusal."""
MEASUREMENTS = 64
"""Processor time is read once per this many measurements, since reading it takes a system call."""


@lru_cache(maxsize=4096)
def group_of(client: str, secret: bytes = b"") -> Group:
    """Return the group of a client, by its key from `Clients.of`.

    A secret prevents the search for an address in another client's group.
    """
    return hashlib.sha256(secret + client.encode()).digest()[:GROUP_BYTES]


class Accounts:
    """How much processor time the loop has spent for each client lately."""

    def __init__(
        self,
        share: float = 0.0,
        burst: float = 0.0,
        now: Callable[[], float] = time.perf_counter,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        """`share`: seconds that a client may use each second; 0 for no limit. `burst`: seconds at once beyond it.

        `now` measures steps, `cpu` now and then which part of them was processor time of this thread: on a busy machine
        others run in between.
        """
        self._share = share
        self._burst = burst
        self.now = now
        self._cpu = cpu
        self._part = 1.0
        """Which part of measured time was processor time lately."""
        self._measured = 0.0
        self._measurements = 0
        self._cpu_before = cpu()
        self._levels: OrderedDict[Group, tuple[float, float]] = OrderedDict()
        """By group, the seconds in the account, and when that was; the one charged longest ago first."""
        self._turns = Places(Bounds(places=1))
        """The next turn of the loop, for which pieces of busy clients' work wait."""

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
        """Charge measured time to a client's account, as far as it was processor time."""
        self._measured += seconds
        self._measurements += 1
        if self._measurements >= MEASUREMENTS:
            cpu = self._cpu()
            self._part = min(1.0, (cpu - self._cpu_before) / max(self._measured, PIECE))
            self._cpu_before, self._measured, self._measurements = cpu, 0.0, 0
        self.charge(group, seconds * self._part)

    def wait(self, group: Group) -> float:
        """Return for how many seconds a client is over the account; 0 if it is not."""
        return self._seconds_until(group, self._burst)

    def busy(self, group: Group) -> bool:
        """Return whether a client has used much lately, or is over the account."""
        return self._seconds_until(group, min(BUSY, self._burst)) > 0

    async def turn(self, group: Group) -> None:
        """Return once a client's next piece of work may begin: at once, unless the client is busy.

        Pieces of busy clients begin one in each turn of the loop, in turns by client; those of a client who is over the
        account one after the other, as the account empties.
        """
        if self.busy(group):
            wait = self.wait(group)
            if wait:
                self.charge(group, PIECE)
                await asyncio.sleep(wait)
            place = await self._turns.begin(group)
            asyncio.get_running_loop().call_soon(self._turns.end, place, PIECE)

    def _seconds_until(self, group: Group, level: float) -> float:
        """Return the seconds until a client's account has emptied to a level."""
        if group not in self._levels:
            return 0.0
        now, at = self._levels[group]
        return max(0.0, (now - level) / self._share - (self.now() - at))

    def charged(self, group: Group, work: Coroutine[Any, Any, T], spent: float = 0.0) -> Coroutine[Any, Any, T]:
        """Return the coroutine with its steps on the loop charged to a client, after `spent` seconds charged before."""
        return _charged(work, partial(self.spend, group), self.now, spent) if self._share else work


@coroutine
def _charged(
    work: Coroutine[Any, Any, T], charge: Callable[[float], None], now: Callable[[], float], spent: float
) -> Generator[Any, Any, T]:
    """Run a coroutine step by step, and charge the time of its steps at its end, or once it has come to `PIECE`."""
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
            except BaseException as error:  # noqa: BLE001 - the coroutine gets whatever the loop throws into it
                step, argument = work.throw, error
    finally:
        charge(spent)
