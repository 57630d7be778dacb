"""The number of tables in play that one engine can serve: `python -m tests.bench.capacity [--seats 4 2] [--step 4000]`.

Every table makes a move in five seconds, and each of its players listens to an event stream. Tables are added until the
time from a move to its last listener exceeds 100 ms at p99. The engine has a core of its own; Redis and the load share
another. Other work on these cores is measured too, and reported with the figures in docs/benchmarks.md.

Each listener is an open file. If one process may not have enough of them, `--engines` shares the engine's core among
several engines, each with its own tables, listeners and load process. Together they do the work of one engine with more
open files, and somewhat more, because fewer events are handled in each iteration of a loop.
"""

import asyncio
import resource
import tempfile
from argparse import ArgumentParser
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from os import getpid
from pathlib import Path
from time import perf_counter

import uvloop
from msgspec import Struct
from redis import Redis

from locanda.client import EngineClient
from tests.bench import crowd_process
from tests.bench.crowd import PERIOD, Played
from tests.bench.crowd_process import MOVES, CrowdProcess, What
from tests.bench.report import write_into_page
from tests.bench.servers import OTHERS, SERVER, TICKS, Server, load, pin, seconds_used, serve
from tests.bench.service import OPEN_TO_ALL
from tests.bench.tables import ready
from tests.redis_server import RedisServer, running_redis

GAME = "gatto_rosso"
LATE = 100.0
"""The limit at p99, in milliseconds, of the time from a move to its last listener."""
WARM_UP, COUNTED = PERIOD, 2 * PERIOD
"""Seconds of each stage: before counting starts, and while it counts."""
FULL, NOISE = 0.95, 0.05
"""Shares of a core: the share that counts as full, and the share of unrelated work that is worth reporting."""
BARE_TABLES, BARE_RATE, LANES = 128, 200.0, 64
"""Number of tables, moves per second, and connections for measuring the engine without listeners."""
SPARE_FILES = 500
"""Open files other than the listeners'."""
MARKS = ("<!-- capacity -->", "<!-- end of capacity -->")


class Shares(Struct, frozen=True):
    """Processor time used so far, in seconds."""

    at: float
    engine: float
    load: float
    redis: float
    engine_core: float
    """All processes on the core of the engine."""
    other_core: float


class Stage(Struct, frozen=True):
    """The measurements with a number of tables in play."""

    tables: int
    listeners: int
    moves: float
    """Moves per second that reached all listeners."""
    p50: float
    """Milliseconds from a move's due time to its last listener, at the median …"""
    p99: float
    """… and at the 99th percentile."""
    lag: float
    """Milliseconds of that time that the load needed to send the move, at p99."""
    engine: float
    """Share of its core that the engine used."""
    load: float
    redis: float
    foreign: tuple[float, float]
    """Shares of the engine's core and of the other core that unrelated processes took."""
    failures: int
    """Moves that were refused, or that had not reached all listeners when the next one was due."""


class Capacity(Struct):
    """The results."""

    stages: list[Stage]
    seats: int
    engines: int
    """Processes on the engine's core."""
    listener_bytes: float
    """Bytes of the engine's memory for each listener."""
    table_bytes: float
    """Bytes of the engine's memory for each table in play without listeners."""
    redis_bytes: float
    """Redis' memory for each table in play."""
    bare: float
    """Microseconds of the engine's core for a move without listeners, measured in the same minutes."""
    files: int
    """The limit of open files for a process."""


def core_seconds(core: int) -> float:
    """Return the processor time that a core has spent on all processes so far."""
    lines = Path("/proc/stat").read_text().splitlines()
    ticks = next(line for line in lines if line.startswith(f"cpu{core} ")).split()
    return (sum(map(int, ticks[1:9])) - int(ticks[4]) - int(ticks[5])) / TICKS


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


def memory_used(redis_url: str) -> int:
    """Return the bytes that Redis uses."""
    with Redis.from_url(redis_url) as redis:
        return int(redis.info("memory")["used_memory"])


