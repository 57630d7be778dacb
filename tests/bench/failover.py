"""Measures over HTTP for how long no move is possible after the primary of a table is killed.

    python -m tests.bench.failover [SECONDS]

It prints the seconds from the kill to the next confirmed move for sentinels with one and two replicas, for a cluster of
three shards with one and two replicas each, and for `ENGINE_REPLICAS` 0 and 1. If no move is confirmed within SECONDS
(default 40), the killed primary is started, and the time is measured from that moment. All processes run on this
machine.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

from locanda.client import EngineClient
from locanda.client.transport import RetryPolicy
from locanda.errors import UnavailableError
from services.engine.store import keys
from tests.e2e.processes import ForkedEngine, running
from tests.e2e.test_exactly_once import Group
from tests.redis_cluster import running_cluster
from tests.redis_sentinels import watched_redis
from tests.redis_server import RedisServer

SECONDS = 40.0
ONE_TRY = RetryPolicy(budget=0.0)
Servers = Callable[[Path, int], AbstractContextManager[tuple[str, Callable[[str], RedisServer]]]]
"""A function that runs servers with a number of replicas per primary. It yields their URL, and a function that returns
the primary of a key.
"""


@contextmanager
def sentinels(directory: Path, replicas: int) -> Iterator[tuple[str, Callable[[str], RedisServer]]]:
    """Run one primary that three sentinels monitor."""
    with watched_redis(directory, replicas) as watched:
        yield watched.url, lambda _: watched.primary


@contextmanager
def shards(directory: Path, replicas: int) -> Iterator[tuple[str, Callable[[str], RedisServer]]]:
    """Run a cluster of three primaries."""
    with running_cluster(directory, replicas) as cluster:
        yield cluster.url, cluster.primary_of


KINDS: dict[str, Servers] = {"three sentinels": sentinels, "cluster of three shards": shards}


async def seconds_until_confirmed(
    act: Callable[[], None], move: Callable[[], Awaitable[object]], limit: float
) -> float | None:
    """Call `act`, then repeat a move with the same key. Return the seconds until the move was confirmed."""
    began = time.monotonic()
    await asyncio.to_thread(act)
    while time.monotonic() - began < limit:
        with suppress(UnavailableError):
            await move()
            return time.monotonic() - began
        await asyncio.sleep(0.02)
    return None


async def next_move(engine: EngineClient, group: Group) -> Callable[[], Awaitable[object]]:
    """Return a function that makes the first legal move at a table, with the same key at each attempt."""
    for token in group.tokens:
        if moves := (await engine.table(group.table, token)).moves:
            return partial(engine.play, group.table, token, moves[0], key=str(uuid4()))
    raise LookupError(group.table)


async def measured(servers: Servers, replicas: int, confirmed_by: int, limit: float) -> str:
    """Kill a primary, and return as text after how many seconds its table could be played again."""
    with tempfile.TemporaryDirectory() as directory, servers(Path(directory), replicas) as (url, primary_of):
        process = ForkedEngine(Path(directory) / "engine.log", url, ENGINE_REPLICAS=str(confirmed_by))
        async with running(process), EngineClient.connect(process.url, retry=ONE_TRY) as engine:
            group = await Group.sit(engine)
            await (await next_move(engine, group))()
            move = await next_move(engine, group)
            primary = await asyncio.to_thread(primary_of, keys.of(group.table).state)
            if (seconds := await seconds_until_confirmed(primary.kill, move, limit)) is not None:
                return f"{seconds:.1f}"
            back = await seconds_until_confirmed(primary.start, move, limit)
            return f"none in {limit:.0f}; {back:.1f} after its start" if back else "none"


async def main(limit: float) -> None:
    """Print a line for each installation."""
    print("| | `ENGINE_REPLICAS=0` | `ENGINE_REPLICAS=1` |\n| --- | ---: | ---: |")
    for kind, servers in KINDS.items():
        for replicas in (1, 2):
            seconds = [await measured(servers, replicas, confirmed_by, limit) for confirmed_by in (0, 1)]
            print(f"| {kind}, replicas: {replicas} | {seconds[0]} | {seconds[1]} |", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*([float(word) for word in sys.argv[1:]] or [SECONDS])))
