"""Messages have pictures of cards if the bot's owner has Telegram Premium, else text symbols."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.telegram.screens.screen import Button, Screen
from services.telegram.sending.custom_emoji import PICTURES, SIGNS, CustomEmoji
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import Message
from tests.telegram.harness import BotHarness, bot_harness, hand, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal, open_lobby, sit

UPLOADED = "D'ora in poi le carte si vedono in figura"


def pictured(message: Message) -> bool:
    """Return whether a message shows pictures instead of text symbols."""
    return any(entity["type"] == "custom_emoji" for entity in message.entities)


def icons(message: Message) -> dict[str, str]:
    """Return the custom emoji of the buttons that have one, by their labels."""
    raw = [button.raw for row in message.rows for button in row]
    return {button["text"]: button["icon_custom_emoji_id"] for button in raw if "icon_custom_emoji_id" in button}


# --- texts and buttons


def drawn(screen: Screen) -> Screen:
    emoji = CustomEmoji()
    emoji.use({picture.name: f"{number}" for number, picture in enumerate(PICTURES, 1)})
    return emoji.drawn(screen)


def test_each_sign_becomes_a_picture_and_the_rank_stays() -> None:
    assert drawn(Screen("<b>Anna</b> cala 7♥")).text == (
        '<b>Anna</b> cala 7<tg-emoji emoji-id="1">♥\ufe0f</tg-emoji>'  # as in a notification: 7♥️
    )


@pytest.mark.parametrize("text", ["<code>7♥</code>", '<a href="https://t.me/♥">x</a>', "7 di cuori &amp; VII"])
def test_code_tags_and_text_without_signs_stay_as_they_are(text: str) -> None:
    assert drawn(Screen(text)).text == text


def test_a_button_shows_its_card_and_keeps_its_label() -> None:
    buttons = (Button("7♥", card="7h"), Button("🃏", card="*"), Button("VII", card="VII"), Button("Passo"))
    shown = drawn(Screen("", (buttons,))).rows[0]
    names = [None if button.emoji is None else PICTURES[int(button.emoji) - 1].name for button in shown]
    assert names == ["7h", "joker", "VII", None]
    assert [button.label for button in shown] == [button.label for button in buttons]


def test_without_pictures_a_screen_is_sent_as_it_is() -> None:
    screen = Screen("7♥", ((Button("7♥", card="7h"),),))
    assert CustomEmoji().drawn(screen) == screen


def test_every_picture_has_its_file_and_every_sign_its_picture() -> None:
    names = [picture.name for picture in PICTURES]
    assert {file.stem for file in Path("services/telegram/emoji").iterdir()} == set(names)
    assert len(names) == len(set(names)) < 200  # a set has at most 200
    assert set(SIGNS.values()) <= set(names)


# --- the command


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    """A bot owned by Anna."""
    async with bot_harness(telegram, environment={"TELEGRAM_OWNER": str(anna.id)}) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened


async def test_the_owner_gives_the_bot_pictures_which_outlive_it_until_they_take_them_away(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    telegram.world.behaviour.premium = True
    await anna.says(anna.private, "/emoji")
    await anna.private.sees(UPLOADED)
    await harness.restart()
    await deal([anna, bruno], group)
    await harness.settle()
    assert set(icons(hand(bruno))) == {label for label in hand(bruno).labels if label[-1] in "♥♦♣♠"}
    await plays(await turn_of_somebody([anna, bruno]))
    await group.until(lambda chat: any(pictured(message) for message in chat.messages))

    await anna.says(anna.private, "/emoji off")
    await anna.private.sees("Le carte si vedono di nuovo coi segni")
    await harness.restart()
    assert await harness.redis.hgetall("bot:emoji") == {}


async def test_without_premium_the_pictures_are_not_used_and_the_owner_learns_why(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(anna.private, "/emoji")
    await anna.private.sees("Telegram Premium")
    await deal([anna, bruno], group)
    await harness.settle()
    assert not icons(hand(bruno))


async def test_an_upload_that_broke_off_is_completed_by_the_next_one(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    telegram.world.behaviour.premium = True
    telegram.fail_next("addStickerToSet", 500, times=1)
    await anna.says(anna.private, "/emoji")
    await anna.private.sees("Telegram non ha preso le figure")
    await anna.says(anna.private, "/emoji")
    await anna.private.sees(UPLOADED)
    assert len(telegram.journal.of("createNewStickerSet")) == 1


async def test_messages_go_out_with_signs_once_telegram_refuses_pictures(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    telegram.world.behaviour.premium = True
    await anna.says(anna.private, "/emoji")
    await anna.private.sees(UPLOADED)
    await open_lobby(anna, group)
    await sit(anna, group)
    await sit(bruno, group)
    await bruno.private.sees("🪑")  # before the refusal is planned
    await harness.settle()
    telegram.fail_next("sendMessage", 400, "Bad Request: custom emoji are not allowed", chat=bruno.private)
    await anna.taps(group, "Si comincia")
    await bruno.private.sees(button="Passo")
    assert not icons(hand(bruno))


async def test_only_the_owner_may_and_learns_in_private_what_is_to_be_set_up(
    harness: BotHarness, anna: Person, bruno: Person
) -> None:
    await bruno.starts()
    await bruno.private.sees("Benvenuti alla locanda")
    assert "/emoji" not in bruno.private.messages[-1].text
    await bruno.says(bruno.private, "/emoji")
    await bruno.private.sees("Lo può fare solo chi ha creato questo bot")
    await anna.says(anna.private, "/aiuto")
    help_message = await anna.private.sees("/emoji")
    assert "/newapp" in help_message.text
    assert "TELEGRAM_APP" in help_message.text