def raise_file_limit() -> int:
    """Raise the limit of open files for this process and its children to the maximum; return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = int(Path("/proc/sys/fs/nr_open").read_text())
    for wanted in (most, hard):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
        except (OSError, ValueError):
            continue
        return wanted
    return hard


class Growth:
    """Engines on one core, with a growing number of tables."""

    def __init__(self, crowds: list[CrowdProcess], redis: RedisServer, seats: int) -> None:
        self._crowds = crowds
        self._redis = redis
        self._seats = seats
        self._tables = 0
        self._without_listeners = self._with_listeners = 0

    def _shares(self) -> Shares:
        engines = sum(seconds_used(crowd.engine.pid) for crowd in self._crowds)
        load = seconds_used(getpid()) + sum(crowd.used for crowd in self._crowds)
        redis = seconds_used(self._redis.pid)
        return Shares(perf_counter(), engines, load, redis, core_seconds(SERVER), core_seconds(OTHERS))

    def _resident(self) -> int:
        return sum(resident(crowd.engine.pid) for crowd in self._crowds)

    async def _order(self, what: What, amount: float = 0) -> Played:
        """Send an order to all crowds, and return their observations."""
        growths = await asyncio.gather(*(crowd.order(what, amount) for crowd in self._crowds))
        return Played(
            [late for seen in growths for late in seen.lateness],
            [lag for seen in growths for lag in seen.lag],
            sum(seen.missed for seen in growths),
            sum(seen.failures for seen in growths),
        )

    async def add(self, tables: int) -> None:
        """Open this number of tables for each engine, and connect listeners for all players."""
        before = self._resident()
        await self._order("open", tables)
        opened_at = self._resident()
        await self._order("listen")
        self._without_listeners += opened_at - before
        self._with_listeners += self._resident() - opened_at
        self._tables += tables * len(self._crowds)

    async def stage(self) -> Stage:
        """Play at all tables for a while, and return the measurements."""
        await self._order("play", WARM_UP)
        await self._order("settle")
        before = self._shares()
        await self._order("play", COUNTED)
        after = self._shares()
        seen = await self._order("settle")
        took = after.at - before.at
        engine, load, redis, mine, others = (
            (getattr(after, name) - getattr(before, name)) / took
            for name in ("engine", "load", "redis", "engine_core", "other_core")
        )
        lateness, lag = sorted(seen.lateness), sorted(seen.lag)
        p50, p99 = (lateness[int(len(lateness) * share)] * 1000 for share in (0.5, 0.99))
        foreign = max(0.0, mine - engine), max(0.0, others - load - redis)
        failures = seen.failures + seen.missed
        sent = lag[int(len(lag) * 0.99)] * 1000
        moves, listeners = len(lateness) / COUNTED, self._tables * self._seats
        return Stage(self._tables, listeners, moves, p50, p99, sent, engine, load, redis, foreign, failures)

    def memory(self) -> tuple[float, float]:
        """Return the engine's bytes for a listener, and for a table without listeners."""
        return self._with_listeners / (self._tables * self._seats), self._without_listeners / self._tables


async def bare_move(engine: Server, redis: RedisServer, seats: int) -> float:
    """Return the cost of a move without listeners, in microseconds of the engine's core."""
    async with EngineClient.connect(engine.url) as client:
        tables = await ready(client, redis.url, GAME, seats, BARE_TABLES, MOVES)
    moves = [[move for table in tables[lane::LANES] for move in table.moves] for lane in range(LANES)]
    return (await load(engine, moves, COUNTED, again=False, rate=BARE_RATE)).used


