from collections.abc import AsyncIterator

import pytest

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, bot_harness


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
def anna(telegram: Emulator) -> Person:
    return telegram.person("Anna", language="it")


@pytest.fixture
def bruno(telegram: Emulator) -> Person:
    return telegram.person("Bruno", language="it")


@pytest.fixture
def carla(telegram: Emulator) -> Person:
    return telegram.person("Carla", language="it")


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person, carla: Person) -> Chat:
    return telegram.supergroup("Amici", [anna, bruno, carla])


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    """A running bot to which Anna has written before."""
    async with bot_harness(telegram) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened
