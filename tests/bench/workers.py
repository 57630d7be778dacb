"""Measures the processor time of a move in the engines and in Redis, for different numbers of ENGINE_WORKERS.

    python -m tests.bench.workers [SECONDS] [WORKERS…]

It measures processor time, not elapsed time, so the figures hold on a shared machine, even with fewer cores than
workers. If a move costs the same with any number of engines, N engines on N cores can accept N times as many moves,
until the core of Redis is full.
"""

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from redis import Redis

from tests.deploy.live import matches
from tests.e2e.processes import EngineProcess, running
from tests.redis_server import RedisServer, running_redis

SECONDS = 20
WORKERS = (1, 2, 4)
TABLES = 16
TICKS = 100
"""Clock ticks per second in /proc/PID/stat (USER_HZ)."""


def seconds_of(pid: int) -> float:
    """Return the processor time of a process and of its running children."""
    total = 0.0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # the process has just ended
            continue
        if pid in (int(file.parent.name), int(fields[1])):
            total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def redis_seconds(server: RedisServer) -> float:
    """Return the processor time of Redis."""
    with Redis.from_url(server.url) as client:
        cpu = client.info("cpu")
    return float(cpu["used_cpu_user"]) + float(cpu["used_cpu_sys"])


async def measured(server: RedisServer, folder: Path, workers: int, seconds: int) -> str:
    """Play at tables with three listeners each, and return a row of the table."""
    engine = EngineProcess(
        folder / "engine.log",
        server.url,
        ENGINE_WORKERS=str(workers),
        ENGINE_TABLES_PER_MINUTE="0",
        ENGINE_CLIENT_MB="0",
        ENGINE_SEATS_PER_MINUTE="0",
    )
    async with running(engine):
        engines, redis = seconds_of(engine.pid), redis_seconds(server)
        began = time.monotonic()
        played = matches.Matches(engine.url, TABLES)
        await asyncio.sleep(seconds)
        tally = await played.stop()
        lasted = time.monotonic() - began
        engines, redis = seconds_of(engine.pid) - engines, redis_seconds(server) - redis
    moves = tally.confirmed
    return (
        f"| {workers} | {moves:,} | {moves / lasted:.0f} | {1e6 * engines / moves:.0f} | {1e6 * redis / moves:.0f} "
        f"| {moves / redis:,.0f} |"
    )


async def main() -> None:
    """Print a row for each number of workers."""
    matches.PAUSE = 0.0
    seconds, *workers = [int(word) for word in sys.argv[1:]] or [SECONDS]
    print(
        "| workers | moves | a second here | µs of engines a move | µs of Redis a move | moves that fill Redis' core |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    with TemporaryDirectory() as folder, running_redis(Path(folder)) as server:
        for number in workers or WORKERS:
            print(await measured(server, Path(folder), int(number), seconds), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