async def measure(seats: int, step: int, most: int, until: float, engines: int) -> Capacity:
    """Add tables until moves exceed the limit `until`, or the limit of open files is reached."""
    files = raise_file_limit()
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(running_redis(directory, "--appendonly", "no"))
        pin(redis.pid, OTHERS)
        pin(getpid(), OTHERS)
        settings = {"REDIS_URL": redis.url, "LOG_FORMAT": "json"}
        crowds: list[CrowdProcess] = []
        for _ in range(engines):
            engine = await serve(stack, "services.engine", core=SERVER, **settings, **OPEN_TO_ALL)
            crowds.append(await crowd_process.start(stack, engine, redis.url, GAME, seats))
        bare = await bare_move(crowds[0].engine, redis, seats)
        growth, stages = Growth(crowds, redis, seats), list[Stage]()
        empty, left = memory_used(redis.url), min(most // engines, files - SPARE_FILES) // seats
        while left and (not stages or _in_time(stages[-1], until)):
            added = min(left, step // engines // seats)
            left -= added
            await growth.add(added)
            stages.append(await growth.stage())
            print(_row(stages[-1]), flush=True)
        kept = memory_used(redis.url) - empty
        return Capacity(stages, seats, engines, *growth.memory(), kept / stages[-1].tables, bare, files)


def _in_time(stage: Stage, late: float = LATE) -> bool:
    return stage.p99 < late and not stage.failures


def _row(stage: Stage) -> str:
    return (
        f"| {stage.tables:,} | {stage.listeners:,} | {stage.moves:,.0f} | {stage.p50:.0f} | {stage.p99:.0f} "
        f"| {stage.lag:.0f} | {stage.engine:.0%} | {stage.load:.0%} | {stage.redis:.0%} "
        f"| {stage.foreign[0]:.0%}, {stage.foreign[1]:.0%} | {stage.failures} |"
    )


HEAD = (
    "| tables | listeners | moves a second | p50 ms | p99 ms | of it the load's | engine | load | Redis | others "
    "| not in time |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def as_markdown(run: Capacity) -> str:
    """Return the figures as Markdown."""
    good = [stage for stage in run.stages if _in_time(stage)]
    most, last = (good or run.stages)[-1], run.stages[-1]
    outcome = f"{most.tables:,} tables and {most.listeners:,} listeners stayed within {LATE:.0f} ms at p99"
    if not good:
        outcome = f"{run.stages[0].tables:,} tables already were late"
    bare = f"A move at which nobody listens cost the engine {run.bare:.0f} µs in the same minutes."
    memory = (
        f"A listener takes {run.listener_bytes / 1024:.0f} KiB of the engine's memory, a table in play "
        f"{run.table_bytes / 1024:.0f} KiB beside its listeners, and {run.redis_bytes / 1024:.1f} KiB of Redis'. "
        f"A process may have {run.files:,} open files here; each listener is one."
    )
    if run.engines > 1:
        memory += (
            f" So {run.engines} processes shared the engine's core, each with as many tables and all their listeners."
        )
    head = f"{run.seats} at a table, {datetime.now(UTC):%Y-%m-%d}: {outcome}. {_what_gives(last)} {bare}"
    return "\n".join((head, "", HEAD, *map(_row, run.stages), "", memory))


def _what_gives(last: Stage) -> str:
    """Return a sentence about the resource that limited the last stage."""
    cost = last.engine / last.moves
    full = PERIOD / cost
    cost_text = (
        f"A move with its listeners costs the engine {cost * 1e6:.0f} µs: its core is full at {full:,.0f} tables."
    )
    if _in_time(last):
        return f"Nothing gave way before the run ended. {cost_text}"
    if last.load + last.redis + last.foreign[1] > FULL and last.engine + last.foreign[0] < FULL:
        return f"The core of the load gave way, not the engine's. {cost_text}"
    if last.foreign[0] > NOISE:
        return f"The engine's core gave way, {last.foreign[0]:.0%} of it to other work of this machine. {cost_text}"
    return f"The engine's core gave way. {cost_text}"


def main() -> None:
    """Read the command line, measure, and write the figures into the page."""
    parser = ArgumentParser()
    parser.add_argument("--seats", type=int, nargs="+", default=[4, 2], help="people at a table; each is a run")
    parser.add_argument("--step", type=int, default=4000, help="listeners that are added before each stage")
    parser.add_argument("--most", type=int, default=60_000, help="listeners at which a run ends in any case")
    until_help = "milliseconds at p99 at which a run ends: more than 100 on a busy machine, for what a move costs"
    parser.add_argument("--until", type=float, default=LATE, help=until_help)
    engines_help = "processes that share the engine's core: more than one where open files would end the run"
    parser.add_argument("--engines", type=int, default=1, help=engines_help)
    args = parser.parse_args()
    capacities = [uvloop.run(measure(seats, args.step, args.most, args.until, args.engines)) for seats in args.seats]
    text = "\n\n".join(map(as_markdown, capacities))
    print(text)
    write_into_page(text, MARKS)


if __name__ == "__main__":
    main()
