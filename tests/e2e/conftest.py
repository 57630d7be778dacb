from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.engine_and_bot import EngineAndBot, running_engine_and_bot
from tests.e2e.players import GroupPlayers
from tests.e2e.processes import EngineProcess, running
from tests.emulator import Emulator
from tests.engine.http.engine_server import quicken_clocks
from tests.redis_server import RedisServer


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
async def engine_and_bot(
    telegram: Emulator, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[EngineAndBot]:
    quicken_clocks(monkeypatch)
    async with running_engine_and_bot(telegram, redis_server.url) as engine_and_bot:
        yield engine_and_bot


@pytest.fixture
async def engine(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[EngineProcess]:
    """An engine in a process of its own."""
    engine = EngineProcess(tmp_path / "engine.log", redis_server.url)
    async with running(engine):
        yield engine


@pytest.fixture
def players(telegram: Emulator) -> GroupPlayers:
    return GroupPlayers(telegram)
