"""Redis is restored to an older state. Versions that were lost are not used again."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from aiohttp import ClientResponse
from msgspec import structs

from locanda.client import transport
from locanda.messages import JsonObject
from services.engine.store import keys
from tests.engine.http.engine_server import (
    NO_LIMITS,
    RunningEngine,
    SeatedPlayers,
    running_engine,
    seat_players,
)
from tests.redis_server import RedisServer

SOON = 60.0
LOST = 3
"""The number of moves that are lost."""


@asynccontextmanager
async def engine_on(redis: RedisServer) -> AsyncIterator[RunningEngine]:
    async with running_engine(structs.replace(NO_LIMITS, redis_url=redis.url)) as running:
        await running.ready()
        yield running


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder for a copy of the data in Redis."""
    return tmp_path / "saved"


def copy(redis: RedisServer, to: Path) -> None:
    """Copy the data files of Redis."""
    shutil.copytree(redis.directory / "appendonlydir", to / "appendonlydir")


def restore(redis: RedisServer, saved: Path) -> None:
    """Stop Redis, and start it with the copied files."""
    redis.kill()
    shutil.rmtree(redis.directory / "appendonlydir")
    shutil.copytree(saved / "appendonlydir", redis.directory / "appendonlydir")
    redis.start()


async def play(players: SeatedPlayers, moves: int) -> JsonObject:
    for _ in range(moves):
        assert (await players.play()).status == 200
    return await players.see()


async def next_event(stream: ClientResponse) -> tuple[str, JsonObject]:
    async with asyncio.timeout(SOON):
        async for event in transport.parse_events(stream.content):
            return event.event, msgspec.json.decode(event.data)
    raise AssertionError("the stream has ended")


async def lose(redis: RedisServer, players: SeatedPlayers, saved: Path) -> tuple[JsonObject, JsonObject]:
    """Save Redis' data, then play more moves. Return the table as saved, and as clients saw it last."""
    kept = await play(players, 2)
    await asyncio.to_thread(copy, redis, saved)
    seen_last = await play(players, LOST)
    return kept, seen_last


def without_version(table: JsonObject) -> JsonObject:
    return table | {"version": None, "events": None}


async def test_listeners_get_a_gap_and_nothing_of_the_lost_time_counts(mortal_redis: RedisServer, saved: Path) -> None:
    async with engine_on(mortal_redis) as engine, engine_on(mortal_redis) as other:
        players = await seat_players(engine)
        await players.start()
        kept, seen_last = await lose(mortal_redis, players, saved)
        lost = seen_last["version"]
        async with engine.session.get(
            engine.url(f"{players.path}/events"), headers={"Last-Event-ID": str(lost)}
        ) as stream:
            await asyncio.to_thread(restore, mortal_redis, saved)
            kind, shown = await next_event(stream)
        assert kind == "gap"
        assert shown["version"] > lost
        assert without_version(shown) == without_version(kept)

        for at in (engine, other):
            same = SeatedPlayers(at, players.table, players.tokens)
            await at.ready()
            refused = await same.play(headers={"If-Match": f'"{lost}"'})
            assert (refused.status, refused.code) == (412, "stale")
            await play(same, LOST + 1)
            now = await same.see()
            assert now["version"] > lost
            for version in range(kept["version"] + 1, lost + 1):
                refused = await same.play(headers={"If-Match": f'"{version}"'})
                assert (refused.status, refused.code) == (412, "stale")
                page = await at.get(f"{same.path}/events?after={version}", headers={"Accept": "application/json"})
                assert [event["event"] for event in page.json["events"]] == ["gap"]


async def test_a_restart_that_loses_nothing_changes_no_version(mortal_redis: RedisServer) -> None:
    async with engine_on(mortal_redis) as engine:
        players = await seat_players(engine)
        await players.start()
        before = await play(players, 2)
        await asyncio.to_thread(mortal_redis.restart)
        await engine.ready()
        assert await players.see() == before
        assert (await play(players, 1))["version"] == before["version"] + 1


async def test_a_restore_that_says_so_counts_without_any_engine_that_remembers(
    mortal_redis: RedisServer, saved: Path
) -> None:
    async with engine_on(mortal_redis) as engine:
        players = await seat_players(engine)
        await players.start()
        kept, seen_last = await lose(mortal_redis, players, saved)
    await asyncio.to_thread(restore, mortal_redis, saved)
    await asyncio.to_thread(mortal_redis.ask, "HSET locanda:beat restored 1")
    async with engine_on(mortal_redis) as engine:
        players.engine = engine
        shown = await players.see()
        assert shown["version"] > seen_last["version"]
        assert without_version(shown) == without_version(kept)
        opened = await seat_players(engine)
        assert (await opened.see())["version"] > seen_last["version"]


async def test_versions_lost_again_do_not_come_again_either(mortal_redis: RedisServer, saved: Path) -> None:
    async with engine_on(mortal_redis) as engine:
        players = await seat_players(engine)
        await players.start()
        kept, _ = await lose(mortal_redis, players, saved)
        seen: list[range] = []
        for _ in range(2):
            # the lowest allowed version depends on the current second, so wait for the next one
            await asyncio.sleep(1.1)
            await asyncio.to_thread(restore, mortal_redis, saved)
            await engine.ready()
            first = await players.see()
            assert without_version(first) == without_version(kept)
            last = await play(players, LOST)
            seen.append(range(first["version"], last["version"] + 1))
        assert seen[0].stop <= seen[1].start


async def test_a_table_of_which_an_engine_knows_a_later_version_is_renewed(mortal_redis: RedisServer) -> None:
    async with engine_on(mortal_redis) as engine:
        players = await seat_players(engine)
        store = engine.context.service._store
        old = (await store.load(players.table)).snapshot
        assert old
        await players.start()
        seen_last = await play(players, 2)
        names = keys.of(players.table)
        state = old.version.to_bytes(8, "big") + old.data
        await store._backend.call(("SET", names.state, state))
        shown = await players.see()
        assert (shown["status"], shown["version"] > seen_last["version"]) == ("open", True)
