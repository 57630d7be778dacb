"""An ordinary bot of python-telegram-bot works with the emulator; only its base URL is changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

from tests.emulator import Emulator, Person, TapAnswer

Context = ContextTypes.DEFAULT_TYPE


async def play(update: Update, _: Context) -> None:
    assert update.effective_chat is not None
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("Siediti", callback_data="sit")]])
    await update.effective_chat.send_message("<b>Gatto Rosso</b>", "HTML", reply_markup=markup)


async def sit(update: Update, context: Context) -> None:
    query = update.callback_query
    assert query is not None
    await query.answer(url=f"https://t.me/{context.bot.username}?start=sit")
    await query.edit_message_text(f"Siede {query.from_user.first_name}")


async def start(update: Update, context: Context) -> None:
    assert update.effective_chat is not None
    await update.effective_chat.send_message(f"Benvenuto, {' '.join(context.args or [])}")


Bot = Application[Any, Any, Any, Any, Any, Any]


def built(telegram: Emulator) -> Bot:
    bot: Bot = Application.builder().token(telegram.token).base_url(f"{telegram.url}/bot").build()
    bot.add_handlers([CommandHandler("gioca", play), CallbackQueryHandler(sit), CommandHandler("start", start)])
    return bot


@asynccontextmanager
async def running(telegram: Emulator) -> AsyncIterator[None]:
    # In a thread, because the library reads files while it builds the bot.
    bot = await asyncio.to_thread(built, telegram)
    assert bot.updater is not None
    async with bot:
        await bot.start()
        await bot.updater.start_polling(poll_interval=0, timeout=5)
        try:
            yield
        finally:
            await bot.updater.stop()
            await bot.stop()


async def test_a_bot_plays_by_polling(telegram: Emulator, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna, bruno])
    async with running(telegram):
        await anna.says(group, "/gioca")
        await group.sees("Gatto Rosso", button="Siediti")
        answer = await bruno.taps(group, "Siediti")
        assert answer == TapAnswer(url="https://t.me/locanda_bot?start=sit")
        await bruno.opens(answer.url)
        await bruno.private.sees("Benvenuto, sit")
        await group.sees("Siede Bruno")
    assert telegram.pending == []


async def test_what_happened_while_the_bot_was_down_reaches_it_afterwards(
    telegram: Emulator, anna: Person, bruno: Person
) -> None:
    group = telegram.group("Amici", [anna, bruno])
    async with running(telegram):
        await anna.says(group, "/gioca")
        await group.sees(button="Siediti")
    tap = bruno.presses(group, "Siediti")
    await anna.says(anna.private, "/start di nuovo")
    assert len(telegram.pending) == 2
    async with running(telegram):
        assert (await tap.answer()).url
        await anna.private.sees("Benvenuto, di nuovo")


async def test_a_broken_body_is_refused(telegram: Emulator) -> None:
    async with aiohttp.ClientSession() as session:
        headers = {"Content-Type": "application/json"}
        response = await session.post(f"{telegram.url}/bot{telegram.token}/getMe", data="{", headers=headers)
        assert (await response.json())["description"] == "Bad Request: can't parse JSON object"


async def test_requests_may_be_json_forms_or_queries(telegram: Emulator, anna: Person) -> None:
    url = f"{telegram.url}/bot{telegram.token}/SENDMESSAGE"
    keyboard = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
    form = aiohttp.FormData({"chat_id": str(anna.id), "text": "modulo"}, default_to_multipart=True)
    async with aiohttp.ClientSession() as session:
        await session.post(url, json={"chat_id": anna.id, "text": "json", "reply_markup": keyboard})
        await session.post(url, data=form)
        await session.get(url, params={"chat_id": str(anna.id), "text": "indirizzo"})
    assert [message.text for message in anna.private.messages] == ["json", "modulo", "indirizzo"]
    assert anna.private.messages[0].labels == ["A"]
    assert {call.method for call in telegram.journal} == {"sendMessage"}


async def test_a_failure_of_the_emulator_itself_is_not_mistaken_for_telegrams() -> None:
    async def ask(telegram: Emulator) -> None:
        async with telegram, aiohttp.ClientSession() as session:
            telegram.world.bot = None  # type: ignore[assignment]
            assert (await session.get(f"{telegram.url}/bot{telegram.token}/getMe")).status == 500

    with pytest.raises(RuntimeError, match="the emulator failed"):
        await ask(Emulator())
