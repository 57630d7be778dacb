"""Open streams and long polls: counted by client, and ended when the engine shuts down.

A client at its limit that opens another stream loses its oldest, which may have no reader any more.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.common.processes import CANCEL_AGAIN_AFTER
from services.engine.http.server.limits import LimitPolicy

RETRY_STREAM = 5
"""Seconds after which a client with too many streams may try again; when one of them ends is not known."""
LEAST_SECONDS = 30.0
"""How long a stream lasts at least, however many its client opens: longer than a long poll."""


class ConnectionTracker:
    """The requests that are waiting for an event."""

    def __init__(self, streams_per_client: int) -> None:
        self.streams_per_client = streams_per_client
        """How many a client may hold; 0 for no limit."""
        self._policy = LimitPolicy("streams", streams_per_client, "hold {quota} streams")
        self._held: set[asyncio.Task[object]] = set()
        self._streams: dict[str, dict[asyncio.Task[object], float]] = {}
        """Each client's streams with their start times, oldest first."""
        self._ended: set[asyncio.Task[object]] = set()
        """Streams that ended because their client opened a newer one."""
        self.closing = False

    @property
    def streams(self) -> int:
        """How many streams and long polls are open."""
        return sum(len(streams) for streams in self._streams.values())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the tracker cancel the enclosed code; the code after it then runs as if it had ended normally."""
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
        """Count a client's stream or long poll; yield the headers with the number that it may still open.

        If the client has too many, its oldest one ends. Raises `ProblemError` `too_many_requests` if that is too young.
        The package `limits` counts events in a time window, not what is open at the same time.
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
        """End the streams and long polls of some clients."""
        for client in filter(ends, list(self._streams)):
            for task in list(self._streams[client]):
                self._ended.add(task)
                self._cancel(task)

    def _end_oldest(self, client: str) -> bool:
        """End a client's oldest stream; return false if that is too young."""
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
        """Cancel a stream's task again and again until it ends."""
        if task in self._held and task in self._ended:
            task.cancel()
            asyncio.get_running_loop().call_later(CANCEL_AGAIN_AFTER, self._cancel, task)

    def _forget(self, client: str, task: "asyncio.Task[object]") -> None:
        streams = self._streams.get(client, {})
        streams.pop(task, None)
        if not streams:
            self._streams.pop(client, None)

    async def close(self, timeout: float) -> None:  # noqa: ASYNC109  (connections still open then are left alone)
        """Cancel all streams and long polls, and wait up to `timeout` seconds for their end."""
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
