"""Moves, reads and events that an engine serves on one core, compared with a server without a game.

`python -m tests.bench.service [seconds]` starts a Redis and the servers, loads them from a second process, prints the
figures and writes them to docs/benchmarks.md. The server has a core of its own; Redis and the load share another.
"""

import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from locanda.client import EngineClient
from services.engine.service.queries import CACHED_VIEWS
from tests.bench import report
from tests.bench.fanout import fanout
from tests.bench.followed import FollowedPlan
from tests.bench.redis_clients import WAYS
from tests.bench.redis_memory import costs
from tests.bench.report import BenchReport, Neighbours, Rate
from tests.bench.servers import OTHERS, SERVER, Server, carry_out, load, pin, serve
from tests.bench.tables import Ready, look_request, ready
from tests.redis_server import RedisServer, running_redis

LANES = 64
STEADY = 1500.0
"""Moves per second that two engines, Redis and the load can handle together on two cores."""
ROUNDS = 3
GAME, SEATS = "gatto_rosso", 3
FOLLOWED, FOLLOWED_GAMES = 50, ("gatto_rosso", "ramino", "diavoletto", "presidente")
"""The number of tables for two whose players follow by one stream each, and the games played there."""
MOVES = 60
"""The maximum number of moves of a match; a table has some 50."""
KEPT, ANSWERED = 450, 950
"""Bytes of a snapshot and of an answer, so that the baseline transfers as much as the game."""
OPEN_TO_ALL = {
    "ENGINE_CLIENT_CPU_MS": "0",
    "ENGINE_WRITES_PER_SECOND": "0",
    "ENGINE_TABLES_PER_MINUTE": "0",
    "ENGINE_CLIENT_MB": "0",
    "ENGINE_SEATS_PER_MINUTE": "0",
    "ENGINE_STREAMS": "0",
}


class Bench:
    """The servers and their measurements."""

    def __init__(self, stack: AsyncExitStack, seconds: float) -> None:
        self._stack = stack
        self._seconds = seconds

    async def engine(self, redis: RedisServer, level: str = "info", core: int = SERVER) -> Server:
        """Return an engine with its default settings, except that its only client has no limits."""
        settings = {"REDIS_URL": redis.url, "LOG_FORMAT": "json", "LOG_LEVEL": level}
        return await serve(self._stack, "services.engine", core=core, **settings, **OPEN_TO_ALL)

    async def limit(self, redis: RedisServer, way: str) -> Server:
        """Return the baseline server that connects to Redis in this way."""
        return await serve(self._stack, "tests.bench.baseline_server", way, redis.url, str(KEPT), str(ANSWERED))

    async def tables(
        self, engine: Server, redis: RedisServer, game: str = GAME, seats: int = SEATS, count: int = 0
    ) -> list[Ready]:
        """Return this number of tables, or enough tables for one measurement."""
        async with EngineClient.connect(engine.url) as client:
            return await ready(client, redis.url, game, seats, count or round(self._seconds * 250), MOVES)

    async def moves(
        self, server: Server, tables: list[Ready], *, again: bool = False, rate: float | None = None
    ) -> Rate:
        """Return the moves per second that a server accepts. Each lane has its own tables."""
        lanes = [[move for table in tables[lane::LANES] for move in table.moves] for lane in range(LANES)]
        return await load(server, lanes, self._seconds, again=again, rate=rate)

    async def followed(self, server: Server, tables: list[tuple[str, list[str]]]) -> Rate:
        """Return the moves per second that a server accepts from people who each follow their table by a stream."""
        return await carry_out(server, "tests.bench.followed", FollowedPlan(server.port, tables, self._seconds))

    async def followed_game(self, engine: Server, redis: RedisServer, game: str) -> Rate:
        """Return the moves per second that a server accepts at new tables of a game whose players follow by streams."""
        tables = await self.tables(engine, redis, game, 2, FOLLOWED)
        return await self.followed(engine, [(table.id, table.tokens) for table in tables])

    async def best(self, engine: Server, redis: RedisServer) -> Rate:
        """Return the highest number of moves per second that an engine has accepted."""
        return max([await self.moves(engine, await self.tables(engine, redis)) for _ in range(ROUNDS)])

    async def neighbours(self, engines: tuple[Server, Server], tables: list[Ready]) -> Neighbours:
        """Return the cost of a move for an engine alone, and beside another one with equal load on the same Redis."""
        mine, others = tables[::2], tables[1::2]
        alone = await self.moves(engines[0], mine[::2], rate=STEADY)
        beside, _ = await asyncio.gather(
            self.moves(engines[0], mine[1::2], rate=STEADY), self.moves(engines[1], others, rate=STEADY)
        )
        return Neighbours(STEADY, alone.used, beside.used)

    async def looks(self, server: Server, tables: list[Ready]) -> Rate:
        """Return the reads per second that a server answers. Each player reads the table with their own hand."""
        seats = [look_request(table.id, token) for table in tables for token in table.tokens]
        return await load(server, [seats[lane::LANES] for lane in range(LANES)], self._seconds, again=True)


async def measure(seconds: float) -> BenchReport:
    """Run all measurements."""
    async with AsyncExitStack() as stack:
        bench = Bench(stack, seconds)
        volatile, durable = (
            stack.enter_context(running_redis(Path(stack.enter_context(tempfile.TemporaryDirectory())), *options))
            for options in (("--appendonly", "no"), ())
        )
        for redis in (volatile, durable):
            pin(redis.pid, OTHERS)
        engine, limit = await bench.engine(volatile), await bench.limit(volatile, "multiplexed")
        report = BenchReport()
        tables: list[Ready] = []
        for _ in range(ROUNDS):
            tables = await bench.tables(engine, volatile)
            report.limit_looks.append(await bench.looks(limit, tables))
            report.looks.append(await bench.looks(engine, tables))
            report.limit_moves.append(await bench.moves(limit, tables, again=True))
            report.moves.append(await bench.moves(engine, tables))
        crowd = await bench.tables(engine, volatile, count=CACHED_VIEWS // SEATS + LANES)
        report.fresh_looks = max([await bench.looks(engine, crowd) for _ in range(ROUNDS)])
        half = max(report.moves).rate / 2
        for _ in range(ROUNDS):
            report.half_load.append(await bench.moves(engine, await bench.tables(engine, volatile), rate=half))
        other = await bench.engine(volatile, core=OTHERS)
        report.neighbours = await bench.neighbours((engine, other), await bench.tables(engine, volatile))
        for way in WAYS:
            report.ways[way] = await bench.moves(await bench.limit(volatile, way), tables, again=True)
        bare = [(f"t{number}", ["0", "1"]) for number in range(FOLLOWED)]
        for _ in range(ROUNDS):
            report.limit_followed.append(await bench.followed(limit, bare))
            for game in FOLLOWED_GAMES:
                report.followed.setdefault(game, []).append(await bench.followed_game(engine, volatile, game))
        report.silent = await bench.best(await bench.engine(volatile, "warning"), volatile)
        report.fanout = await fanout(engine, volatile, GAME, SEATS)
        report.durable = await bench.best(await bench.engine(durable), durable)
        report.costs = await costs(volatile.url)
        return report


if __name__ == "__main__":
    measured = asyncio.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
    report.publish(measured)
