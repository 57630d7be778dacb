"""Open streams and long polls: limited per client, and ended when the engine shuts down.

If a client at its limit opens another stream, its oldest stream ends, since probably nobody reads that any more.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.common.processes import CANCEL_AGAIN_AFTER
from services.engine.http.server.limits import LimitPolicy

RETRY_STREAM = 5
"""`Retry-After` for a client with too many streams. The real time is unknown."""
LEAST_SECONDS = 30.0
"""Minimum lifetime of a stream in seconds, even if its client opens more. It is longer than a long poll."""


class ConnectionTracker:
    """The requests that are waiting for an event."""

    def __init__(self, streams_per_client: int) -> None:
        self.streams_per_client = streams_per_client
        """Maximum number of streams and long polls per client; 0 for no limit."""
        self._policy = LimitPolicy("streams", streams_per_client, "hold {quota} streams")
        self._held: set[asyncio.Task[object]] = set()
        self._streams: dict[str, dict[asyncio.Task[object], float]] = {}
        """Start times of each client's streams, oldest first."""
        self._ended: set[asyncio.Task[object]] = set()
        """Streams that ended because the client opened a newer one, or was banned."""
        self.closing = False

    @property
    def streams(self) -> int:
        """Number of open streams and long polls."""
        return sum(len(streams) for streams in self._streams.values())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Allow the tracker to cancel the enclosed code. Code after it then runs as if the block had ended normally."""
        task = _current_task()
        self._held.add(task)
        if self.closing:
            task.cancel()
        try:
            yield
        except asyncio.CancelledError:
            if not self.closing and task not in self._ended:
                raise
            while task.uncancel():
                pass
        finally:
            self._held.discard(task)

    @contextmanager
    def stream(self, client: str) -> Iterator[dict[str, str]]:
        """Count a stream or long poll of a client. Yields the rate limit headers.

        If the client is at its limit, its oldest stream ends. Raises `ProblemError` `too_many_requests` if that stream
        is too young to end. The package `limits` cannot do this: it counts events in a time window, not simultaneous
        streams.
        """
        quota, task = self._policy.quota, _current_task()
        if quota and len(self._streams.get(client, {})) >= quota and not self._end_oldest(client):
            raise self._policy.exceeded(RETRY_STREAM)
        streams = self._streams.setdefault(client, {})
        streams[task] = asyncio.get_running_loop().time()
        try:
            yield self._policy.headers(quota - len(streams)) if quota else {}
        finally:
            self._ended.discard(task)
            self._forget(client, task)

    def end_where(self, ends: Callable[[str], bool]) -> None:
        """End the streams and long polls of the clients for which `ends` is true."""
        for client in filter(ends, list(self._streams)):
            for task in list(self._streams[client]):
                self._ended.add(task)
                self._cancel(task)

    def _end_oldest(self, client: str) -> bool:
        """End a client's oldest stream. Returns false if it is too young."""
        now = asyncio.get_running_loop().time()
        for task, began in self._streams[client].items():
            if now - began < LEAST_SECONDS:
                return False
            if task in self._held:
                self._forget(client, task)
                self._ended.add(task)
                self._cancel(task)
                return True
        return False

    def _cancel(self, task: "asyncio.Task[object]") -> None:
        """Cancel a stream's task. The cancellation is repeated until the task ends."""
        if task in self._held and task in self._ended:
            task.cancel()
            asyncio.get_running_loop().call_later(CANCEL_AGAIN_AFTER, self._cancel, task)

    def _forget(self, client: str, task: "asyncio.Task[object]") -> None:
        streams = self._streams.get(client, {})
        streams.pop(task, None)
        if not streams:
            self._streams.pop(client, None)

    async def close(self, timeout: float) -> None:  # noqa: ASYNC109  (after it, open connections are left alone)
        """Cancel all streams and long polls. Wait up to `timeout` seconds until they have ended."""
        self.closing = True
        until = asyncio.get_running_loop().time() + timeout
        while self._held and asyncio.get_running_loop().time() < until:
            for task in self._held:
                task.cancel()
            await asyncio.sleep(CANCEL_AGAIN_AFTER)


def _current_task() -> "asyncio.Task[object]":
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("only a task can be held open")
    return task
