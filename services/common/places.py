"""Limits simultaneous work: tasks wait for a free place, in the fair order of `FairQueue`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

from services.common.fair_queue import Asker, Bounds, FairQueue, Target, Waiting

Place = Waiting["asyncio.Future[None]"]


class NoPlaceError(Exception):
    """No place became free in time, or too many tasks are waiting."""


class Places:
    """Places for simultaneous work, given out fairly."""

    def __init__(self, bounds: Bounds) -> None:
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(bounds)

    def __len__(self) -> int:
        """Return the number of waiting and running pieces of work."""
        return len(self._queue) + self._queue.under_way

    async def begin(self, asker: Asker, target: Target = None, rank: int = 0, patience: float = inf) -> Place:
        """Wait for a place, and return it; `end` frees it. Raises `NoPlaceError` after `patience` seconds."""
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
        """Free a place, and charge the cost of its work to its asker."""
        self._queue.end(place, cost)
        self._begin_next()

    @asynccontextmanager
    async def place(
        self, asker: Asker, target: Target = None, rank: int = 0, patience: float = inf
    ) -> AsyncIterator[None]:
        """Occupy a place while the context lasts; that time is the cost. Raises `NoPlaceError`."""
        place = await self.begin(asker, target, rank, patience)
        time = asyncio.get_running_loop().time
        began = time()
        try:
            yield
        finally:
            self.end(place, time() - began)

    def _begin_next(self) -> None:
        while (waiting := self._queue.take()) is not None:
            if waiting.work.done():  # the task was just cancelled, so `begin` will free this place
                continue
            waiting.work.set_result(None)

    def _give_up(self, waiting: Place) -> None:
        """Remove work whose task has stopped waiting. If the work has just got a place, free that place."""
        if waiting in self._queue:
            self._queue.remove(waiting)
        else:
            self.end(waiting, 0.0)
