"""Housekeeping: idle open tables are closed."""

import time

from services.telegram.following.housekeeping import LOBBY_IDLE, Housekeeping
from services.telegram.repositories import Repositories
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import open_lobby


async def test_a_lobby_that_is_idle_for_hours_is_closed(harness: BotHarness, anna: Person, group: Chat) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    assert harness.context is not None
    housekeeping = Housekeeping(harness.engine, harness.context.repositories, harness.context.followers)
    await housekeeping.sweep(time.time() + LOBBY_IDLE / 2)
    assert group.shows(button="Siediti") is not None
    await housekeeping.sweep(time.time() + LOBBY_IDLE + 60)
    await group.sees("Il tavolo è chiuso")
    assert await Repositories(harness.redis).chat_tables.refs() == []
