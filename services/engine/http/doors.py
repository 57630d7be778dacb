"""What is held open: streams and long polls, which are asked to end when the house closes."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from services.engine.http.problems import ProblemError


class Doors:
    """The requests that wait for something to happen."""

    def __init__(self, streams_per_client: int) -> None:
        self._most = streams_per_client
        self._held: set[asyncio.Task[object]] = set()
        self._streams: Counter[str] = Counter()
        self.closing = False

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._streams.total()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold a request open; when the house closes, what is inside is cut short and what comes after it goes on."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("only a task can be held open")
        self._held.add(task)
        if self.closing:
            task.cancel()
        try:
            yield
        except asyncio.CancelledError:
            if not self.closing:
                raise
            while task.uncancel():
                pass
        finally:
            self._held.discard(task)

    @contextmanager
    def stream(self, client: str) -> Iterator[None]:
        """Count a client's stream. Raises `ProblemError` `too_many_requests` where it has too many."""
        if self._most and self._streams[client] >= self._most:
            detail = f"a client may hold {self._most} streams"
            raise ProblemError("too_many_requests", detail, headers={"Retry-After": "5"})
        self._streams[client] += 1
        try:
            yield
        finally:
            self._streams[client] -= 1
            if not self._streams[client]:
                del self._streams[client]

    async def close(self, patience: float) -> None:
        """Ask everything that is held open to end, and wait for it, but not for ever.

        More than once: before Python 3.12 `asyncio.wait_for`, which commands to Redis pass, can lose a cancellation.
        """
        self.closing = True
        until = asyncio.get_running_loop().time() + patience
        while self._held and asyncio.get_running_loop().time() < until:
            for task in self._held:
                task.cancel()
            await asyncio.sleep(0.1)
