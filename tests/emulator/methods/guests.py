"""answerGuestQuery (Bot API 10.0)."""

from __future__ import annotations

from tests.emulator.entities import formatted
from tests.emulator.keyboards import buttons, keyboard
from tests.emulator.refusals import QUERY_TOO_OLD, bad_request
from tests.emulator.state import JSON
from tests.emulator.world import World


def answer_guest_query(world: World, params: JSON) -> JSON:
    """Sends a message to a chat of which the bot is not a member, in answer to a mention."""
    query = world.guest_queries.pop(params["guest_query_id"], None)
    if query is None:
        raise bad_request(QUERY_TOO_OLD)
    result: JSON = params["result"]
    content = result["input_message_content"]
    message = world.new_message(query.chat, world.bot)
    message.text, message.entities = formatted(
        content.get("message_text", ""), content.get("parse_mode"), content.get("entities"), too_long="MESSAGE_TOO_LONG"
    )
    rows = keyboard(result.get("reply_markup"), private=False, only_inline=True)
    message.rows = buttons(rows, message)
    world.show(message, "sent")
    return {"inline_message_id": f"guest{message.id}"}
