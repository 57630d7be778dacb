"""Members and administrators of a group are cached: most presses need no call to Telegram."""

from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from services.telegram.app import new_bot
from services.telegram.handlers.context import BELIEVED_SECONDS, DOUBTED_SECONDS, GroupMembers
from services.telegram.settings import load
from services.telegram.tables.lookup import ActionRefusedError
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def bot(telegram: Emulator) -> AsyncIterator[Bot]:
    async with new_bot(load({"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url})) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_presses_of_an_administrator_ask_once_for_a_while(
    telegram: Emulator, bot: Bot, clock: Clock, anna: Person, bruno: Person
) -> None:
    group, members = telegram.supergroup("Amici", [anna, bruno]), GroupMembers(bot, clock)
    for _ in range(5):
        assert await members.is_administrator(group.id, anna.id)
        assert not await members.is_administrator(group.id, bruno.id)
        await members.require_in(group.id, anna.id)
    assert len(telegram.journal.of("getChatMember")) == 2
    await anna.promotes(group, bruno)
    clock.now += DOUBTED_SECONDS
    assert await members.is_administrator(group.id, bruno.id)
    await anna.demotes(group, bruno)
    members.forget(group.id, bruno.id)
    assert not await members.is_administrator(group.id, bruno.id)


async def test_a_member_is_believed_for_a_while_and_somebody_outside_is_asked_for_again(
    telegram: Emulator, bot: Bot, clock: Clock, anna: Person, bruno: Person, group: Chat
) -> None:
    members, stranger = GroupMembers(bot, clock), telegram.person("Dora")
    await members.require_in(group.id, bruno.id)
    with pytest.raises(ActionRefusedError):
        await members.require_in(group.id, stranger.id)
    await stranger.joins(group)
    await bruno.leaves(group)
    await members.require_in(group.id, stranger.id)
    await members.require_in(group.id, bruno.id)
    clock.now += BELIEVED_SECONDS
    with pytest.raises(ActionRefusedError):
        await members.require_in(group.id, bruno.id)
