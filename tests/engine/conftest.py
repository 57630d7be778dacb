from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.engine.store import Store, connect
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, running_engine, seat_players


@pytest.fixture(params=["redis", "embedded"])
def redis_url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "embedded":
        return None
    url: str = request.getfixturevalue("redis_server").url
    return url


@pytest.fixture
async def store(redis_url: str | None) -> AsyncIterator[Store]:
    """An empty store. Tests run twice: with a real server and with the embedded one."""
    store = await connect(redis_url)
    yield store
    await store.close()


@pytest.fixture
async def replica(redis_url: str | None, store: Store) -> AsyncIterator[Store]:
    """A second store of the same tables, as in another process."""
    replica = await connect(redis_url) if redis_url else Store(store._backend)
    yield replica
    await replica.close()


@pytest.fixture(autouse=True)
def _fresh_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.engine.http.server.metrics.EXPOSITION_SECONDS", 0.0)


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    """An engine with its own store and without limits."""
    async with running_engine() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_engine() -> AsyncIterator[RunningEngine]:
    """An engine that all tests of a file share, because they change nothing in it. They also share an event loop."""
    async with running_engine() as running:
        yield running


@pytest.fixture
async def players(engine: RunningEngine) -> SeatedPlayers:
    """Three people at an open table."""
    return await seat_players(engine)


@pytest.fixture
async def playing(players: SeatedPlayers) -> SeatedPlayers:
    """Three people in a match."""
    await players.start()
    return players
