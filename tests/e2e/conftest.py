import math
from collections.abc import AsyncIterator

import pytest

from services.engine.store import connect
from tests.e2e.engine_and_bot import EngineAndBot, running_engine_and_bot
from tests.e2e.players import GroupPlayers
from tests.emulator import Emulator
from tests.engine.http.engine_server import quicken_clocks, running_engine
from tests.redis_server import RedisServer
from tests.secrecy import SecrecyGuard, guarded


@pytest.fixture
def redis_of_engine(request: pytest.FixtureRequest) -> RedisServer:
    """The Redis server of the test's engines."""
    name = "mortal_redis" if "mortal_redis" in request.fixturenames else "redis_server"
    server: RedisServer = request.getfixturevalue(name)
    return server


@pytest.fixture
async def guarded_telegram(redis_of_engine: RedisServer) -> AsyncIterator[tuple[Emulator, SecrecyGuard]]:
    """The emulator with a guard that fails if the bot has shown a secret."""
    store = await connect(redis_of_engine.url)
    # People who tap while a service restarts wait for their answer, even on a slow machine.
    async with Emulator(callback_seconds=math.inf) as telegram, guarded(telegram, store) as secrecy:
        yield telegram, secrecy
    await store.close()


@pytest.fixture
def telegram(guarded_telegram: tuple[Emulator, SecrecyGuard]) -> Emulator:
    return guarded_telegram[0]


@pytest.fixture
def secrecy(guarded_telegram: tuple[Emulator, SecrecyGuard]) -> SecrecyGuard:
    return guarded_telegram[1]


@pytest.fixture
async def engine_and_bot(
    telegram: Emulator, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[EngineAndBot]:
    quicken_clocks(monkeypatch)
    async with running_engine_and_bot(telegram, redis_server.url) as engine_and_bot:
        yield engine_and_bot


@pytest.fixture
async def engine_url(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of an engine in this process, for programs in other processes."""
    quicken_clocks(monkeypatch)
    async with running_engine() as engine:
        yield engine.url("/").rstrip("/")


@pytest.fixture
def players(telegram: Emulator) -> GroupPlayers:
    return GroupPlayers(telegram)
