from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import EndPointNotFound

from tests.emulator import Chat, Emulator, Person
from tests.emulator.clients import connected, refused


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator(ephemeral=True) as telegram:
        yield telegram


@pytest.fixture
def group(telegram: Emulator, anna: Person, bruno: Person) -> Chat:
    return telegram.supergroup("Circolo", [anna, bruno])


async def send(bot: Bot, group: Chat, receiver: Person, query: str | None = None) -> dict[str, Any]:
    ephemeral: dict[str, Any] = {"receiver_user_id": receiver.id} | ({"callback_query_id": query} if query else {})
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("7♥", callback_data="7h")]])
    message = await bot.send_message(
        group.id, "La tua mano", reply_markup=markup, api_kwargs={"ephemeral_message_parameters": ephemeral}
    )
    return {"message_id": message.message_id} | dict(message.api_kwargs)


async def tapped(telegram: Emulator, bot: Bot, group: Chat, person: Person) -> str:
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("La mia mano", callback_data="hand")]])
    await bot.send_message(group.id, "x", reply_markup=markup)
    person.presses(group, "La mia mano")
    return str(telegram.pending[-1].payload["id"])


async def test_after_a_tap_only_the_tapper_sees_it(
    telegram: Emulator, bot: Bot, group: Chat, anna: Person, bruno: Person
) -> None:
    answer = await send(bot, group, anna, await tapped(telegram, bot, group, anna))
    assert answer["message_id"] == 0
    assert answer["ephemeral_message_id"] >= 1
    assert answer["receiver_user"]["id"] == anna.id
    assert (await anna.sees(group, "La tua mano")).only_for is anna.user
    assert group.shows("La tua mano") is None
    assert group.shows("La tua mano", viewer=bruno.user) is None
    assert group.history[-1].to == {anna.id}
    assert not any("La tua mano" in call.payload for call in telegram.journal.readable_by_others(anna.id))


async def test_it_can_be_tapped_edited_and_deleted(telegram: Emulator, bot: Bot, group: Chat, anna: Person) -> None:
    await anna.promotes_bot(group)
    answer = await send(bot, group, anna)
    anna.presses(group, "7♥")
    message = telegram.pending[-1].payload["message"]
    assert (message["message_id"], message["ephemeral_message_id"]) == (0, answer["ephemeral_message_id"])
    named = {"chat_id": group.id, "receiver_user_id": anna.id, "ephemeral_message_id": answer["ephemeral_message_id"]}
    assert await bot.do_api_request("editEphemeralMessageText", named | {"text": "Hai giocato"})
    await anna.sees(group, "Hai giocato")
    assert await bot.do_api_request("deleteEphemeralMessage", named)
    assert group.shows("Hai giocato", viewer=anna.user) is None
    with refused(telegram, "Bad Request: message to edit not found"):
        await bot.do_api_request("editEphemeralMessageText", named | {"text": "x"})


async def test_a_plain_member_needs_a_fresh_tap_of_that_person(
    telegram: Emulator, bot: Bot, group: Chat, anna: Person, bruno: Person
) -> None:
    with refused(telegram, "Bad Request: CHAT_ADMIN_REQUIRED"):
        await send(bot, group, anna)
    query = await tapped(telegram, bot, group, anna)
    too_old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    with refused(telegram, too_old):
        await send(bot, group, bruno, query)
    telegram.clock.advance(16)
    with refused(telegram, too_old):
        await send(bot, group, anna, query)


async def test_an_old_server_sends_it_to_everyone() -> None:
    async with Emulator() as telegram, connected(telegram) as bot:
        anna = telegram.person("Anna")
        group = telegram.group("Amici", [anna])
        answer = await send(bot, group, anna)
        assert "ephemeral_message_id" not in answer
        assert group.shows("La tua mano")
        assert list(telegram.journal.readable_by_others(anna.id)) == telegram.journal.of("sendMessage")
        with pytest.raises(EndPointNotFound):
            await bot.do_api_request("deleteEphemeralMessage", {"chat_id": group.id})
