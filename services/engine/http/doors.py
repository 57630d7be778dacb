"""What is held open: streams and long polls, which are asked to end when the house closes."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from services.engine.http.policies import Policy

STREAM_PAUSE = 5
"""Seconds after which a client with too many streams may try again; nobody knows when one of them will end."""


class Doors:
    """The requests that wait for something to happen."""

    def __init__(self, streams_per_client: int) -> None:
        self._policy = Policy("streams", streams_per_client, "hold {quota} streams")
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
    def stream(self, client: str) -> Iterator[dict[str, str]]:
        """Count a client's stream, and yield the headers that tell how many it may still open.

        Raises `ProblemError` `too_many_requests` where it has too many. By hand: `limits` counts what happens, and not
        what lasts.
        """
        quota = self._policy.quota
        if quota and self._streams[client] >= quota:
            raise self._policy.exceeded(STREAM_PAUSE)
        self._streams[client] += 1
        try:
            yield self._policy.told(quota - self._streams[client]) if quota else {}
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
