from collections.abc import AsyncIterator

import pytest

from services.engine.store import Store, connect


@pytest.fixture(params=["redis", "embedded"])
def redis_url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "embedded":
        return None
    url: str = request.getfixturevalue("redis_server").url
    return url


@pytest.fixture
async def store(redis_url: str | None) -> AsyncIterator[Store]:
    """An empty store: once on a real server, once embedded."""
    store = await connect(redis_url)
    yield store
    await store.close()


@pytest.fixture
async def replica(redis_url: str | None, store: Store) -> AsyncIterator[Store]:
    """Another process's store of the same tables."""
    replica = await connect(redis_url) if redis_url else Store(store._backend)
    yield replica
    await replica.close()
