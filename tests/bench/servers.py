"""Server processes, the core that each runs on, and the load on them."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.bench.load import Outcome, Plan
from tests.bench.report import Rate
from tests.e2e.processes import ready
from tests.redis_server import free_port

SERVER = 0
OTHERS = 1
CORES = frozenset(os.sched_getaffinity(0))
"""The cores that this process and its children may use, read before any process is bound to one core."""
TICKS = os.sysconf("SC_CLK_TCK")


def pin(pid: int, core: int) -> None:
    """Bind a process to one core. Does nothing if this machine has fewer cores."""
    if core in CORES:
        os.sched_setaffinity(pid, {core})


def seconds_used(pid: int) -> float:
    """Return the processor time of a process so far, in user and kernel mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Server(Struct, frozen=True):
    """A process that serves on a port."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """The server's URL."""
        return f"http://127.0.0.1:{self.port}"


async def serve(stack: AsyncExitStack, module: str, *arguments: str, core: int = SERVER, **environment: str) -> Server:
    """Start a server on a core, and stop it when the exit stack closes. The environment contains its port."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", module, *arguments),
        env=os.environ | environment | {"ENGINE_PORT": str(port)},
        stderr=DEVNULL,
    )
    stack.push_async_callback(process.wait)
    stack.callback(process.kill)
    pin(process.pid, core)
    server = Server(port, process.pid)
    await ready(server.url)
    return server


async def load(
    server: Server, lanes: list[list[bytes]], seconds: float, *, again: bool, rate: float | None = None
) -> Rate:
    """Load a server with prepared requests from a second process, and return the server's figures."""
    return await carry_out(server, "tests.bench.load", Plan(server.port, lanes, seconds, again, rate))


async def carry_out(server: Server, module: str, plan: Struct) -> Rate:
    """Load a server by a plan, carried out by a module in a second process, and return the server's figures."""
    before = seconds_used(server.pid)
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", module, stdin=PIPE, stdout=PIPE)
    pin(process.pid, OTHERS)
    output, _ = await process.communicate(msgspec.msgpack.encode(plan))
    outcome = msgspec.json.decode(output, type=Outcome)
    if outcome.failures:
        raise RuntimeError(f"{outcome.failures} of {outcome.answers} requests failed")
    used = (seconds_used(server.pid) - before) / outcome.served
    return Rate(outcome.rate, used * 1e6, outcome.p50, outcome.p99)
