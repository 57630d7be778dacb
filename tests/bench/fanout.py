"""Measures the delay with which a thousand listeners of one table receive a move."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from time import time

from locanda.client import EngineClient
from tests.bench.report import Fanout
from tests.bench.servers import OTHERS, Server, pin, seconds_used
from tests.bench.tables import ready
from tests.redis_server import RedisServer

LISTENERS = 1000
EVENTS = 30
PAUSE = 0.1
"""Seconds between the moment when all listeners have received a move and the next move."""


async def fanout(engine: Server, redis: RedisServer, game: str, seats: int) -> Fanout:
    """Play at a table with many listeners, and return the delays of the moves."""
    async with EngineClient.connect(engine.url) as client:
        (table,) = await ready(client, redis.url, game, seats, 1, EVENTS)
        version = (await client.table(table.id)).version
    listening = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.bench.streams", str(engine.port), table.id, str(LISTENERS), str(version)),
        stdin=PIPE,
        stdout=PIPE,
    )
    pin(listening.pid, OTHERS)
    assert listening.stdin
    assert listening.stdout
    assert await listening.stdout.readline() == b"ready\n"
    before, middle, last = seconds_used(engine.pid), [], []
    for number, move in enumerate(table.moves, 1):
        began = time()
        await _send(engine, move)
        listening.stdin.write(b"%d\n" % (version + number))
        times = (await listening.stdout.readline()).split()
        middle.append(float(times[0]) - began)
        last.append(float(times[1]) - began)
        await asyncio.sleep(PAUSE)
    used = seconds_used(engine.pid) - before
    listening.kill()
    await listening.wait()
    return Fanout(
        LISTENERS,
        _median(middle) * 1000,
        _median(last) * 1000,
        max(last) * 1000,
        used / len(table.moves) / LISTENERS * 1e6,
    )


async def _send(engine: Server, request: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", engine.port)
    writer.write(request)
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
