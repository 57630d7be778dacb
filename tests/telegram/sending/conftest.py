from collections.abc import AsyncIterator

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.telegram.sending.outbox import Outbox
from tests.telegram.fakes import FakeApi, FakeClock, FakeStore, OutboxHarness


@pytest.fixture
async def outbox_harness() -> AsyncIterator[OutboxHarness]:
    clock, store = FakeClock(), FakeStore()
    api = FakeApi(clock)
    outbox = Outbox(api, store, clock=clock, outages=(RedisConnectionError,))
    async with outbox.delivering():
        yield OutboxHarness(outbox, api, clock, store)
        await clock.advance(120)
