"""Lobbies that nobody fills are closed; matches that are long over are forgotten."""

import time

from services.telegram.feed.chores import LOBBY_IDLE, Chores
from services.telegram.memory.memory import Memory
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.acts import open_lobby
from tests.telegram.inn import Inn


async def test_a_lobby_that_nobody_touches_for_hours_is_closed(house: Inn, anna: Person, group: Chat) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    assert house.rooms is not None
    chores = Chores(house.engine, house.rooms.memory, house.rooms.feed)
    await chores.sweep(time.time() + LOBBY_IDLE / 2)
    assert group.shows(button="Siediti") is not None
    await chores.sweep(time.time() + LOBBY_IDLE + 60)
    await group.sees("Il tavolo è chiuso")
    assert await Memory(house.redis).rooms.live() == []
