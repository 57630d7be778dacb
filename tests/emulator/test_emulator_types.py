"""The emulator's responses agree with the Bot API: aiogram's types decode them and have every field."""

from __future__ import annotations

from collections.abc import Iterator

import telegram as client
from pydantic import BaseModel, TypeAdapter
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, ReplyParameters

from tests.emulator import Emulator, Person
from tests.emulator.bot_api_types import build, built_type, methods


def unknown_fields(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from (f"{path}.{name}" for name in value.model_extra or {})
        for name in type(value).model_fields:
            yield from unknown_fields(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield from unknown_fields(item, path)


async def everything(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    """Cause every kind of chat, message, update and answer."""
    telegram.world.updates.allow(["message", "callback_query", "my_chat_member", "chat_member"])
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("A", callback_data="a", style="primary")]])
    group, forum = telegram.group("Amici", [anna]), telegram.forum("Foro", [anna], bot="administrator")
    topic = forum.topic("Carte")
    await bruno.starts("x")
    await bruno.joins(forum)
    await anna.promotes(forum, bruno)
    await bruno.leaves(forum)
    await anna.says(topic, "/gioca @anna_b")
    said = await anna.says(group, "/gioca", anonymous=True)
    html = '<b>x</b> <tg-time unix="1700000000">y</tg-time> <a href="https://example.org">z</a> <code>w</code>'
    sent = await bot.send_message(
        group.id, html, "HTML", reply_markup=keyboard, reply_parameters=ReplyParameters(said.id)
    )
    await bot.send_message(forum.id, "x", message_thread_id=topic.thread)
    anna.presses(group, "A")
    stale = group.messages[-1].button("A")
    await sent.edit_text("y", reply_markup=keyboard)
    await bot.answer_callback_query(telegram.pending[-1].payload["id"], "x")
    await sent.delete()
    anna.presses(group, stale)
    pinned = await bot.send_message(forum.id, "x")
    await pinned.pin()
    for chat in (group, forum, bruno.private):
        await bot.get_chat(chat.id)
        await bot.get_chat_member(chat.id, anna.id)
        await bot.get_chat_member_count(chat.id)
    await bot.get_chat_administrators(forum.id)
    await bot.get_chat_member(forum.id, bruno.id)
    await bot.set_my_commands([("gioca", "Gioca")])
    await bot.get_my_commands()
    await bot.set_my_description("x")
    await bot.get_my_description()
    await bot.set_my_short_description("x")
    await bot.get_my_short_description()
    await bot.get_my_name()
    await bot.get_me()
    await bot.get_webhook_info()
    await bot.send_chat_action(group.id, "typing")
    await anna.removes_bot(forum)
    await anna.upgrades(group)
    await bruno.blocks_bot()


async def test_every_update_is_the_bot_apis(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    await everything(telegram, bot, anna, bruno)
    kinds = {update.kind for update in telegram.pending}
    assert kinds == {"message", "callback_query", "my_chat_member", "chat_member"}
    for update in telegram.pending:
        parsed = built_type("Update").model_validate(update.as_json())
        assert list(unknown_fields(parsed)) == []
        assert client.Update.de_json(update.as_json(), bot).update_id == update.id


async def test_every_answer_is_the_bot_apis(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    await everything(telegram, bot, anna, bruno)
    assert len({call.method for call in telegram.journal}) > 18
    for call in telegram.journal:
        assert call.status == 200, call
        returned = methods()[call.method.lower()].__returning__
        build(returned)
        assert list(unknown_fields(TypeAdapter(returned).validate_python(call.answer["result"]))) == []
