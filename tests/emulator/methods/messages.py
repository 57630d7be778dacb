"""sendMessage, editMessageText, editMessageReplyMarkup, deleteMessage(s), pins and chat actions."""

from __future__ import annotations

from tests.emulator.entities import formatted
from tests.emulator.keyboards import buttons, keyboard
from tests.emulator.membership import chat_with_right, live_message, topic_of
from tests.emulator.methods import ephemeral
from tests.emulator.refusals import NOT_MODIFIED, bad_request
from tests.emulator.state import JSON, ChatState, Message
from tests.emulator.world import World

DELETABLE_SECONDS = 48 * 3600
ACTIONS = {
    "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document",
    "choose_sticker", "find_location", "record_video_note", "upload_video_note",
}  # fmt: skip


def send_message(world: World, params: JSON) -> JSON:
    """Sends a message, or an ephemeral message on a server that supports them."""
    text, entities = formatted(
        params.get("text", ""), params.get("parse_mode"), params.get("entities"), too_long="message is too long"
    )
    chat = chat_with_right(world, params["chat_id"], "write")
    thread = topic_of(chat, params.get("message_thread_id"))
    rows = keyboard(params.get("reply_markup"), private=chat.private, only_inline=False)
    reply_to = _replied(chat, params.get("reply_parameters") or {})
    receiver = ephemeral.receiver(world, chat, params)
    world.flood.spend(chat)
    message = world.new_message(chat, world.bot, ephemeral_for=receiver)
    message.text, message.entities, message.rows = text, entities, buttons(rows, message)
    message.reply_to = reply_to
    message.thread = thread if reply_to is None else thread_of_reply(reply_to)
    world.show(message, "sent")
    return message.as_json()


def edit_message_text(world: World, params: JSON) -> JSON:
    """Sets a message's text and buttons; an edit without a keyboard removes the old one."""
    text, entities = formatted(
        params.get("text", ""), params.get("parse_mode"), params.get("entities"), too_long="MESSAGE_TOO_LONG"
    )
    message = message_to_edit(world, params)
    if message.photo:
        raise bad_request("there is no text in the message to edit")
    rows = keyboard(params.get("reply_markup"), private=message.chat.private, only_inline=True)
    return edited(world, message, text, entities, rows).as_json()


def edit_message_reply_markup(world: World, params: JSON) -> JSON:
    """Sets or removes a message's buttons."""
    message = message_to_edit(world, params)
    rows = keyboard(params.get("reply_markup"), private=message.chat.private, only_inline=True)
    return edited(world, message, message.text, message.entities, rows, photo=message.photo).as_json()


def edited(
    world: World, message: Message, text: str, entities: list[JSON], rows: list[list[JSON]], *, photo: bytes = b""
) -> Message:
    """Applies an edit, also of an ephemeral message; refuses an edit that changes nothing."""
    world.flood.spend(message.chat)
    entities = world.permitted(entities)
    current = [[button.raw for button in row] for row in message.rows]
    if (text, entities, rows, photo) == (message.text, message.entities, current, message.photo):
        raise bad_request(NOT_MODIFIED)
    message.text, message.entities, message.rows = text, entities, buttons(rows, message)
    message.photo = photo
    message.edits += 1
    message.edit_date = world.seconds()
    world.show(message, "edited")
    return message


def delete_message(world: World, params: JSON) -> bool:
    """Deletes a message for everybody."""
    chat = chat_with_right(world, params["chat_id"], "write")
    message = live_message(chat, params.get("message_id"), "message to delete")
    _check_deletable(world, message)
    _delete(world, message)
    return True


def delete_messages(world: World, params: JSON) -> bool:
    """Deletes up to 100 messages; missing messages are skipped."""
    chat = chat_with_right(world, params["chat_id"], "write")
    if not params["message_ids"]:
        raise bad_request("message identifiers are not specified")
    if len(params["message_ids"]) > 100:
        raise bad_request("too many message identifiers specified")
    messages = [message for number in params["message_ids"] if (message := chat.message(number))]
    for message in messages:
        _check_deletable(world, message)
    for message in messages:
        _delete(world, message)
    return True


def pin_chat_message(world: World, params: JSON) -> bool:
    """Pins a message."""
    message = _to_pin(world, params, "message to pin")
    message.pinned = True
    world.emit("pinned", message.chat, world.bot, message.text, message)
    return True


def unpin_chat_message(world: World, params: JSON) -> bool:
    """Unpins the given message, or the newest pinned one."""
    chat = chat_with_right(world, params["chat_id"], "write")
    if params.get("message_id") is None:
        pinned = [message for message in chat.messages if message.pinned and not message.deleted]
        if not pinned:
            raise bad_request("message to unpin not found")
        params = params | {"message_id": pinned[-1].id}
    _to_pin(world, params, "message to unpin").pinned = False
    world.changes.notify()
    return True


def send_chat_action(world: World, params: JSON) -> bool:
    """Accepts a chat action such as "is typing…", without an effect."""
    if params["action"] not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    topic_of(chat_with_right(world, params["chat_id"], "write"), params.get("message_thread_id"))
    return True


def thread_of_reply(reply_to: Message) -> int | None:
    """Returns the thread of a reply: its topic in a forum, the first message's thread in a supergroup, else None."""
    if reply_to.chat.is_forum:
        return reply_to.thread
    return (reply_to.thread or reply_to.id) if reply_to.chat.kind == "supergroup" else None


def _replied(chat: ChatState, reply: JSON) -> Message | None:
    if not reply.get("message_id"):
        return None
    message = chat.message(reply["message_id"])
    if message is None and not reply.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    return message


def message_to_edit(world: World, params: JSON) -> Message:
    if params.get("chat_id") is None or not params.get("message_id"):
        raise bad_request("message identifier is not specified")
    chat = chat_with_right(world, params["chat_id"], "edit")
    message = live_message(chat, params["message_id"], "message to edit")
    if message.author is not world.bot or message.service or message.fixed:
        raise bad_request("message can't be edited")
    return message


def _check_deletable(world: World, message: Message) -> None:
    chat = message.chat
    if not chat.private and chat.commanded_by(world.bot):
        return
    if message.author is not world.bot and not chat.private:
        raise bad_request("message can't be deleted")
    if world.clock.now() - message.date > DELETABLE_SECONDS:
        raise bad_request("message can't be deleted for everyone")


def _delete(world: World, message: Message) -> None:
    message.deleted = True
    world.emit("deleted", message.chat, world.bot, message.text, message)


def _to_pin(world: World, params: JSON, what: str) -> Message:
    chat = chat_with_right(world, params["chat_id"], "write")
    message = live_message(chat, params.get("message_id"), what)
    if not chat.private and not chat.commanded_by(world.bot):
        raise bad_request("not enough rights to manage pinned messages in the chat")
    return message
