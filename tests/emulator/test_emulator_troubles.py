from __future__ import annotations

import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError, RetryAfter

from tests.emulator import Emulator, FloodLimits, Person
from tests.emulator.refusals import Fault, Spoiling


async def waits(telegram: Emulator, bot: Bot, chat_id: int) -> int | None:
    """Send a message; return the seconds of the refusal 429, or None if the message was sent."""
    try:
        await bot.send_message(chat_id, "x")
    except RetryAfter:
        return int(telegram.journal[-1].answer["parameters"]["retry_after"])
    return None


async def test_without_limits_nothing_is_too_fast(telegram: Emulator, bot: Bot, anna: Person) -> None:
    assert [await waits(telegram, bot, anna.id) for _ in range(40)] == [None] * 40


async def test_a_burst_then_one_a_second_in_a_chat(telegram: Emulator, bot: Bot, anna: Person) -> None:
    telegram.limits = FloodLimits(chat_burst=3)
    assert [await waits(telegram, bot, anna.id) for _ in range(4)] == [None, None, None, 1]
    telegram.clock.advance(1)
    assert await waits(telegram, bot, anna.id) is None


async def test_twenty_a_minute_in_a_group_sends_and_edits_together(telegram: Emulator, bot: Bot, anna: Person) -> None:
    telegram.limits = FloodLimits(group_per_minute=20)
    group = telegram.group("Amici", [anna])
    message = await bot.send_message(group.id, "x")
    for n in range(19):
        await message.edit_text(str(n))
    with pytest.raises(RetryAfter):
        await message.edit_text("y")
    answer = telegram.journal[-1].answer
    retry_after = answer["parameters"]["retry_after"]
    assert 55 <= retry_after <= 60
    assert answer["description"] == f"Too Many Requests: retry after {retry_after}"
    assert telegram.journal[-1].status == 429
    assert await waits(telegram, bot, anna.id) is None
    telegram.clock.advance(61)
    assert await waits(telegram, bot, group.id) is None


async def test_thirty_a_second_in_all(telegram: Emulator, bot: Bot) -> None:
    telegram.limits = FloodLimits(total_per_second=30)
    people = [telegram.person(f"P{n}", started=True) for n in range(31)]
    for person in people[:30]:
        telegram.world.flood.spend(person.private.state)
    assert await waits(telegram, bot, people[30].id) == 1


async def test_a_flood_in_one_chat_is_no_flood_in_another(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group = telegram.group("Amici", [anna])
    telegram.flood(group, 30)
    assert await waits(telegram, bot, group.id) == 30
    assert await waits(telegram, bot, anna.id) is None
    telegram.clock.advance(31)
    assert await waits(telegram, bot, group.id) is None


async def test_a_call_that_fails_has_no_effect(telegram: Emulator, bot: Bot, anna: Person) -> None:
    telegram.fail_next("sendMessage", 502)
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(anna.id, "x")
    assert anna.private.messages == []
    await bot.send_message(anna.id, "x")
    telegram.fail_next("editMessageText", 400, "Bad Request: MESSAGE_ID_INVALID")
    with pytest.raises(BadRequest, match="Message_id_invalid"):
        await bot.edit_message_text("y", anna.id, anna.private.messages[0].id)


async def test_a_connection_cut_after_the_effect(telegram: Emulator, bot: Bot, anna: Person) -> None:
    telegram.drop_next("sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(anna.id, "x")
    assert [message.text for message in anna.private.messages] == ["x"]


async def test_a_connection_cut_before_the_effect(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    await bruno.starts()
    telegram.drop_next("sendMessage", before=True, chat=anna.private)
    await bot.send_message(bruno.id, "x")
    with pytest.raises(NetworkError):
        await bot.send_message(anna.id, "x")
    assert anna.private.messages == []


async def test_an_outage_cuts_everything(telegram: Emulator, bot: Bot, anna: Person) -> None:
    with telegram.outage(), pytest.raises(NetworkError):
        await bot.get_me()
    assert (await bot.get_me()).username == "locanda_bot"


async def test_a_slow_answer_comes_all_the_same(telegram: Emulator, bot: Bot, anna: Person) -> None:
    telegram.delay_next("sendMessage", 0.2)
    assert (await bot.send_message(anna.id, "x")).text == "x"


@pytest.mark.parametrize(
    ("spoils", "words"), [("deleted", "Message to edit not found"), ("fixed", "Message can't be edited")]
)
async def test_a_message_that_was_deleted_or_can_be_edited_no_more_is_so_for_good(
    telegram: Emulator, bot: Bot, anna: Person, spoils: Spoiling, words: str
) -> None:
    message = await bot.send_message(anna.id, "x")
    telegram.world.faults.ordered.append(Fault("editMessageText", 1, spoils=spoils))
    for _ in range(2):
        with pytest.raises(BadRequest, match=words):
            await message.edit_text("y")
