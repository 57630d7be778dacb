"""Sends prepared requests as fast as the server answers them, or at a steady rate: `python -m tests.bench.load < plan`.

It runs in a separate process and does as little as possible for each request, so that the figures measure the server.
"""

import asyncio
import itertools
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

import msgspec
import uvloop
from msgspec import Struct

WARM_UP = 0.5
"""Seconds before requests count."""


class Plan(Struct, array_like=True):
    """The requests to send. Each lane is a connection that sends its requests one after the other."""

    port: int
    lanes: list[list[bytes]]
    seconds: float
    again: bool = False
    """Whether a lane starts again after its last request."""
    rate: float | None = None
    """Requests per second of all lanes together. None means as fast as they are answered."""


class Outcome(Struct):
    """The results of a plan."""

    answers: int
    served: int
    """The number of all responses, including those of the warm-up."""
    seconds: float
    p50: float
    """Median of the milliseconds from a request's due time to its response."""
    p99: float
    """99th percentile of the milliseconds from a request's due time to its response."""
    failures: int
    exhausted: bool = False
    """Whether the requests ran out before the time was up."""

    @property
    def rate(self) -> float:
        """The number of responses per second."""
        return self.answers / self.seconds


class Lane(asyncio.Protocol):
    """A connection with one request at a time."""

    def __init__(self, requests: Iterator[bytes], pause: float | None, tally: "Tally") -> None:
        self._requests = requests
        self._pause = pause
        self._tally = tally
        self._buffer = b""
        self._due = 0.0
        self._transport: asyncio.WriteTransport | None = None

    def start(self, transport: asyncio.WriteTransport, at: float) -> None:
        """Send the first request."""
        self._transport, self._due = transport, at
        asyncio.get_running_loop().call_later(max(0.0, at - perf_counter()), self._send)

    def data_received(self, data: bytes) -> None:
        """Record each complete response, and send the next request."""
        data = self._buffer + data if self._buffer else data
        head = data.find(b"\r\n\r\n")
        if head < 0 or len(data) < head + 4 + _length(data, head):
            self._buffer = data
            return
        self._buffer = b""
        self._tally.note(perf_counter() - self._due, failed=data[9:10] != b"2")
        self._next()

    def _next(self) -> None:
        now = perf_counter()
        if self._pause is None:
            self._due = now
            self._send()
            return
        # Late answers do not postpone the next request's due time, so waiting in the queue is counted.
        self._due += self._pause
        if self._due <= now:
            self._send()
        else:
            asyncio.get_running_loop().call_later(self._due - now, self._send)

    def _send(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._tally.exhausted.set()
        elif self._transport is not None and not self._tally.done:
            self._transport.write(request)


class Tally:
    """The results of all lanes."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.served = 0
        self.failures = 0
        self.exhausted = asyncio.Event()
        self.done = False

    def note(self, seconds: float, *, failed: bool) -> None:
        """Record a response."""
        self.times.append(seconds)
        self.served += 1
        self.failures += failed

    def begin(self) -> None:
        """Reset the results."""
        self.times.clear()
        self.failures = 0

    def outcome(self, seconds: float) -> Outcome:
        """Return the results since the last reset."""
        self.done = True
        times = sorted(self.times) or [float("nan")]
        p50, p99 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.99))
        return Outcome(len(self.times), self.served, seconds, p50, p99, self.failures, self.exhausted.is_set())


def _length(data: bytes, head: int) -> int:
    at = data.index(b"Content-Length: ", 0, head) + 16
    return int(data[at : data.index(b"\r\n", at)])


async def send(plan: Plan) -> Outcome:
    """Carry out a plan, and return the results."""
    loop, tally = asyncio.get_running_loop(), Tally()
    pause = len(plan.lanes) / plan.rate if plan.rate else None
    pairs = []
    for requests in plan.lanes:
        lane = Lane(itertools.cycle(requests) if plan.again else iter(requests), pause, tally)
        transport, _ = await loop.create_connection(lambda lane=lane: lane, "127.0.0.1", plan.port)  # type: ignore[misc]
        pairs.append((lane, transport))
    began = perf_counter()
    for number, (lane, transport) in enumerate(pairs):
        lane.start(transport, began + (pause or 0.0) * number / len(pairs))
    await asyncio.sleep(WARM_UP)
    tally.begin()
    began = perf_counter()
    with suppress(TimeoutError):
        async with asyncio.timeout(plan.seconds):
            await tally.exhausted.wait()
    return tally.outcome(perf_counter() - began)


def main() -> None:
    """Read a plan, carry it out, and print the results."""
    plan = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Plan)
    print(msgspec.json.encode(uvloop.run(send(plan))).decode())


if __name__ == "__main__":
    main()
