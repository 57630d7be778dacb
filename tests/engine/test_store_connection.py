"""Everybody's commands share one connection: nobody gets what another one asked for."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.engine.store import Snapshot, Store, StoreDownError, connect
from tests.engine.commits import bring
from tests.redis_server import RedisServer

TABLES = 200


@pytest.fixture
async def shared(redis_server: RedisServer) -> AsyncIterator[Store]:
    """A store in which each table's snapshot says which one it is."""
    store = await connect(redis_server.url)
    await asyncio.gather(*(bring(store, f"{number}", 1) for number in range(TABLES)))
    yield store
    await store.close()


def snapshot(number: int) -> Snapshot:
    return Snapshot(1, f"{number} at 1".encode())


async def test_each_of_many_who_ask_at_once_gets_his_own_reply(shared: Store) -> None:
    loaded = await asyncio.gather(*(shared.load(f"{number}") for number in range(TABLES)))
    assert [each.snapshot for each in loaded] == [snapshot(number) for number in range(TABLES)]


async def test_who_gives_up_waiting_does_not_put_the_others_out_of_step(shared: Store) -> None:
    asked = [asyncio.create_task(shared.load(f"{number}")) for number in range(TABLES)]
    await asyncio.sleep(0)
    for task in asked[::3]:
        task.cancel()
    loaded = await asyncio.gather(*asked, return_exceptions=True)
    for number, each in enumerate(loaded):
        if number % 3:
            assert not isinstance(each, BaseException)
            assert each.snapshot == snapshot(number)
        else:
            assert isinstance(each, asyncio.CancelledError)


async def test_all_who_wait_are_told_when_the_server_freezes_and_served_once_it_goes_on(
    mortal_redis: RedisServer,
) -> None:
    store = await connect(mortal_redis.url)
    await bring(store, "t", 1)
    mortal_redis.freeze()
    asked = await asyncio.gather(*(store.load("t") for _ in range(50)), return_exceptions=True)
    assert {type(each) for each in asked} == {StoreDownError}
    mortal_redis.thaw()
    assert (await store.load("t")).snapshot == Snapshot(1, b"t at 1")
    await store.close()


async def test_a_closed_store_answers_nobody_and_leaves_nobody_waiting(redis_server: RedisServer) -> None:
    store = await connect(redis_server.url)
    asked = [asyncio.create_task(store.load("t")) for _ in range(50)]
    await asyncio.sleep(0)
    await store.close()
    async with asyncio.timeout(5):
        await asyncio.gather(*asked, return_exceptions=True)
