"""Places that tasks wait for, in turns by asker: `FairQueue` for coroutines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

from services.common.fair_queue import Asker, Bounds, FairQueue, Target, Waiting

Place = Waiting["asyncio.Future[None]"]


class NoPlaceError(Exception):
    """No place was free in time, or too many wait already."""


class Places:
    """Places for work, handed out in turns."""

    def __init__(self, bounds: Bounds) -> None:
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(bounds)

    def __len__(self) -> int:
        """Return how many pieces of work wait or are under way."""
        return len(self._queue) + self._queue.under_way

    async def begin(self, asker: Asker, target: Target = None, rank: int = 0, patience: float = inf) -> Place:
        """Return a place once there is one; `end` gives it back. Raises `NoPlaceError` after `patience` seconds."""
        waiting = Waiting(asyncio.get_running_loop().create_future(), asker, target, rank)
        dropped = self._queue.put(waiting)
        if dropped is not None and not dropped.work.done():
            dropped.work.set_exception(NoPlaceError())
        self._begin_next()
        try:
            async with asyncio.timeout(patience if patience < inf else None):
                await waiting.work
        except NoPlaceError:
            raise
        except BaseException as error:
            self._give_up(waiting)
            if isinstance(error, TimeoutError):
                raise NoPlaceError from None
            raise
        return waiting

    def end(self, place: Place, cost: float) -> None:
        """Give a place back, and charge its cost to its asker."""
        self._queue.end(place, cost)
        self._begin_next()

    @asynccontextmanager
    async def place(
        self, asker: Asker, target: Target = None, rank: int = 0, patience: float = inf
    ) -> AsyncIterator[None]:
        """Hold a place, whose cost is the time for which it is held. Raises `NoPlaceError`."""
        place = await self.begin(asker, target, rank, patience)
        time = asyncio.get_running_loop().time
        began = time()
        try:
            yield
        finally:
            self.end(place, time() - began)

    def _begin_next(self) -> None:
        while (waiting := self._queue.take()) is not None:
            if waiting.work.done():  # cancelled just now: `begin` will give the place back
                continue
            waiting.work.set_result(None)

    def _give_up(self, waiting: Place) -> None:
        """Take back work whose asker has stopped waiting; its turn may have come in the same moment."""
        if waiting in self._queue:
            self._queue.remove(waiting)
        else:
            self.end(waiting, 0.0)
