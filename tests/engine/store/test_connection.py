"""How a store connects: one connection for all callers, URLs, closing."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.engine.store import Snapshot, Store, connect
from services.engine.store.errors import StoreDownError
from tests.engine.store.commits import bring
from tests.redis_server import RedisServer

TABLES = 200


@pytest.fixture
async def shared(redis_server: RedisServer) -> AsyncIterator[Store]:
    """A store with several tables. The snapshot of each table contains the table's number."""
    store = await connect(redis_server.url)
    await asyncio.gather(*(bring(store, f"{number}", 1) for number in range(TABLES)))
    yield store
    await store.close()


def snapshot(number: int) -> Snapshot:
    return Snapshot(1, f"{number} at 1".encode())


async def test_each_of_many_concurrent_callers_gets_their_own_reply(shared: Store) -> None:
    loaded = await asyncio.gather(*(shared.load(f"{number}") for number in range(TABLES)))
    assert [stored.snapshot for stored in loaded] == [snapshot(number) for number in range(TABLES)]


async def test_a_cancelled_caller_does_not_shift_the_replies_of_others(shared: Store) -> None:
    loads = [asyncio.create_task(shared.load(f"{number}")) for number in range(TABLES)]
    await asyncio.sleep(0)
    for task in loads[::3]:
        task.cancel()
    loaded = await asyncio.gather(*loads, return_exceptions=True)
    for number, result in enumerate(loaded):
        if number % 3:
            assert not isinstance(result, BaseException)
            assert result.snapshot == snapshot(number)
        else:
            assert isinstance(result, asyncio.CancelledError)


async def test_all_callers_get_an_error_when_the_server_freezes_and_are_served_once_it_goes_on(
    mortal_redis: RedisServer,
) -> None:
    store = await connect(mortal_redis.url)
    await bring(store, "t", 1)
    mortal_redis.freeze()
    results = await asyncio.gather(*(store.load("t") for _ in range(50)), return_exceptions=True)
    assert {type(result) for result in results} == {StoreDownError}
    mortal_redis.thaw()
    assert (await store.load("t")).snapshot == Snapshot(1, b"t at 1")
    await store.close()


async def test_a_closed_store_replies_to_no_caller_and_leaves_none_waiting(redis_server: RedisServer) -> None:
    store = await connect(redis_server.url)
    loads = [asyncio.create_task(store.load("t")) for _ in range(50)]
    await asyncio.sleep(0)
    await store.close()
    async with asyncio.timeout(60):
        await asyncio.gather(*loads, return_exceptions=True)


async def test_without_a_url_each_store_is_its_own() -> None:
    first, second = await connect(None), await connect("")
    await bring(first, "t", 1)
    assert (await first.load("t")).snapshot
    assert (await second.load("t")).snapshot is None
    await first.close()
    await second.close()


async def test_a_store_that_nobody_used_can_be_closed() -> None:
    await (await connect(None)).close()
    await (await connect("redis://127.0.0.1:1/0")).close()
    await (await connect("redis+cluster://127.0.0.1:1")).close()
    await (await connect("redis+sentinel://127.0.0.1:1/locanda")).close()


@pytest.mark.parametrize(
    "url",
    [
        "sesamo",
        "http://:sesamo@localhost",
        "redis://:a/sesamo@localhost:x/0",
        "redis://localhost:sesamo/0",
        "redis://localhost:6379/0?sesamo=1",
        "redis://localhost:6379/0?db=sesamo",
        "redis+cluster://localhost:sesamo",
        "redis+cluster://localhost:6379/3",
        "redis+cluster://localhost:6379?sesamo=1",
        "redis+sentinel://:sesamo@localhost:26379",
        "redis+sentinel://localhost:sesamo/locanda",
        "redis+sentinel://localhost:26379/locanda/sesamo",
        "redis+sentinel://localhost:26379/locanda?sesamo=1",
    ],
)
async def test_a_bad_url_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(ValueError, match="not a URL of Redis") as caught:
        await connect(url)
    assert "sesamo" not in str(caught.value)
    assert caught.value.__context__ is None
