from collections.abc import AsyncIterator
from functools import partial

import pytest

from services.engine import app
from services.engine.clock import Clock
from tests.engine.http.house import house


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of an engine whose computer players do not think, and are woken soon."""
    monkeypatch.setattr(app, "Clock", partial(Clock, tick=0.04))
    async with house() as running:
        yield running.url("/").rstrip("/")
