"""The queue of thoughts for workers: moves at tables come first, and then each client has its turn.

A thought takes its place when a worker is free for it, and gives it back when its work is done, whether or not anybody
still waits for the result. One worker takes no thoughts of a length that clients choose: those of the engine's own
budget, at tables and for hints, are never behind long ones on all workers.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from math import inf

REMEMBERED_SECONDS = 10.0
"""How long it counts how much a client's thoughts have taken."""
MOST_WAITING = 256
"""Thoughts that may wait; each brings as many bytes as a request may have."""


class NoWorkerError(Exception):
    """No worker was free in time, or too many thoughts wait already."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for a thought, and how."""

    client: str | None = None
    """The key by which a client is counted; None for a computer player at a table."""
    patience: float = inf
    """Seconds that the thought may wait for a worker."""
    long: bool = False
    """Whether the client chooses what the thought is about, and so how long it takes, or how many there are."""


TABLE = Asker()


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    asker: Asker
    begins: "asyncio.Future[None]"


class ThoughtQueue:
    """Says which thought begins next on so many workers."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._waiting: list[_Waiting] = []
        self._running: list[Asker] = []
        self._used: defaultdict[str | None, float] = defaultdict(float)
        """Seconds that each client's thoughts have taken lately."""
        self._forgets = 0.0

    def __len__(self) -> int:
        """Return how many thoughts wait or run."""
        return len(self._waiting) + len(self._running)

    @property
    def tables(self) -> int:
        """How many of them are for tables."""
        waiting = sum(each.asker.client is None for each in self._waiting)
        return waiting + sum(asker.client is None for asker in self._running)

    async def begin(self, asker: Asker) -> None:
        """Return once a worker is free for a thought; `end` frees it again. Raises `NoWorkerError`."""
        if asker.client is not None and len(self._waiting) >= MOST_WAITING:
            raise NoWorkerError
        waiting = _Waiting(asker, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._begin_next()
        try:
            async with asyncio.timeout(asker.patience if asker.patience < inf else None):
                await waiting.begins
        except BaseException as error:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:  # its turn came in the same moment
                self.end(asker, 0)
            if isinstance(error, TimeoutError):
                raise NoWorkerError from None
            raise

    def end(self, asker: Asker, seconds: float) -> None:
        """Free the worker of a thought that has taken so many seconds."""
        now = asyncio.get_running_loop().time()
        if now >= self._forgets:
            self._used.clear()
            self._forgets = now + REMEMBERED_SECONDS
        self._running.remove(asker)
        self._used[asker.client] += seconds
        self._begin_next()

    def _begin_next(self) -> None:
        while len(self._running) < self._workers:
            long = sum(asker.long for asker in self._running) < max(1, self._workers - 1)
            present = [waiting for waiting in self._waiting if not waiting.begins.done()]  # not cancelled just now
            eligible = [waiting for waiting in present if long or not waiting.asker.long]
            if not eligible:
                return
            first = min(eligible, key=self._rank)  # of equals, who has waited longest
            self._waiting.remove(first)
            self._running.append(first.asker)
            first.begins.set_result(None)

    def _rank(self, waiting: _Waiting) -> tuple[bool, int, float]:
        """Return what decides who is first: tables, then who has the fewest thoughts running and has used the least."""
        client = waiting.asker.client
        running = sum(asker.client == client for asker in self._running)
        return (False, 0, 0.0) if client is None else (True, running, self._used[client])
