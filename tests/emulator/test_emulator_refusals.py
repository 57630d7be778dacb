from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, ReplyKeyboardMarkup, ReplyParameters, WebAppInfo
from telegram.error import ChatMigrated, EndPointNotFound, Forbidden, InvalidToken

from tests.emulator import Emulator, Person
from tests.emulator.clients import refused


def keyboard(*labels: str, data: str = "x") -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton(label, callback_data=data)] for label in labels])


async def test_callback_data_of_65_bytes(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await bot.send_message(anna.id, "x", reply_markup=keyboard("A", data="è" * 32))
    with refused(telegram, "Bad Request: BUTTON_DATA_INVALID"):
        await bot.send_message(anna.id, "x", reply_markup=keyboard("A", data="è" * 32 + "x"))


async def test_4097_characters(telegram: Emulator, bot: Bot, anna: Person) -> None:
    message = await bot.send_message(anna.id, "x" * 4096)
    with refused(telegram, "Bad Request: message is too long"):
        await bot.send_message(anna.id, "x" * 4097)
    with refused(telegram, "Bad Request: MESSAGE_TOO_LONG"):
        await message.edit_text("x" * 4097)


async def test_an_edit_that_changes_nothing(telegram: Emulator, bot: Bot, anna: Person) -> None:
    message = await bot.send_message(anna.id, "<b>x</b>", "HTML", reply_markup=keyboard("A"))
    words = (
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as"
        " a current content and reply markup of the message"
    )
    with refused(telegram, words):
        await message.edit_text(" *x* ", "MarkdownV2", reply_markup=keyboard("A"))
    with refused(telegram, words):
        await message.edit_reply_markup(keyboard("A"))
    await message.edit_text("x", reply_markup=keyboard("A"))
    await message.edit_reply_markup(None)
    with refused(telegram, words):
        await message.edit_reply_markup(None)


async def test_messages_that_are_not_there(telegram: Emulator, bot: Bot, anna: Person) -> None:
    message = await bot.send_message(anna.id, "x")
    await message.delete()
    with refused(telegram, "Bad Request: message to edit not found"):
        await message.edit_text("y")
    with refused(telegram, "Bad Request: message to delete not found"):
        await message.delete()
    with refused(telegram, "Bad Request: message to be replied not found"):
        await message.reply_text("y", reply_parameters=ReplyParameters(message.message_id))
    with refused(telegram, "Bad Request: message to pin not found"):
        await message.pin()


async def test_messages_of_others(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna, bruno])
    said = await anna.says(group, "/gioca")
    with refused(telegram, "Bad Request: message can't be edited"):
        await bot.edit_message_text("x", group.id, said.id)
    with refused(telegram, "Bad Request: message can't be deleted"):
        await bot.delete_message(group.id, said.id)
    await anna.promotes_bot(group)
    assert await bot.delete_message(group.id, said.id)
    assert said.deleted


async def test_own_messages_can_be_deleted_for_48_hours(telegram: Emulator, bot: Bot, anna: Person) -> None:
    message = await bot.send_message(anna.id, "x")
    telegram.clock.advance(48 * 3600 + 2)
    with refused(telegram, "Bad Request: message can't be deleted for everyone"):
        await message.delete()


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"text": "x"}, "chat_id is empty"),
        ({"chat_id": 5, "text": "x"}, "chat not found"),
        ({"chat_id": "@nobody", "text": "x"}, "chat not found"),
        ({"text": ""}, "message text is empty"),
        ({}, "message text is empty"),
        ({"text": "x", "txt": "y"}, 'unknown parameter "txt" in sendMessage'),
        ({"text": "x", "reply_markup": "{"}, "can't parse reply keyboard markup JSON object"),
        ({"text": "x", "reply_markup": "[]"}, "object expected as reply markup"),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [{}]}'},
            'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"text": "A"}]]}'},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"text": "A", "callback_data": ""}]]}'},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"callback_data": "A"}]]}'},
            'can\'t parse inline keyboard button: Can\'t find field "text"',
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"text": "", "callback_data": "A"}]]}'},
            "inline keyboard button text must be non-empty",
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"text": "A", "url": "t.me", "style": "red"}]]}'},
            "can't parse inline keyboard button: invalid button style specified",
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"text": "A", "url": "qui"}]]}'},
            "inline keyboard button URL 'qui' is invalid: Wrong HTTP URL",
        ),
        (
            {"text": "x", "reply_markup": '{"inline_keyboard": [[{"text": "A", "callback_data": "A", "colour": 1}]]}'},
            'unknown field "colour" in reply_markup.inline_keyboard[0][0]',
        ),
        ({"text": "x", "entities": '[{"type": "bold", "offset": "a", "length": 1}]'}, None),
        ({"text": "x", "disable_notification": "perhaps"}, None),
    ],
)  # fmt: skip
async def test_payloads_that_are_not_the_bot_apis(
    telegram: Emulator, anna: Person, params: dict[str, Any], words: str | None
) -> None:
    params = params if words == "chat_id is empty" else {"chat_id": anna.id} | params
    async with aiohttp.ClientSession() as session:
        response = await session.post(f"{telegram.url}/bot{telegram.token}/sendMessage", data=params)
        answer = await response.json()
    assert (response.status, answer["ok"], answer["error_code"]) == (400, False, 400)
    assert words is None or answer["description"] == f"Bad Request: {words}"
    assert anna.private.messages == []


