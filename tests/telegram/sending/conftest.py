from collections.abc import AsyncIterator

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.sending.outbox import Outbox
from tests.telegram.fakes import FakeApi, FakeClock, FakeOutboxListener, OutboxHarness


@pytest.fixture
async def outbox_harness() -> AsyncIterator[OutboxHarness]:
    clock, listener = FakeClock(), FakeOutboxListener()
    api = FakeApi(clock)
    outbox = Outbox(api, clock=clock, outages=(RedisConnectionError,))
    async with outbox.delivering(listener):
        yield OutboxHarness(outbox, api, clock, listener)
        await clock.advance(120)
