from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestClient, TestServer

from services.telegram.mini_app.server import MiniAppServer
from tests.emulator import Emulator, Person
from tests.telegram.harness import BotHarness, bot_harness
from tests.telegram.mini_app.page import APP, Page


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    """A running bot with a Mini App, to which Anna has written before."""
    async with bot_harness(telegram, environment=APP) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened


@pytest.fixture
async def page(harness: BotHarness, telegram: Emulator) -> AsyncIterator[Page]:
    assert harness.context is not None
    application = MiniAppServer(harness.context, telegram.token).application()
    async with TestClient(TestServer(application)) as client:
        yield Page(client, telegram.token)