async def test_telegram_itself_ignores_what_it_does_not_know(anna: Person) -> None:
    async with Emulator(strict=False) as telegram:
        carla = telegram.person("Carla", started=True)
        async with aiohttp.ClientSession() as session:
            params = {"chat_id": str(carla.id), "text": "x", "txt": "y"}
            response = await session.get(f"{telegram.url}/bot{telegram.token}/sendMessage", params=params)
        assert response.status == 200
        assert carla.private.shows("x")


async def test_more_than_100_buttons(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await bot.send_message(anna.id, "x", reply_markup=keyboard(*map(str, range(100))))
    with refused(telegram, "Bad Request: reply markup is too long"):
        await bot.send_message(anna.id, "x", reply_markup=keyboard(*map(str, range(101))))
    with refused(telegram, "Bad Request: reply markup is too long"):
        await bot.send_message(anna.id, "x", reply_markup=keyboard(*(str(n) * 40 for n in range(90)), data="x" * 64))


async def test_rows_of_more_than_eight_buttons_are_broken(bot: Bot, anna: Person) -> None:
    row = [InlineKeyboardButton(str(n), callback_data="x") for n in range(10)]
    await bot.send_message(anna.id, "x", reply_markup=InlineKeyboardMarkup([row]))
    assert [len(row) for row in anna.private.messages[-1].rows] == [8, 2]


async def test_web_apps_in_groups(telegram: Emulator, bot: Bot, anna: Person) -> None:
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("Apri", web_app=WebAppInfo("https://example.org"))]])
    await bot.send_message(anna.id, "x", reply_markup=markup)
    with refused(telegram, "Bad Request: BUTTON_TYPE_INVALID"):
        await bot.send_message(telegram.group("Amici", [anna]).id, "x", reply_markup=markup)


async def test_edits_take_inline_keyboards_only(telegram: Emulator, bot: Bot, anna: Person) -> None:
    message = await bot.send_message(anna.id, "x", reply_markup=ReplyKeyboardMarkup([["A"]]))
    with refused(telegram, "Bad Request: inline keyboard expected"):
        await message.edit_text("y", api_kwargs={"reply_markup": '{"force_reply": true}'})


