from collections.abc import AsyncIterator

import pytest

from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, running_engine, seat_players


@pytest.fixture(autouse=True)
def _fresh_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.engine.http.server.metrics.EXPOSITION_SECONDS", 0.0)


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    """An engine with a store of its own and no limits."""
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
