"""Photos can be sent and edited, with or without a new file, and are refused as Telegram refuses them."""

import pytest
from telegram import Bot, InputMediaPhoto
from telegram.error import BadRequest

from tests.emulator import Emulator, Person

ONE, OTHER = b"\xff\xd8\xff one", b"\xff\xd8\xff other"


async def test_a_photo_comes_with_its_caption_and_its_file(telegram: Emulator, bot: Bot, anna: Person) -> None:
    sent = await bot.send_photo(anna.id, ONE, "<b>Carte</b>", parse_mode="HTML")
    message = anna.private.messages[-1]
    assert (message.photo, message.text) == (ONE, "Carte")
    assert sent.caption == "Carte"
    assert sent.photo
    assert not sent.text


async def test_media_and_caption_are_edited_apart(telegram: Emulator, bot: Bot, anna: Person) -> None:
    sent = await bot.send_photo(anna.id, ONE, "one")
    message = anna.private.messages[-1]
    await bot.edit_message_caption(anna.id, sent.message_id, caption="two")
    assert (message.photo, message.text) == (ONE, "two")
    await bot.edit_message_media(InputMediaPhoto(OTHER, "three"), anna.id, sent.message_id)
    assert (message.photo, message.text) == (OTHER, "three")


async def test_a_text_gets_a_photo_and_a_photo_is_no_text_again(telegram: Emulator, bot: Bot, anna: Person) -> None:
    sent = await bot.send_message(anna.id, "one")
    with pytest.raises(BadRequest, match="no caption"):
        await bot.edit_message_caption(anna.id, sent.message_id, caption="two")
    await bot.edit_message_media(InputMediaPhoto(ONE, "two"), anna.id, sent.message_id)
    assert anna.private.messages[-1].photo == ONE
    with pytest.raises(BadRequest, match="no text in the message to edit"):
        await bot.edit_message_text("three", anna.id, sent.message_id)


async def test_what_is_no_picture_or_has_too_long_a_caption_is_refused(
    telegram: Emulator, bot: Bot, anna: Person
) -> None:
    with pytest.raises(BadRequest, match=r"(?i)image_process_failed"):
        await bot.send_photo(anna.id, b"text", "x")
    with pytest.raises(BadRequest, match=r"(?i)caption is too long"):
        await bot.send_photo(anna.id, ONE, "x" * 1025)
