from collections.abc import AsyncIterator

import pytest

from tests.engine.http.house import house


@pytest.fixture
async def server() -> AsyncIterator[str]:
    """The address of an engine whose computer players do not think."""
    async with house() as running:
        yield running.url("/").rstrip("/")
