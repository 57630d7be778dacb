"""An engine with its page, and people who open it in a browser."""

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path

import pytest

from services.engine.http.website import Website
from tests.engine.http.engine_server import RunningEngine, quicken_clocks, running_engine
from tests.web.visitors import Browser, launched

PAGE = Path(__file__).parents[2] / "services" / "web"


@cache
def website() -> Website:
    return Website(PAGE)


@pytest.fixture
async def engine(inline: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    """An engine on a free port that serves the page; its computer players move at once."""
    quicken_clocks(monkeypatch)
    async with running_engine(website=await asyncio.to_thread(website)) as engine:
        yield engine


@pytest.fixture
async def browser(engine: RunningEngine) -> AsyncIterator[Browser]:
    """A browser for pages of the engine; at the end, none of them may have logged an error that was not expected."""
    async with launched(engine.url("/")) as browser:
        yield browser
        browser.assert_no_errors()
