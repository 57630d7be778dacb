"""The bot answers mentions in chats without it by an invitation, if its owner has enabled that at Telegram."""

import pytest

from tests.emulator import Emulator, Person
from tests.emulator.methods.callbacks import start_payload
from tests.telegram.harness import bot_harness


async def test_who_mentions_the_bot_where_it_is_not_gets_an_invitation_with_two_links(
    telegram: Emulator, anna: Person, bruno: Person
) -> None:
    telegram.world.behaviour.guests = True
    others = telegram.supergroup("Cugini", [anna, bruno], bot="absent")
    async with bot_harness(telegram) as harness:
        await anna.says(others, f"Una partita con @{telegram.username}?")
        shown = await others.sees("Giochiamo a carte?")
        add, alone = (button.url or "" for row in shown.rows for button in row)
        assert add == f"https://t.me/{telegram.username}?startgroup=play"
        assert start_payload(alone, telegram.username) == "play"
        await harness.settle()
        assert not [key async for key in harness.redis.scan_iter(f"*{others.id}*")]
        assert await harness.redis.exists(f"bot:person:{anna.id}") == 0


async def test_the_language_is_that_of_who_mentions_it(telegram: Emulator) -> None:
    telegram.world.behaviour.guests = True
    james = telegram.person("James", language="en")
    others = telegram.supergroup("Cousins", [james], bot="absent")
    async with bot_harness(telegram):
        await james.says(others, f"@{telegram.username}")
        await others.sees("Shall we play cards?")


async def test_where_telegram_refuses_the_answer_the_bot_goes_on(
    telegram: Emulator, anna: Person, bruno: Person
) -> None:
    telegram.world.behaviour.guests = True
    others = telegram.supergroup("Cugini", [anna, bruno], bot="absent")
    async with bot_harness(telegram):
        telegram.fail_next("answerGuestQuery", 400, "Bad Request: query is too old")
        await anna.says(others, f"@{telegram.username}")
        await bruno.says(others, f"@{telegram.username}")
        await others.sees("Giochiamo a carte?")
        assert len([message for message in others.messages if message.author is telegram.world.bot]) == 1


@pytest.mark.parametrize("guests", [True, False])
async def test_mentions_are_asked_for_only_where_the_bot_is_told_of_them(
    telegram: Emulator, anna: Person, *, guests: bool
) -> None:
    telegram.world.behaviour.guests = guests
    async with bot_harness(telegram) as harness:
        await harness.settle()
        await anna.says(anna.private, "/aiuto")
        await telegram.until(lambda: bool(telegram.journal.of("getUpdates")))
        allowed = telegram.journal.of("getUpdates")[-1].params["allowed_updates"]
        assert ("guest_message" in allowed) is guests
