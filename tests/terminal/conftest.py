from collections.abc import AsyncIterator

import pytest

from tests.engine.http.engine_server import quicken_clocks, running_engine


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of an engine whose computer players move almost at once."""
    quicken_clocks(monkeypatch, tick=0.04)
    async with running_engine() as running:
        yield running.url("/").rstrip("/")
