from __future__ import annotations

import re

import pytest
from telegram import Bot, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, CallbackQuery, Update
from telegram import InlineKeyboardButton as InlineButton
from telegram import InlineKeyboardMarkup as Keyboard

from tests.emulator import ChatEvent, Emulator, NoAnswerError, NotSeenError, Person, TapAnswer


def keyboard(*labels: str) -> Keyboard:
    return Keyboard([[InlineButton(label, callback_data=f"v1:{label}") for label in labels]])


async def received(bot: Bot) -> list[Update]:
    """Return the waiting updates and confirm them."""
    updates = await bot.get_updates()
    if updates:
        await bot.get_updates(offset=updates[-1].update_id + 1)
    return list(updates)


async def query(bot: Bot) -> CallbackQuery:
    (update,) = await received(bot)
    assert update.callback_query is not None
    return update.callback_query


async def test_a_tap_on_a_rendered_button_reaches_the_bot_and_its_answer_the_tapper(
    telegram: Emulator, bot: Bot, anna: Person, bruno: Person
) -> None:
    group = telegram.group("Amici", [anna, bruno])
    await bot.send_message(group.id, "Chi gioca?", reply_markup=keyboard("Siediti", "+ Computer"))
    tap = bruno.presses(group, "Siediti")
    tapped = await query(bot)
    assert (tapped.from_user.id, tapped.data) == (bruno.id, "v1:Siediti")
    assert tapped.message is not None
    assert tapped.message.chat.id == group.id
    await tapped.answer("Sei seduto", show_alert=True)
    assert await tap.answer() == TapAnswer("Sei seduto", alert=True)
    assert bruno.toasts == [TapAnswer("Sei seduto", alert=True)]
    assert anna.toasts == []
    assert "Bruno Verdi alone reads: Sei seduto" in group.render()
    assert "Sei seduto" not in group.render(anna.user)


async def test_the_newest_message_with_the_label_is_tapped_exact_labels_first(
    telegram: Emulator, bot: Bot, anna: Person
) -> None:
    await bot.send_message(anna.id, "vecchio", reply_markup=keyboard("7♥"))
    await bot.send_message(anna.id, "nuovo", reply_markup=keyboard("17♥", "7♥"))
    anna.presses(anna.private, "7♥")
    tapped = await query(bot)
    assert isinstance(tapped.message, object)
    assert tapped.data == "v1:7♥"
    assert getattr(tapped.message, "text", None) == "nuovo"
    anna.presses(anna.private, re.compile("^1"))
    assert (await query(bot)).data == "v1:17♥"


async def test_a_button_that_is_not_there_shows_the_chat(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await bot.send_message(anna.id, "La tua mano", reply_markup=keyboard("7♥"))
    with pytest.raises(NotSeenError, match=r"Anna sees no button '8♥' in\n(.|\n)*\[ 7♥ \]"):
        await anna.taps(anna.private, "8♥")
    with pytest.raises(NotSeenError, match="La tua mano"):
        await anna.private.sees("8♥", timeout=0.01)
    with pytest.raises(NoAnswerError, match="no answer to the tap on '7♥'"):
        await anna.taps(anna.private, "7♥", timeout=0.01)


async def test_a_stale_button_still_sends_its_callback_data(telegram: Emulator, bot: Bot, anna: Person) -> None:
    message = await bot.send_message(anna.id, "prima", reply_markup=keyboard("7♥"))
    stale = anna.private.messages[0].button("7♥")
    await message.edit_text("dopo", reply_markup=keyboard("8♥"))
    anna.presses(anna.private, stale)
    assert (await query(bot)).data == "v1:7♥"
    await message.delete()
    anna.presses(anna.private, stale)
    gone = await query(bot)
    assert gone.message is not None
    assert not gone.message.is_accessible


async def test_a_deep_link_opens_the_private_chat(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna, bruno])
    await bot.send_message(group.id, "Chi gioca?", reply_markup=keyboard("Siediti"))
    tap = bruno.presses(group, "Siediti")
    await (await query(bot)).answer(url="https://t.me/locanda_bot?start=tavolo_1-A")
    await bruno.opens((await tap.answer()).url)
    (update,) = await received(bot)
    assert update.message is not None
    assert update.message.text == "/start tavolo_1-A"
    assert update.message.chat.type == "private"
    await bot.send_message(bruno.id, "Eccoti")
    await bruno.sees(bruno.private, "Eccoti")


