from collections.abc import AsyncIterator

import pytest

from tests.e2e.friends import Friends
from tests.e2e.house import House, opened
from tests.emulator import Emulator
from tests.redis_server import RedisServer


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
async def house(telegram: Emulator, redis_server: RedisServer) -> AsyncIterator[House]:
    async with opened(telegram, redis_server.url) as house:
        yield house


@pytest.fixture
def friends(telegram: Emulator) -> Friends:
    return Friends(telegram)
