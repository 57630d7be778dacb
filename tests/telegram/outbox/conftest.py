from collections.abc import AsyncIterator

import pytest

from services.telegram.outbox.outbox import Outbox
from tests.telegram.fakes import FakeApi, FakeClock, FakeListener
from tests.telegram.outbox.post import Post


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    clock, listener = FakeClock(), FakeListener()
    api = FakeApi(clock)
    outbox = Outbox(api, clock=clock)
    async with outbox.delivering(listener):
        yield Post(outbox, api, clock, listener)
        await clock.advance(120)
