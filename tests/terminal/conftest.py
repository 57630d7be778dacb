from collections.abc import AsyncIterator
from functools import partial

import pytest

from services.engine import app
from services.engine.service.clock import Pace, TableClock
from tests.engine.http.engine_server import running_engine


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of an engine whose computer players move almost at once."""
    monkeypatch.setattr(app, "TableClock", partial(TableClock, pace=Pace(tick=0.04)))
    async with running_engine() as running:
        yield running.url("/").rstrip("/")
