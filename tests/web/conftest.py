"""Fixtures: an engine with its page, people who open it in a browser, and a bot that opens it in Telegram."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser as Chromium

from locanda.client import EngineClient
from locanda.games.registry import GAME_NAMES, folder
from services.engine.http.website import Website
from services.telegram.mini_app.server import MiniAppServer
from tests.emulator import Emulator
from tests.engine.http.engine_server import RunningEngine, quicken_clocks, running_engine
from tests.redis_server import empty_database
from tests.secrecy import guarded
from tests.telegram.harness import BotHarness
from tests.telegram.mini_app.page import APP
from tests.web.mini_app import MiniApp
from tests.web.visitors import CHEAPER, Browser, UsedContexts, connected

PAGE = Path(__file__).parents[2] / "services" / "web"


@cache
def website() -> Website:
    return Website(PAGE, {name: folder(name) for name in GAME_NAMES})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of the page in one event loop, so that they share one browser driver."""
    folder = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """The browser of this process."""
    async with connected(*CHEAPER) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def used() -> UsedContexts:
    """Browser contexts that tests use in turn."""
    return UsedContexts()


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    """The port of all tests' engines, so that files in a browser's cache are valid for the next engine, too."""
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        yield reserved.getsockname()[1]


@pytest_asyncio.fixture(loop_scope="session")
async def engine(inline: None, port: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    """An engine that serves the page; its computer players move at once."""
    quicken_clocks(monkeypatch)
    async with running_engine(website=await asyncio.to_thread(website), port=port) as engine:
        yield engine


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium, engine: RunningEngine, used: UsedContexts) -> AsyncIterator[Browser]:
    """A browser for pages of the engine. The test fails at the end if a page has logged an unexpected error."""
    browser = Browser(chromium, engine.url("/"), used)
    try:
        yield browser
        browser.assert_no_errors()
    finally:
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def telegram() -> AsyncIterator[Emulator]:
    """The emulator of Telegram's servers."""
    async with Emulator() as telegram:
        yield telegram


@pytest_asyncio.fixture(loop_scope="session")
async def harness(telegram: Emulator, engine: RunningEngine) -> AsyncIterator[BotHarness]:
    """A running bot with a Mini App. Its engine serves the page."""
    async with (
        EngineClient.connect(engine.url("")) as client,
        guarded(telegram, engine.store),
        empty_database() as redis,
    ):
        harness = BotHarness(telegram, client, redis, APP)
        await harness.open()
        try:
            yield harness
        finally:
            await harness.close()
            await harness.redis.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def app(harness: BotHarness, browser: Browser) -> AsyncIterator[MiniApp]:
    """People's Telegram apps.

    They use an engine with a page, and the bot that connects the engine with the emulator.
    """
    assert harness.context is not None
    async with TestServer(MiniAppServer(harness.context, harness.telegram.token).application()) as server:
        browser.expect_errors(r"\[Telegram.WebView\]")
        yield MiniApp(browser, harness, server)
        await browser.close()  # close the pages while the bot still answers them
