"""sendDocument."""

from __future__ import annotations

from tests.emulator.entities import LONGEST_CAPTION, formatted
from tests.emulator.membership import chat_with_right
from tests.emulator.refusals import bad_request
from tests.emulator.state import JSON
from tests.emulator.world import World


def send_document(world: World, params: JSON) -> JSON:
    """Sends a message with a file, whose caption is the message's text."""
    document = world.uploads.get(params["document"], b"")
    if not document:
        raise bad_request("file must be non-empty")
    caption, entities = formatted(
        params.get("caption", ""),
        params.get("parse_mode"),
        params.get("caption_entities"),
        too_long="message caption is too long",
        most=LONGEST_CAPTION,
    )
    chat = chat_with_right(world, params["chat_id"], "write")
    world.flood.spend(chat)
    message = world.new_message(chat, world.bot)
    message.text, message.entities, message.document = caption, entities, document
    world.show(message, "sent")
    return message.as_json()
