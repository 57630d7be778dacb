"""sendPhoto, editMessageMedia and editMessageCaption."""

from __future__ import annotations

from tests.emulator.entities import LONGEST_CAPTION, formatted
from tests.emulator.keyboards import buttons, keyboard
from tests.emulator.membership import chat_with_right, topic_of
from tests.emulator.methods.messages import edited, message_to_edit
from tests.emulator.refusals import bad_request
from tests.emulator.state import JSON
from tests.emulator.world import World

JPEG = b"\xff\xd8\xff"
MOST_BYTES = 10 * 1024 * 1024


def send_photo(world: World, params: JSON) -> JSON:
    """Sends a message with a photo."""
    photo, (caption, entities) = _photo(world, params["photo"]), _caption(params)
    chat = chat_with_right(world, params["chat_id"], "write")
    thread = topic_of(chat, params.get("message_thread_id"))
    rows = keyboard(params.get("reply_markup"), private=chat.private, only_inline=False)
    world.flood.spend(chat)
    message = world.new_message(chat, world.bot)
    message.photo, message.text, message.entities = photo, caption, entities
    message.rows, message.thread = buttons(rows, message), thread
    world.show(message, "sent")
    return message.as_json()


def edit_message_media(world: World, params: JSON) -> JSON:
    """Replaces a message's photo and caption; adds a photo to a text message."""
    media = params["media"]
    if media["type"] != "photo":
        raise bad_request("the emulator knows photos alone")
    photo, (caption, entities) = _photo(world, media["media"]), _caption(media)
    message = message_to_edit(world, params)
    rows = keyboard(params.get("reply_markup"), private=message.chat.private, only_inline=True)
    return edited(world, message, caption, entities, rows, photo=photo).as_json()


def edit_message_caption(world: World, params: JSON) -> JSON:
    """Sets the caption of a photo, and sets or removes the buttons."""
    caption, entities = _caption(params)
    message = message_to_edit(world, params)
    if not message.photo:
        raise bad_request("there is no caption in the message to edit")
    rows = keyboard(params.get("reply_markup"), private=message.chat.private, only_inline=True)
    return edited(world, message, caption, entities, rows, photo=message.photo).as_json()


def _photo(world: World, reference: str) -> bytes:
    """Returns the uploaded JPEG file. Telegram accepts other formats too, which the bot does not use."""
    photo = world.uploads.get(reference, b"")
    if not photo.startswith(JPEG):
        raise bad_request("IMAGE_PROCESS_FAILED")
    if len(photo) > MOST_BYTES:
        raise bad_request("PHOTO_SAVE_FILE_INVALID")
    return photo


def _caption(params: JSON) -> tuple[str, list[JSON]]:
    if not params.get("caption"):
        return "", []
    return formatted(
        params["caption"],
        params.get("parse_mode"),
        params.get("caption_entities"),
        too_long="message caption is too long",
        most=LONGEST_CAPTION,
    )
