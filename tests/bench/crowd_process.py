"""A crowd in a separate process: `python -m tests.bench.crowd_process <engine's port> <Redis URL> <game> <seats>`.

Several of them, each with its own engine, can hold more listeners than one process may have open files. A process reads
orders as lines of JSON, and answers each with a line once it is done.
"""

import asyncio
import gc
import sys
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack
from typing import Literal, TypeAlias

import msgspec
import uvloop
from msgspec import Struct

from locanda.client import EngineClient
from tests.bench.crowd import Crowd, Played
from tests.bench.servers import OTHERS, Server, pin, seconds_used
from tests.bench.tables import Ready, ready

MOVES = 60
"""The maximum number of moves of a match."""
LONGEST_LINE = 1 << 24


What: TypeAlias = Literal["open", "listen", "play", "settle"]


class Order(Struct, frozen=True):
    """An order to a crowd: open tables, listen at them, play for some seconds, or settle."""

    what: What
    amount: float = 0


class CrowdProcess:
    """The handle of a crowd's process, for the process that gives the orders."""

    def __init__(self, engine: Server, process: asyncio.subprocess.Process) -> None:
        self.engine = engine
        self._process = process

    @property
    def used(self) -> float:
        """The processor time that the process has used so far, in seconds."""
        return seconds_used(self._process.pid)

    async def order(self, what: What, amount: float = 0) -> Played:
        """Send an order and wait until it is carried out. For `settle`, return the crowd's observations."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(msgspec.json.encode(Order(what, amount)) + b"\n")
        return msgspec.json.decode(await self._process.stdout.readline(), type=Played)


async def start(stack: AsyncExitStack, engine: Server, redis_url: str, game: str, seats: int) -> CrowdProcess:
    """Start a crowd for an engine, on the core of the load. Stop it when the exit stack closes."""
    arguments = ("-m", "tests.bench.crowd_process", str(engine.port), redis_url, game, str(seats))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE
    )
    stack.push_async_callback(process.wait)
    stack.callback(process.kill)
    pin(process.pid, OTHERS)
    return CrowdProcess(engine, process)


async def _obey(port: int, redis_url: str, game: str, seats: int) -> None:
    crowd, opened, seen = Crowd(port), list[Ready](), Played()
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = msgspec.json.decode(line, type=Order)
        if order.what == "open":
            async with EngineClient.connect(f"http://127.0.0.1:{port}") as client:
                opened = await ready(client, redis_url, game, seats, int(order.amount), MOVES)
        elif order.what == "listen":
            await crowd.add(opened)
            gc.collect()
            gc.freeze()  # so that the load's garbage collection does not distort the figures
        elif order.what == "play":
            seen = await crowd.play(order.amount)
        else:
            await crowd.settle()
        print(msgspec.json.encode(seen if order.what == "settle" else Played()).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(_obey(int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))
