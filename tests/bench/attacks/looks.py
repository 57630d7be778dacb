"""Measures other clients during an attack: reads of a table from many addresses, on persistent connections."""

import asyncio
import time
from itertools import count

from msgspec import Struct

from tests.bench.servers import Server

ADDRESSES = 250
"""A number of addresses that is large enough that none of them comes near a rate limit."""


class Looks(Struct, frozen=True):
    """Durations and failures of the reads."""

    a_second: float
    p95: float
    """Milliseconds."""
    p99: float

    def __str__(self) -> str:
        return f"{self.a_second:.0f} looks a second, p95 {self.p95:.1f} ms, p99 {self.p99:.1f} ms"


async def looks(engine: Server, path: str, seconds: float, *, connections: int = 4, rest: float = 0.0) -> Looks:
    """Read a path repeatedly on several connections, with a pause after each response."""
    requests = [
        f"GET {path} HTTP/1.1\r\nHost: engine\r\nX-Forwarded-For: 198.18.0.{number}\r\n\r\n".encode()
        for number in range(ADDRESSES)
    ]
    numbers, times, until = count(), list[float](), time.monotonic() + seconds

    async def look() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", engine.port)
        while time.monotonic() < until:
            began = time.monotonic()
            writer.write(requests[next(numbers) % ADDRESSES])
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if not head.startswith(b"http/1.1 200"):
                raise RuntimeError(head.decode())
            await reader.readexactly(int(head.partition(b"content-length:")[2].split(b"\r\n")[0]))
            times.append(time.monotonic() - began)
            if rest:
                await asyncio.sleep(rest)
        writer.close()

    await asyncio.gather(*(look() for _ in range(connections)))
    ordered = sorted(times)
    p95, p99 = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000 for part in (0.95, 0.99))
    return Looks(len(ordered) / seconds, p95, p99)
