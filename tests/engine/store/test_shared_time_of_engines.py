"""Engines whose machines' clocks differ: all use Redis' time."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import pytest
from msgspec import structs

from services.engine.store import connect, shared_time
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, running_engine, seat_players
from tests.redis_server import RedisServer

SOON = 60.0
TEN_MINUTES = 600_000


@asynccontextmanager
async def engine_off_by(
    milliseconds: int, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RunningEngine]:
    """Run an engine on a machine whose clock is off by some milliseconds."""
    with monkeypatch.context() as patch:
        patch.setattr(shared_time, "time_of_day", lambda: time.time() * 1000 + milliseconds)
        store = await connect(redis.url)
    async with running_engine(structs.replace(NO_LIMITS, redis_url=redis.url), store) as engine:
        yield engine


async def test_an_engine_whose_clock_is_ahead_times_nobody_out(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        engine_off_by(0, redis_server, monkeypatch) as right,
        engine_off_by(TEN_MINUTES, redis_server, monkeypatch) as ahead,
    ):
        players = await seat_players(right, turn_seconds=60)
        started = await players.start()
        await ahead.context.service.waking.wake(players.table)
        assert (await players.see())["version"] == started["version"]


@pytest.mark.parametrize("off", [TEN_MINUTES, -TEN_MINUTES, -40_000])
async def test_the_deadline_shown_is_by_the_time_of_redis(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, off: int
) -> None:
    async with engine_off_by(off, redis_server, monkeypatch) as engine:
        players = await seat_players(engine, turn_seconds=60)
        shown = datetime.fromisoformat((await players.start())["deadline"]).timestamp()
    assert shown - time.time() == pytest.approx(60, abs=30)


async def test_an_engine_whose_clock_is_behind_leaves_no_computer_waiting(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        engine_off_by(TEN_MINUTES, redis_server, monkeypatch) as ahead,
        engine_off_by(-40_000, redis_server, monkeypatch) as behind,
    ):
        players = await seat_players(ahead, 1)
        body = {"name": "Gatto", "kind": "computer"}
        await ahead.post(f"{players.path}/seats", body, token=players.tokens[0])
        await players.start()
        await ahead.ask("DELETE", f"{players.path}/seats/0", token=players.tokens[0])
        async with asyncio.timeout(SOON):
            version = (await players.see())["version"]
            for _ in range(5):
                version = (await behind.get(f"{players.path}?after={version}&wait=25")).json["version"]
