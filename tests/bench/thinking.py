"""Measures people's moves while hard computer players search at eight tables, compared with an idle engine.

`python -m tests.bench.thinking [seconds] [rounds]` writes the percentiles of each round into docs/benchmarks.md.

A round has its own Redis and engine with the default settings. It measures the idle engine, starts the tables, and
measures again.
"""

import asyncio
import os
import re
import sys
import tempfile
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from aiohttp import ClientSession
from msgspec import Struct

from locanda.client import EngineClient
from locanda.messages import GameName, GivenOptions, OpenTable, SitDown
from tests.bench.report import Rate, write_into_page
from tests.bench.servers import Server, load, serve
from tests.bench.service import OPEN_TO_ALL
from tests.bench.tables import Ready, ready
from tests.redis_server import RedisServer, running_redis
from tests.waiting import until

MARKS = ("<!-- thinking -->", "<!-- end of thinking -->")
THINKING_TABLES = 8
GAMES = ("presidente", "gatto_rosso", "ramino", "diavoletto")
SEATS = {"presidente": 4, "gatto_rosso": 4, "ramino": 4, "diavoletto": 2}
LONG = {"ramino": {"target": 201}}
"""Options that make matches long. Other games get a high number of deals."""
PEOPLE = ("gatto_rosso", 3)
LANES = 8
MOVES_A_SECOND = 100.0
MOVES = 40
"""The maximum number of moves in a match between people."""
ANY_CORE = -1


class Round(Struct):
    """The results of one round."""

    idle: Rate
    thinking: Rate
    thoughts: int
    late: int
    """The number of searches that did not finish in time."""


async def measure(seconds: float) -> Round:
    """Measure one round."""
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(running_redis(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        settings = OPEN_TO_ALL | {"REDIS_URL": redis.url, "LOG_FORMAT": "json"}
        engine = await serve(stack, "services.engine", core=ANY_CORE, **settings)
        tables = await _people(engine, redis, seconds)
        half = len(tables) // 2
        idle = await _load(engine, tables[:half], seconds)
        await _think(engine)
        await until(lambda: _thoughts(engine))
        thoughts, late = await _thoughts(engine), await _late(engine)
        thinking = await _load(engine, tables[half:], seconds)
        return Round(idle, thinking, await _thoughts(engine) - thoughts, await _late(engine) - late)


async def _people(engine: Server, redis: RedisServer, seconds: float) -> list[Ready]:
    count = round(2.5 * (seconds + 1) * MOVES_A_SECOND / MOVES) + 2 * LANES
    async with EngineClient.connect(engine.url) as client:
        return await ready(client, redis.url, *PEOPLE, count, MOVES)


async def _load(engine: Server, tables: list[Ready], seconds: float) -> Rate:
    lanes = [[move for table in tables[lane::LANES] for move in table.moves] for lane in range(LANES)]
    return await load(engine, lanes, seconds, again=False, rate=MOVES_A_SECOND)


async def _think(engine: Server) -> None:
    """Start the tables of hard players. The opener leaves them, so that no table waits for a person."""
    async with EngineClient.connect(engine.url) as client:
        for number in range(THINKING_TABLES):
            game = GAMES[number % len(GAMES)]
            options = GivenOptions(LONG.get(game, {"deals": 20}))
            opened = await client.open_table(
                OpenTable(GameName(game), "Anna", options=options, substitute_level="hard")
            )
            table, token = opened.table.id, opened.token or ""
            for other in range(1, SEATS[game]):
                await client.sit(table, SitDown(f"Robot {other}", "computer", "hard"), token)
            await client.start(table, token)
            await client.leave(table, 0, token)


async def _thoughts(engine: Server) -> int:
    return await counted(engine, "thinking_seconds_count")


async def _late(engine: Server) -> int:
    return await counted(engine, "thinking_fallbacks_total")


async def counted(engine: Server, metric: str) -> int:
    """Return the value of a metric, summed over its labels."""
    async with ClientSession() as session, session.get(f"{engine.url}/metrics") as answer:
        text = await answer.text()
    return round(sum(float(value) for value in re.findall(rf"^locanda_{metric}\S* (\S+)$", text, re.MULTILINE)))


async def main(seconds: float, rounds: int) -> None:
    """Print and publish the results of each round, and their median."""
    results = [await measure(seconds) for _ in range(rounds)]
    text = as_markdown(results)
    print(text)
    write_into_page(text, MARKS)


def as_markdown(rounds: list[Round]) -> str:
    """Return the figures as Markdown."""
    ratio = median(round_.thinking.p99 / round_.idle.p99 for round_ in rounds)
    rows = [
        f"| {round_.idle.p50:.2f} | {round_.idle.p99:.2f} | {round_.thinking.p50:.2f} | {round_.thinking.p99:.2f} "
        f"| {round_.thoughts} | {round_.late} |"
        for round_ in rounds
    ]
    summary = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores: the p99 of people's moves beside "
        f"{THINKING_TABLES} tables that think is {ratio:.2f} times that of the idle engine (the middle round)."
    )
    names = "| p50 ms, idle | p99 | p50 ms, beside them | p99 | thoughts in time | too late |"
    return "\n".join((summary, "", names, "| ---: | ---: | ---: | ---: | ---: | ---: |", *rows))


if __name__ == "__main__":
    argv = sys.argv[1:]
    asyncio.run(main(float(argv[0]) if argv else 10.0, int(argv[1]) if len(argv) > 1 else 3))
