"""The open streams and long polls: they are counted by client, and ended when the engine shuts down."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from services.engine.http.server.limits import LimitPolicy

RETRY_STREAM = 5
"""Seconds after which a client with too many streams may try again; when one of them ends is not known."""


class ConnectionTracker:
    """The requests that wait for something to happen."""

    def __init__(self, streams_per_client: int) -> None:
        self._policy = LimitPolicy("streams", streams_per_client, "hold {quota} streams")
        self._held: set[asyncio.Task[object]] = set()
        self._streams: Counter[str] = Counter()
        self.closing = False

    @property
    def streams(self) -> int:
        """How many streams and long polls are open."""
        return self._streams.total()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let `close` cancel what is inside; the code after it then runs on as if it had ended by itself."""
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
        """Count a client's stream or long poll, and yield the headers with the number that it may still open.

        Raises `ProblemError` `too_many_requests` where it has too many. The package `limits` counts events in a
        window of time, and not what lasts.
        """
        quota = self._policy.quota
        if quota and self._streams[client] >= quota:
            raise self._policy.exceeded(RETRY_STREAM)
        self._streams[client] += 1
        try:
            yield self._policy.headers(quota - self._streams[client]) if quota else {}
        finally:
            self._streams[client] -= 1
            if not self._streams[client]:
                del self._streams[client]

    async def close(self, timeout: float) -> None:  # noqa: ASYNC109  (what is still open then is left alone)
        """Cancel everything that is held open, and wait up to `timeout` seconds for it to end.

        It cancels more than once: before Python 3.12 `asyncio.wait_for`, through which commands to Redis pass, can lose
        a cancellation.
        """
        self.closing = True
        until = asyncio.get_running_loop().time() + timeout
        while self._held and asyncio.get_running_loop().time() < until:
            for task in self._held:
                task.cancel()
            await asyncio.sleep(0.1)
