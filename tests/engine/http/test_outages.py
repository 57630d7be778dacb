"""Redis away, or there and taking no writes: said at once, by every call, and over as soon as Redis is well again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

import pytest
from aiohttp import ClientResponse
from msgspec import structs

from services.engine import app
from services.engine.http.handlers import watching
from shared import sse
from tests.engine.http.house import FREE, Answer, House, JsonObject, Players, gather, house
from tests.redis_server import RedisServer

SOON = 20.0
HOUR = 3600.0


@dataclass(frozen=True)
class Outage:
    """How Redis stops to serve, and how it is made well."""

    begin: Callable[[RedisServer], object]
    end: Callable[[RedisServer], object]
    reads: bool = False
    """Does Redis still answer those who only look?"""


def told(*commands: str) -> Callable[[RedisServer], object]:
    def tell(redis: RedisServer) -> None:
        for command in commands:
            assert not redis.ask(command).startswith("-"), command

    return tell


def cannot_save(redis: RedisServer) -> None:
    (redis.directory / "dump.rdb").mkdir()
    told('CONFIG SET save "3600 1"', "BGSAVE")(redis)
    while "rdb_last_bgsave_status:err" not in redis.ask("INFO persistence"):
        pass


def restart_slowly(redis: RedisServer) -> None:
    """Kill it, and let it take seconds to load what it holds."""
    told("EVAL \"for i=1,8192 do redis.call('SET', 'x'..i, '') end\" 0")(redis)
    redis.kill()
    redis.launch("--key-load-delay", "1000")


def fill_disk_lazily(redis: RedisServer) -> None:
    """Fill it under a Redis that answers before it writes, and finds out a little later."""
    told("CONFIG SET appendfsync everysec")(redis)
    redis.fill_disk()
    while not redis.ask("SET filling up").startswith("-MISCONF"):
        pass


OUTAGES = {
    "killed": Outage(RedisServer.kill, RedisServer.start),
    "frozen": Outage(RedisServer.freeze, RedisServer.thaw),
    "loading": Outage(restart_slowly, RedisServer.restart),
    "disk full, fsync always": Outage(RedisServer.fill_disk, RedisServer.restart),
    "disk full, fsync every second": Outage(fill_disk_lazily, RedisServer.restart, reads=True),
    "cannot save": Outage(cannot_save, told("CONFIG SET stop-writes-on-bgsave-error no"), reads=True),
    "out of memory": Outage(told("CONFIG SET maxmemory 1"), told("CONFIG SET maxmemory 0"), reads=True),
    "a replica": Outage(told("REPLICAOF 127.0.0.1 1"), told("REPLICAOF NO ONE"), reads=True),
    "a replica of which nothing is known": Outage(
        told("CONFIG SET replica-serve-stale-data no", "REPLICAOF 127.0.0.1 1"), told("REPLICAOF NO ONE")
    ),
    "without replicas": Outage(
        told("CONFIG SET min-replicas-to-write 1"), told("CONFIG SET min-replicas-to-write 0"), reads=True
    ),
}


@pytest.fixture
async def engine(mortal_redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """An engine that counts the tables opened, in the Redis that is about to fail."""
    monkeypatch.setattr(watching, "STORE_PAUSE", 0.1)
    settings = structs.replace(FREE, redis_url=mortal_redis.url, engine_tables_per_minute=100)
    async with house(settings) as running:
        await running.ready()
        yield running


async def versions(stream: ClientResponse) -> AsyncIterator[int]:
    async for event in sse.parse(stream.content):
        yield int(event.id)


def writes(players: Players) -> list[Awaitable[Answer]]:
    engine, path, token = players.house, players.path, players.tokens[0]
    return [
        engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"}),
        engine.post(f"{path}/seats", {"name": "Dario"}),
        engine.ask("PATCH", path, {"listed": True}, token=token),
        engine.ask("DELETE", f"{path}/seats/2", token=players.tokens[2]),
        engine.ask("PUT", f"{path}/seats/0/seed", {"client_seed": "sale"}, token=token),
        engine.post(f"{path}/start", token=token),
    ]


def looks(players: Players) -> list[Awaitable[Answer]]:
    engine, path, token = players.house, players.path, players.tokens[0]
    return [
        engine.get(path, token=token),
        engine.get(f"{path}?after=99&wait=1", token=token),
        engine.get(f"{path}/moves", token=token),
        engine.get(f"{path}/events", headers={"Accept": "application/json"}),
        engine.get("/v1/tables"),
    ]


def assert_down(answer: Answer) -> None:
    assert (answer.status, answer.code) == (503, "store_down")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("outage", OUTAGES.values(), ids=OUTAGES.keys())
async def test_an_outage_is_said_and_over_without_a_restart(
    engine: House, mortal_redis: RedisServer, outage: Outage
) -> None:
    players = await gather(engine)
    async with engine.session.get(engine.url(f"{players.path}/events")) as stream:
        seen = versions(stream)
        before = await anext(seen)
        waiting = asyncio.create_task(engine.get(f"{players.path}?after={before}&wait=25"))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(outage.begin, mortal_redis)

        for answer in await asyncio.gather(*writes(players)):
            assert_down(answer)
        for answer in await asyncio.gather(*looks(players)):
            if not (outage.reads and answer.status == 200):
                assert_down(answer)
        assert_down(await engine.get("/readyz"))
        assert (await engine.get("/healthz")).status == 200

        await asyncio.to_thread(outage.end, mortal_redis)
        await engine.ready()
        changed = await engine.ask("PATCH", players.path, {"listed": True}, token=players.tokens[0])
        assert (changed.status, changed.json["version"]) == (200, before + 1)
        async with asyncio.timeout(SOON):
            assert await anext(seen) == before + 1
            assert (await waiting).status in (200, 503)
    assert (await engine.post("/v1/tables", {"game": "ramino", "name": "Anna"})).status == 201


class LateClock:
    """The time of day, which an outage of an hour can be added to."""

    def __init__(self) -> None:
        self.late = 0.0

    def __call__(self) -> int:
        return app.now() + round(self.late * 1000)


async def test_nobody_s_time_runs_while_redis_is_away(mortal_redis: RedisServer) -> None:
    clock = LateClock()
    settings = structs.replace(FREE, redis_url=mortal_redis.url)
    async with house(settings, now=clock) as engine:
        players = await gather(engine, turn_seconds=60)
        before = await players.start()
        await asyncio.to_thread(mortal_redis.kill)
        clock.late = HOUR
        await asyncio.to_thread(mortal_redis.start)
        async with asyncio.timeout(SOON):
            after: JsonObject = before
            while after["version"] == before["version"]:
                after = (await engine.get(f"{players.path}?after={before['version']}&wait=5")).json
        put_off = after["events"][0].pop("milliseconds") / 1000
        assert after["events"] == [{"type": "deadline_moved"}]
        assert HOUR <= put_off < HOUR + SOON
        moved = datetime.fromisoformat(after["deadline"]) - datetime.fromisoformat(before["deadline"])
        assert moved.total_seconds() == pytest.approx(put_off)
        assert (await players.play()).status == 200
