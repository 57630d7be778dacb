"""Many listeners of one table in one process: `python -m tests.bench.streams <port> <table> <listeners> <version>`.

It prints `ready` once all listeners have the table at that version. Each line of its input is a version. It then waits
until every listener has received that event, and prints the times of the median and of the last listener.
"""

import asyncio
import sys
from collections.abc import Callable
from time import time
from typing import cast

import uvloop

FRAME = b"\nevent: "


class Listener(asyncio.Protocol):
    """A stream that reports each event."""

    def __init__(self, note: Callable[[int], None], request: bytes) -> None:
        """`note` is called with the version of each event."""
        self._note = note
        self._request = request
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request for the events."""
        cast("asyncio.WriteTransport", transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        """Find the beginning of each event, `id: <version>`."""
        self._buffer += data
        while (end := self._buffer.find(FRAME)) >= 0:
            version = int(self._buffer[self._buffer.rfind(b"id: ", 0, end) + 4 : end])
            self._buffer = self._buffer[end + len(FRAME) :]
            self._note(version)
        # The rest can only be the beginning of the next event.
        self._buffer = self._buffer[-64:]


class ArrivalTimes:
    """The time at which each version reached each listener."""

    def __init__(self, listeners: int) -> None:
        self._listeners = listeners
        self._times: dict[int, list[float]] = {}
        self._arrived = asyncio.Event()

    def note(self, version: int) -> None:
        """Record that a listener has received an event."""
        times = self._times.setdefault(version, [])
        times.append(time())
        if len(times) == self._listeners:
            self._arrived.set()

    async def by_all(self, version: int) -> list[float]:
        """Return the times at which the listeners received an event, once all have received it."""
        while len(self._times.get(version, ())) < self._listeners:
            self._arrived.clear()
            await self._arrived.wait()
        return sorted(self._times[version])


async def listen(port: int, table: str, listeners: int, version: int) -> None:
    """Connect the listeners, then print the delays of each event that is requested on standard input."""
    loop, arrivals = asyncio.get_running_loop(), ArrivalTimes(listeners)
    request = f"GET /v1/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()
    for _ in range(listeners):
        await loop.create_connection(lambda: Listener(arrivals.note, request), "127.0.0.1", port)
    await arrivals.by_all(version)
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        times = await arrivals.by_all(int(line))
        print(times[len(times) // 2], times[-1], flush=True)


if __name__ == "__main__":
    uvloop.run(listen(int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])))
