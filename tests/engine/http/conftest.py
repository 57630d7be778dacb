from collections.abc import AsyncIterator

import pytest

from tests.engine.http.house import House, Players, gather, house


@pytest.fixture
async def engine() -> AsyncIterator[House]:
    """An engine with a store of its own and no limits."""
    async with house() as running:
        yield running


@pytest.fixture
async def players(engine: House) -> Players:
    """Three people at an open table."""
    return await gather(engine)


@pytest.fixture
async def playing(players: Players) -> Players:
    """Three people in a match."""
    await players.start()
    return players
