"""Housekeeping: tables are drawn again after a start, and idle open tables are closed."""

import asyncio
import time
from itertools import pairwise
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from msgspec import structs
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from locanda.client import EngineClient
from locanda.errors import NotFoundError
from locanda.messages import Problem
from services.telegram.following.followers import TableFollowers
from services.telegram.following.housekeeping import LOBBY_IDLE, REMATCH_SECONDS, Housekeeping
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import GameCatalogue
from services.telegram.tables.tables import Tables
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import open_lobby
from tests.telegram.samples import CHAT_TABLE
from tests.waiting import until


async def test_a_lobby_that_is_idle_for_hours_is_closed(harness: BotHarness, anna: Person, group: Chat) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    assert harness.context is not None
    assert harness.followers is not None
    context = harness.context
    housekeeping = Housekeeping(harness.engine, context.repositories, context.tables, harness.followers)
    await housekeeping.sweep(time.time() + LOBBY_IDLE / 2)
    assert group.shows(button="Siediti") is not None
    await housekeeping.sweep(time.time() + LOBBY_IDLE + 60)
    await group.sees("Il tavolo è chiuso")

    async def deleted() -> bool:
        return await Repositories(harness.redis).chat_tables.refs() == []

    await until(deleted)


async def test_tables_are_drawn_again_though_redis_is_away_at_the_start_and_one_of_them_is_damaged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("services.telegram.following.housekeeping.RETRY_SECONDS", 0.01)
    redis = cast("Redis", FakeAsyncRedis(server=await asyncio.to_thread(FakeServer), decode_responses=True))
    engine, repositories, followers = cast("EngineClient", None), Repositories(redis), Followers()
    tables = Tables(engine, repositories, GameCatalogue(engine))
    for number in range(3):
        await repositories.chat_tables.save(structs.replace(CHAT_TABLE, ref=f"table{number}"))
    outages = iter([RedisConnectionError(), RedisConnectionError()])
    find = repositories.chat_tables.find

    async def find_or_fail(ref: str) -> ChatTable | None:
        if ref == "table0":
            raise ValueError(ref)
        if ref == "table2" and (outage := next(outages, None)):
            raise outage
        return await find(ref)

    monkeypatch.setattr(repositories.chat_tables, "find", find_or_fail)
    with capture_logs() as lines:
        async with asyncio.timeout(60):
            await Housekeeping(engine, repositories, tables, cast("TableFollowers", followers)).resume()
    assert followers.drawn == ["table1", "table2"]
    assert [line["event"] for line in lines] == ["table_not_resumed", "tables_not_resumed", "tables_not_resumed"]
    await redis.aclose()


@pytest.mark.slow
async def test_the_longer_a_match_is_over_the_rarer_the_engine_is_asked_for_a_rematch() -> None:
    redis = cast("Redis", FakeAsyncRedis(server=await asyncio.to_thread(FakeServer), decode_responses=True))
    repositories, times, now = Repositories(redis), list[float](), 0.0

    class Engine:
        async def table(self, _id: str) -> None:
            times.append(now)
            raise NotFoundError(Problem(type="about:blank", title="Not found", status=404, code="no_such_table"))

    engine, followers = cast("EngineClient", Engine()), cast("TableFollowers", Followers())
    await repositories.chat_tables.save(structs.replace(CHAT_TABLE, engine="table", over=True))
    housekeeping = Housekeeping(engine, repositories, Tables(engine, repositories, GameCatalogue(engine)), followers)
    for now in (REMATCH_SECONDS * look for look in range(8640)):  # a day
        await housekeeping.look_for_rematches(now)
    assert times[:30] == [REMATCH_SECONDS * look for look in range(30)]
    assert len(times) < 400
    pauses = [after - before for before, after in pairwise(times)]
    assert pauses == sorted(pauses)
    assert max(pauses) < 1800
    await redis.aclose()


class Followers:
    """Fake followers that record the tables to draw."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def find(self, _ref: str) -> None:
        """Return None: no table has a follower."""

    def wake(self, ref: str) -> None:
        """Record the table."""
        self.drawn.append(ref)
