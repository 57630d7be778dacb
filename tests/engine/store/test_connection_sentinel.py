"""The store and the bot on a primary that real sentinels monitor."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.common.redis_urls import SentinelClient, open_client
from services.engine.store import Snapshot, Store, connect
from services.engine.store.errors import StoreDownError
from services.telegram.repositories.connection import connect as connect_bot
from services.telegram.repositories.people_and_chats import PersonRepository
from services.telegram.repositories.remembered import RememberedRedis
from tests.engine.store.commits import bring, commit
from tests.redis_sentinels import Watched, watched_redis
from tests.redis_server import free_port
from tests.waiting import once_served

pytestmark = [pytest.mark.slow, pytest.mark.costly]

SOON = 90.0


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A primary, its replica, and three sentinels."""
    with watched_redis(tmp_path) as watched:
        yield watched


@pytest.fixture
async def store(watched: Watched) -> AsyncIterator[Store]:
    store = await connect(watched.url)
    yield store
    await store.close()


async def test_tables_and_chats_outlive_their_primary(watched: Watched, store: Store) -> None:
    careful = await connect(watched.url, replicas=1)
    redis = connect_bot(watched.url)
    people = PersonRepository(RememberedRedis(redis))
    await people.remember(1, "Anna", "it")
    await bring(careful, "t", 2)
    async with store.subscribe("t") as changes:
        await asyncio.to_thread(watched.primary.kill)
        with pytest.raises(StoreDownError):
            await store.commit(commit("t", 3))
        assert await once_served(lambda: store.commit(commit("t", 3)), SOON) == "committed"
        assert await changes.wait(5)
    assert (await store.load("t")).snapshot == Snapshot(3, b"t at 3")
    anna = await people.person(1)
    assert anna
    assert anna.name == "Anna"
    await redis.aclose()
    await careful.close()


async def test_concurrent_questions_for_the_primary_forget_no_sentinel(watched: Watched) -> None:
    gone = await asyncio.to_thread(free_port)
    sentinel_client = open_client(watched.url.replace("//", f"//127.0.0.1:{gone},"), retry=Retry(NoBackoff(), 0))
    assert isinstance(sentinel_client, SentinelClient)
    named = set(sentinel_client.sentinels.sentinels)

    primaries = await asyncio.gather(*(sentinel_client.sentinels.discover_master("locanda") for _ in range(5)))

    assert primaries == [("127.0.0.1", watched.primary.port)] * 5
    assert set(sentinel_client.sentinels.sentinels) == named
    await sentinel_client.aclose()