async def test_people_the_bot_may_not_write_to(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    with refused(telegram, "Forbidden: bot can't initiate conversation with a user", Forbidden):
        await bot.send_message(bruno.id, "x")
    await bruno.starts()
    message = await bot.send_message(bruno.id, "x")
    await bruno.blocks_bot()
    with refused(telegram, "Forbidden: bot was blocked by the user", Forbidden):
        await bot.send_message(bruno.id, "x")
    with refused(telegram, "Forbidden: bot was blocked by the user", Forbidden):
        await message.edit_text("y")
    await bruno.unblocks_bot()
    await message.edit_text("y")
    await bruno.deletes_account()
    with refused(telegram, "Forbidden: user is deactivated", Forbidden):
        await bot.send_message(bruno.id, "x")


async def test_groups_the_bot_is_not_in(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group, club = telegram.group("Amici", [anna]), telegram.supergroup("Circolo", [anna])
    elsewhere = telegram.supergroup("Altrove", [anna], bot="absent")
    with refused(telegram, "Forbidden: bot is not a member of the supergroup chat", Forbidden):
        await bot.send_message(elsewhere.id, "x")
    await anna.removes_bot(group)
    with refused(telegram, "Forbidden: bot was kicked from the group chat", Forbidden):
        await bot.send_message(group.id, "x")
    await anna.removes_bot(club)
    with refused(telegram, "Forbidden: bot was kicked from the supergroup chat", Forbidden):
        await bot.send_message(club.id, "x")
    await anna.adds_bot(group)
    await bot.send_message(group.id, "x")
    await bot.leave_chat(group.id)
    with refused(telegram, "Forbidden: bot is not a member of the group chat", Forbidden):
        await bot.send_message(group.id, "x")


async def test_a_group_where_members_may_not_write(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group = telegram.group("Amici", [anna])
    group.forbids_writing(True)
    with refused(telegram, "Bad Request: not enough rights to send text messages to the chat"):
        await bot.send_message(group.id, "x")
    with refused(telegram, "Bad Request: not enough rights to send text messages to the chat"):
        await bot.send_chat_action(group.id, "typing")


async def test_threads_that_are_no_topics(telegram: Emulator, bot: Bot, anna: Person) -> None:
    club, forum = telegram.supergroup("Circolo", [anna]), telegram.forum("Foro", [anna])
    first = await anna.says(club, "chi gioca?")
    reply = await anna.says(club, "/gioca", reply_to=first)
    assert reply.as_json()["message_thread_id"] == first.id
    assert "is_topic_message" not in reply.as_json()
    with refused(telegram, "Bad Request: message thread not found"):
        await bot.send_message(club.id, "x", message_thread_id=first.id)
    with refused(telegram, "Bad Request: message thread not found"):
        await bot.send_message(forum.id, "x", message_thread_id=1)


async def test_a_group_that_became_a_supergroup(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group = telegram.group("Amici", [anna])
    old, message = group.id, await bot.send_message(group.id, "x")
    await anna.upgrades(group)
    words = "Bad Request: group chat was upgraded to a supergroup chat"
    with refused(telegram, words, ChatMigrated):
        await bot.send_message(old, "x")
    assert telegram.journal[-1].answer["parameters"] == {"migrate_to_chat_id": group.id}
    with refused(telegram, "Bad Request: MESSAGE_ID_INVALID"):
        await message.edit_text("y")
    await bot.send_message(group.id, "x")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"text": "x" * 201, "show_alert": True}, "MESSAGE_TOO_LONG"),
        ({"url": "https://example.org"}, "URL_INVALID"),
        ({"url": "https://t.me/other_bot?start=x"}, "URL_INVALID"),
        ({"url": f"https://t.me/locanda_bot?start={'x' * 65}"}, "URL_INVALID"),
    ],
)
async def test_answers_that_nobody_would_see(
    telegram: Emulator, bot: Bot, anna: Person, answer: dict[str, Any], words: str
) -> None:
    await bot.send_message(anna.id, "x", reply_markup=keyboard("A"))
    anna.presses(anna.private, "A")
    query = telegram.pending[-1].payload["id"]
    with refused(telegram, f"Bad Request: {words}"):
        await bot.answer_callback_query(query, **answer)


async def test_answers_that_come_too_late(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await bot.send_message(anna.id, "x", reply_markup=keyboard("A"))
    anna.presses(anna.private, "A")
    telegram.clock.advance(16)
    words = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    with refused(telegram, words):
        await bot.answer_callback_query(telegram.pending[-1].payload["id"])
    with refused(telegram, words):
        await bot.answer_callback_query("12345")


async def test_unknown_methods_and_tokens(telegram: Emulator, bot: Bot) -> None:
    with pytest.raises(EndPointNotFound):
        await bot.do_api_request("sendTelepathy")
    with pytest.raises(InvalidToken):
        async with Bot("123:wrong", base_url=f"{telegram.url}/bot"):
            pass
    async with aiohttp.ClientSession() as session:
        response = await session.get(f"{telegram.url}/elsewhere")
        assert (response.status, (await response.json())["description"]) == (404, "Not Found")


async def test_commands_that_telegram_does_not_take(telegram: Emulator, bot: Bot) -> None:
    with refused(telegram, "Bad Request: BOT_COMMAND_INVALID"):
        await bot.set_my_commands([("Gioca", "Si gioca")])
    with refused(telegram, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID"):
        await bot.set_my_commands([("gioca", "x" * 257)])
