"""The leader's lease: there are never two leaders, a successor leads soon, and late processes cannot write."""

import asyncio
from collections.abc import AsyncIterator
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.telegram.leadership import leading
from services.telegram.repositories import keys, lease
from services.telegram.repositories.lease import LEASE_SECONDS, MARGIN_SECONDS, Lease
from tests.waiting import until


class Time:
    """A process's clock, which a test advances."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def now(self) -> float:
        return self.seconds


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    client = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    yield client
    await client.aclose()


async def test_one_process_has_the_lease_until_it_releases_it(redis: Redis) -> None:
    one, other = Lease(redis), Lease(redis)
    assert await one.take()
    assert not await other.take()
    assert one.held()
    assert not other.held()
    assert await one.take()
    await other.release()
    assert not await other.take()
    await one.release()
    assert not one.held()
    assert await other.take()


async def test_a_leader_that_does_not_renew_counts_on_the_lease_only_while_no_other_can_have_it(redis: Redis) -> None:
    clock = Time()
    late = Lease(redis, clock.now)
    assert await late.take()
    assert 0 < await redis.pttl(keys.LEADER) <= LEASE_SECONDS * 1000
    clock.seconds += LEASE_SECONDS - MARGIN_SECONDS - 0.01
    assert late.held()
    clock.seconds += 0.02
    assert not late.held()
    await redis.delete(keys.LEADER)  # as if it had expired
    assert await Lease(redis).take()
    assert not await late.take()
    assert not late.held()


async def test_work_ends_where_another_process_has_taken_the_lease_and_begins_again_once_it_is_free(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.02)
    monkeypatch.setattr(lease, "TRY_SECONDS", 0.02)
    stop, began, ended = asyncio.Event(), 0, 0

    async def work(over: asyncio.Event) -> None:
        nonlocal began, ended
        began += 1
        await over.wait()
        ended += 1

    running = asyncio.create_task(leading(Lease(redis), stop, work))
    await until(lambda: began == 1)
    await redis.set(keys.LEADER, "another")
    await until(lambda: ended == 1)
    await redis.delete(keys.LEADER)
    await until(lambda: began == 2)
    stop.set()
    await running
    assert (began, ended) == (2, 2)
    assert await redis.get(keys.LEADER) is None