async def test_a_button_with_a_link_asks_nobody(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await bot.send_message(
        anna.id, "x", reply_markup=Keyboard([[InlineButton("Apri", url="https://t.me/locanda_bot?start=a")]])
    )
    assert await anna.taps(anna.private, "Apri") == TapAnswer(url="https://t.me/locanda_bot?start=a")
    assert telegram.pending == []


async def test_in_privacy_mode_the_bot_receives_what_is_addressed_to_it(
    telegram: Emulator, bot: Bot, anna: Person, bruno: Person
) -> None:
    group = telegram.group("Amici", [anna, bruno])
    sent = await bot.send_message(group.id, "Eccomi")
    await anna.says(group, "ciao a tutti")
    await anna.says(group, "/gioca@altro_bot")
    await anna.says(group, "/gioca")
    await anna.says(group, "/gioca@locanda_bot")
    await anna.says(group, "grazie", reply_to=group.state.message(sent.message_id))
    texts = [update.message.text for update in await received(bot) if update.message]
    assert texts == ["/gioca", "/gioca@locanda_bot", "grazie"]
    await anna.promotes_bot(group)
    await anna.says(group, "ciao a tutti")
    assert [bool(update.my_chat_member) for update in await received(bot)] == [True, False]


async def test_topics(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    forum = telegram.forum("Foro", [anna, bruno])
    cards, dice = forum.topic("Carte"), forum.topic("Dadi")
    await received(bot)
    await anna.says(cards, "/gioca")
    await anna.says(forum, "/gioca")
    in_topic, in_general = [update.message for update in await received(bot)]
    assert in_topic is not None
    assert (in_topic.message_thread_id, in_topic.is_topic_message, in_topic.chat.is_forum) == (cards.thread, True, True)
    assert in_general is not None
    assert (in_general.message_thread_id, in_general.is_topic_message) == (None, None)
    await bot.send_message(forum.id, "Si gioca", message_thread_id=cards.thread)
    assert cards.shows("Si gioca")
    assert dice.shows("Si gioca") is None
    assert "Foro / Carte" in cards.render()


async def test_an_anonymous_administrator_writes_as_the_group(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group = telegram.supergroup("Circolo", [anna])
    await anna.says(group, "/impostazioni", anonymous=True)
    (update,) = await received(bot)
    assert update.message is not None
    assert update.message.from_user is not None
    assert update.message.sender_chat is not None
    assert (update.message.from_user.id, update.message.sender_chat.id) == (1087968824, group.id)


async def test_comings_and_goings(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna], bot="absent")
    await bruno.joins(group)
    assert telegram.pending == []
    await anna.adds_bot(group)
    joined, hello = await received(bot)
    assert joined.my_chat_member is not None
    assert joined.my_chat_member.new_chat_member.status == "member"
    assert hello.message is not None
    assert hello.message.new_chat_members[0].id == bot.id
    await bruno.leaves(group)
    assert "· Bruno Verdi leaves ·" in group.render()
    (bye,) = await received(bot)
    assert bye.message is not None
    assert bye.message.left_chat_member is not None
    assert bye.message.left_chat_member.id == bruno.id
    assert (await bot.get_chat_member(group.id, bruno.id)).status == "left"
    assert (await bot.get_chat_member(group.id, anna.id)).status == "creator"
    assert await bot.get_chat_member_count(group.id) == 2
    await anna.removes_bot(group)
    removed = [update.my_chat_member for update in await received(bot) if update.my_chat_member]
    assert removed[0].new_chat_member.status == "kicked"


async def test_who_blocks_the_bot_is_reported(telegram: Emulator, bot: Bot, anna: Person) -> None:
    await anna.blocks_bot()
    (update,) = await received(bot)
    assert update.my_chat_member is not None
    assert (update.my_chat_member.chat.id, update.my_chat_member.new_chat_member.status) == (anna.id, "kicked")
    await anna.starts()
    back, start = await received(bot)
    assert back.my_chat_member is not None
    assert back.my_chat_member.new_chat_member.status == "member"
    assert start.message is not None
    assert start.message.text == "/start"


async def test_both_chats_get_the_service_messages_of_an_upgrade(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group = telegram.group("Amici", [anna])
    old = group.id
    await anna.upgrades(group)
    there, here = [update.message for update in await received(bot)]
    assert there is not None
    assert (there.chat.id, there.migrate_to_chat_id) == (old, group.id)
    assert here is not None
    assert (here.chat.id, here.migrate_from_chat_id, here.chat.type) == (group.id, old, "supergroup")


async def test_administrators(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna, bruno])
    await anna.promotes(group, bruno)
    administrators = {(member.user.id, member.status) for member in await bot.get_chat_administrators(group.id)}
    assert administrators == {(anna.id, "creator"), (bruno.id, "administrator")}
    await anna.demotes(group, bruno)
    assert len(await bot.get_chat_administrators(group.id)) == 1
    await anna.removes(group, bruno)
    assert (await bot.get_chat_member(group.id, bruno.id)).status == "kicked"


async def test_commands_by_scope_and_language(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna, bruno])
    await bot.set_my_commands([("play", "Play")])
    await bot.set_my_commands([("gioca", "Gioca")], language_code="it")
    await bot.set_my_commands([("nudge", "Nudge")], scope=BotCommandScopeAllGroupChats())

    def menu(person: Person) -> list[str]:
        return [
            command["command"] for chat in (person.private, group) for command in telegram.commands_for(person, chat)
        ]

    assert menu(anna) == ["gioca", "nudge"]
    assert menu(bruno) == ["play", "nudge"]
    assert [command.command for command in await bot.get_my_commands(language_code="it")] == ["gioca"]
    assert await bot.get_my_commands(scope=BotCommandScopeAllPrivateChats()) == ()
    await bot.delete_my_commands(language_code="it")
    assert menu(anna) == ["play", "nudge"]


async def test_the_transcript_shows_what_is_there_now(telegram: Emulator, bot: Bot, anna: Person) -> None:
    group = telegram.group("Amici", [anna], bot="administrator")
    await anna.says(group, "/gioca")
    message = await bot.send_message(group.id, "Chi gioca?", reply_markup=keyboard("Siediti", "Alzati"))
    gone = await bot.send_message(group.id, "via")
    await message.edit_text("Gioca <b>Anna</b>\nAltri?", "HTML", reply_markup=keyboard("Si comincia"))
    await message.pin()
    await gone.delete()
    assert group.render().splitlines()[1:] == [
        "Anna: /gioca",
        "Locanda ✎ 📌: Gioca Anna",
        "    Altri?",
        "    [ Si comincia ]",
    ]
    assert [shown.text for shown in group.history] == [
        "/gioca",
        "Chi gioca? [Siediti] [Alzati]",
        "via",
        "Gioca Anna\nAltri? [Si comincia]",
    ]


async def test_watchers_hear_everything_in_order(telegram: Emulator, bot: Bot, anna: Person) -> None:
    events: list[ChatEvent] = []
    telegram.watch(events.append)
    message = await bot.send_message(anna.id, "x", reply_markup=keyboard("A"))
    anna.presses(anna.private, "A")
    await (await query(bot)).answer("ecco")
    await message.edit_text("y")
    await message.delete()
    sent = [(event.kind, event.who, event.text) for event in events]
    assert sent == [
        ("sent", "Locanda", "x"),
        ("tapped", "Anna", "A"),
        ("toast", "Anna", "ecco"),
        ("edited", "Locanda", "y"),
        ("deleted", "Locanda", "y"),
    ]


async def test_the_journal_knows_who_could_read_what(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.group("Amici", [anna, bruno])
    await bot.send_message(anna.id, "7♥")
    await bot.send_message(group.id, "tocca a Anna", reply_markup=keyboard("La mia mano"))
    anna.presses(group, "La mia mano")
    await (await query(bot)).answer("hai il 7♥", show_alert=True)
    read_by_others = [call.payload for call in telegram.journal.readable_by_others(anna.id)]
    assert not any("7♥" in payload for payload in read_by_others)
    assert any("tocca a Anna" in payload for payload in read_by_others)
    assert any("7♥" in call.payload for call in telegram.journal.readable_by_others(bruno.id))
    assert len(telegram.journal.of("sendMessage", chat=group.id)) == 1
