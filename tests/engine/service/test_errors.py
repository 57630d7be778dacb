"""Redis is down or refuses writes: every call reports it at once, and works again as soon as Redis does."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

import pytest
from aiohttp import ClientResponse
from msgspec import structs

from locanda.client import transport
from locanda.messages import JsonObject
from services.engine.http.api.handlers import watching
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    running_engine,
    seat_players,
)
from tests.redis_server import RedisServer

SOON = 60.0
HOUR = 3600.0


@dataclass(frozen=True)
class RedisOutage:
    """A way in which Redis stops serving, and the way in which it recovers."""

    begin: Callable[[RedisServer], object]
    end: Callable[[RedisServer], object]
    reads: bool = False
    """Whether Redis still serves reads."""
    late: int = 0
    """The maximum number of writes answered 503 that take effect later, because Redis had already received them."""


def commands_sent(*commands: str) -> Callable[[RedisServer], object]:
    def send(redis: RedisServer) -> None:
        for command in commands:
            assert not redis.ask(command).startswith("-"), command

    return send


def cannot_save(redis: RedisServer) -> None:
    (redis.directory / "dump.rdb").mkdir()
    commands_sent('CONFIG SET save "3600 1"', "BGSAVE")(redis)
    while "rdb_last_bgsave_status:err" not in redis.ask("INFO persistence"):
        pass


def restart_slowly(redis: RedisServer) -> None:
    """Kill Redis, and let it take seconds to load its data."""
    commands_sent("EVAL \"for i=1,8192 do redis.call('SET', 'x'..i, '') end\" 0")(redis)
    redis.kill()
    redis.launch("--key-load-delay", "1000")


def fill_disk_lazily(redis: RedisServer) -> None:
    """Fill the disk of a Redis that answers before it writes to disk, so it notices the error a little later."""
    commands_sent("CONFIG SET appendfsync everysec")(redis)
    redis.fill_disk()
    while not redis.ask("SET filling up").startswith("-MISCONF"):
        pass


OUTAGES = {
    "killed": RedisOutage(RedisServer.kill, RedisServer.start),
    "frozen": RedisOutage(RedisServer.freeze, RedisServer.thaw, late=1),
    "loading": RedisOutage(restart_slowly, RedisServer.restart),
    "disk full, fsync always": RedisOutage(RedisServer.fill_disk, RedisServer.restart),
    "disk full, fsync every second": RedisOutage(fill_disk_lazily, RedisServer.restart, reads=True),
    "cannot save": RedisOutage(cannot_save, commands_sent("CONFIG SET stop-writes-on-bgsave-error no"), reads=True),
    "out of memory": RedisOutage(
        commands_sent("CONFIG SET maxmemory 1"), commands_sent("CONFIG SET maxmemory 0"), reads=True
    ),
    "a replica": RedisOutage(commands_sent("REPLICAOF 127.0.0.1 1"), commands_sent("REPLICAOF NO ONE"), reads=True),
    "a replica of which nothing is known": RedisOutage(
        commands_sent("CONFIG SET replica-serve-stale-data no", "REPLICAOF 127.0.0.1 1"),
        commands_sent("REPLICAOF NO ONE"),
    ),
    "without replicas": RedisOutage(
        commands_sent("CONFIG SET min-replicas-to-write 1"),
        commands_sent("CONFIG SET min-replicas-to-write 0"),
        reads=True,
    ),
}


@pytest.fixture
async def engine(mortal_redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    """An engine in front of the Redis that is about to fail. It counts the opened tables."""
    monkeypatch.setattr(watching, "STORE_PAUSE", 0.1)
    settings = structs.replace(NO_LIMITS, redis_url=mortal_redis.url, engine_tables_per_minute=100)
    async with running_engine(settings) as running:
        await running.ready()
        yield running


async def versions(stream: ClientResponse) -> AsyncIterator[int]:
    async for event in transport.parse_events(stream.content):
        yield int(event.id)


def writes(players: SeatedPlayers) -> list[Awaitable[ApiResponse]]:
    engine, path, token = players.engine, players.path, players.tokens[0]
    return [
        engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"}),
        engine.post(f"{path}/seats", {"name": "Dario"}),
        engine.ask("PATCH", path, {"listed": True}, token=token),
        engine.ask("DELETE", f"{path}/seats/2", token=players.tokens[2]),
        engine.ask("PUT", f"{path}/seats/0/seed", {"client_seed": "sale"}, token=token),
        engine.post(f"{path}/start", token=token),
    ]


def reads(players: SeatedPlayers) -> list[Awaitable[ApiResponse]]:
    engine, path, token = players.engine, players.path, players.tokens[0]
    return [
        engine.get(path, token=token),
        engine.get(f"{path}?after=99&wait=0.2", token=token),
        engine.get(f"{path}/moves", token=token),
        engine.get(f"{path}/events", headers={"Accept": "application/json"}),
        engine.get("/v1/tables"),
    ]


def assert_down(answer: ApiResponse) -> None:
    assert (answer.status, answer.code) == (503, "store_down")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("outage", OUTAGES.values(), ids=OUTAGES.keys())
async def test_an_outage_is_reported_and_ends_without_a_restart(
    engine: RunningEngine, mortal_redis: RedisServer, outage: RedisOutage
) -> None:
    players = await seat_players(engine)
    async with engine.session.get(engine.url(f"{players.path}/events")) as stream:
        seen = versions(stream)
        before = await anext(seen)
        waiting = asyncio.create_task(engine.get(f"{players.path}?after={before}&wait=25"))
        await engine.followed(players.table, 2)
        await asyncio.to_thread(outage.begin, mortal_redis)

        for answer in await asyncio.gather(*writes(players)):
            assert_down(answer)
        for answer in await asyncio.gather(*reads(players)):
            if not (outage.reads and answer.status == 200):
                assert_down(answer)
        assert_down(await engine.get("/readyz"))
        assert (await engine.get("/healthz")).status == 200

        await asyncio.to_thread(outage.end, mortal_redis)
        await engine.ready()
        changed = await engine.ask("PATCH", players.path, {"listed": True}, token=players.tokens[0])
        version = changed.json["version"]
        assert changed.status == 200
        assert before < version <= before + 1 + outage.late
        async with asyncio.timeout(SOON):
            assert [await anext(seen) for _ in range(before, version)] == [*range(before + 1, version + 1)]
            assert (await waiting).status in (200, 503)
    assert (await engine.post("/v1/tables", {"game": "ramino", "name": "Anna"})).status == 201


class LateClock:
    """The time of Redis. A test can add an outage of an hour to it."""

    def __init__(self) -> None:
        self.late = 0.0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + round(self.late * 1000)


async def test_no_deadline_passes_while_redis_is_down(mortal_redis: RedisServer) -> None:
    clock = LateClock()
    settings = structs.replace(NO_LIMITS, redis_url=mortal_redis.url)
    async with running_engine(settings, now=clock) as engine:
        players = await seat_players(engine, turn_seconds=60)
        before = await players.start()
        await asyncio.to_thread(mortal_redis.kill)
        clock.late = HOUR
        await asyncio.to_thread(mortal_redis.start)
        async with asyncio.timeout(SOON):
            after: JsonObject = before
            while after["version"] == before["version"]:
                after = (await engine.get(f"{players.path}?after={before['version']}&wait=5")).json
        postponed = after["events"][0].pop("milliseconds") / 1000
        assert after["events"] == [{"type": "deadline_moved"}]
        assert HOUR <= postponed < HOUR + SOON
        moved = datetime.fromisoformat(after["deadline"]) - datetime.fromisoformat(before["deadline"])
        assert moved.total_seconds() == pytest.approx(postponed)
        assert (await players.play()).status == 200
