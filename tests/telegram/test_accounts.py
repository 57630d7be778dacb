"""Each chat has its own account at the engine."""

import re
from collections.abc import AsyncIterator

import pytest
from msgspec import structs

from services.telegram.accounts import account_names, acting_for
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import ENGINE_SETTINGS, BotHarness, bot_harness
from tests.telegram.lobby_steps import open_lobby

MOST_TABLES = 2


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    settings = structs.replace(
        ENGINE_SETTINGS, engine_tables_per_minute=MOST_TABLES, engine_accounts_key="a key of host and bot"
    )
    async with bot_harness(telegram, engine_settings=settings) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened


@pytest.mark.usefixtures("harness")
async def test_a_group_that_has_opened_all_tables_of_a_minute_keeps_no_other_from_opening_its_own(
    telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    for other in (bruno, carla):
        await other.starts()
        await other.private.sees("Benvenuti alla locanda")
    for opener in (anna, bruno)[:MOST_TABLES]:
        await open_lobby(opener, group)
        await group.sees(f"👤 {opener.name}")
    question = await carla.says(group, "/gioca")
    offer = await group.sees("A che cosa giochiamo?", after=question)
    answer = await carla.taps(group, "Gatto Rosso", message=offer)
    assert "Piano piano" in (answer.text or "")
    others = telegram.supergroup("Vicini", [bruno, carla])
    await open_lobby(carla, others)
    await others.sees("👤 Carla")


def test_the_name_of_an_account_is_of_one_chat_and_tells_nothing_of_it() -> None:
    names = account_names("1:token")
    assert names() is None
    with acting_for(-100_123):
        name = names()
        assert name == names()
        assert re.fullmatch("[0-9a-f]{32}", name or "")
        assert account_names("2:token")() != name
    with acting_for(-100_124):
        assert names() != name
    assert names() is None
