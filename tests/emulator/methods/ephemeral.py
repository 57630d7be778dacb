"""Ephemeral messages (Bot API 10.3), which only one person in a group sees. Texts of refusals marked * are ours."""

from __future__ import annotations

from tests.emulator.entities import formatted
from tests.emulator.keyboards import keyboard
from tests.emulator.membership import chat_with_right
from tests.emulator.methods import messages
from tests.emulator.refusals import QUERY_TOO_OLD, bad_request
from tests.emulator.state import JSON, ChatState, Message, User
from tests.emulator.world import World

PARAMETERS = frozenset({"ephemeral_message_parameters", "receiver_user_id", "callback_query_id"})
SECONDS_AFTER_A_TAP = 15


def receiver(world: World, chat: ChatState, params: JSON) -> User | None:
    """Returns the only person who sees the message, or None. The bot must be an administrator or answer a fresh tap."""
    named = params.get("ephemeral_message_parameters") or {name: params.get(name) for name in PARAMETERS}
    if named.get("receiver_user_id") is None:
        return None
    if named.get("replace_callback_query_message"):
        raise bad_request("replace_callback_query_message is not emulated")  # *
    if chat.private:
        raise bad_request("ephemeral messages can be sent in groups and supergroups only")  # *
    user = world.users.get(named["receiver_user_id"])
    if user is None or user.is_bot or not chat.has(user):
        raise bad_request("user not found")
    if not chat.commanded_by(world.bot):
        _check_tap(world, chat, user, named.get("callback_query_id"))
    return user


def _check_tap(world: World, chat: ChatState, user: User, query_id: str | None) -> None:
    if query_id is None:
        raise bad_request("CHAT_ADMIN_REQUIRED")
    query = world.queries.get(query_id)
    known = query is not None and query.user is user and query.message.chat is chat
    if not known or query is None or world.clock.now() - query.at > SECONDS_AFTER_A_TAP:
        raise bad_request(QUERY_TOO_OLD)


def edit_text(world: World, params: JSON) -> bool:
    """editEphemeralMessageText."""
    text, entities = formatted(
        params.get("text", ""), params.get("parse_mode"), params.get("entities"), too_long="MESSAGE_TOO_LONG"
    )
    message = _find(world, params, "message to edit")
    messages.edited(
        world, message, text, entities, keyboard(params.get("reply_markup"), private=False, only_inline=True)
    )
    return True


def edit_reply_markup(world: World, params: JSON) -> bool:
    """editEphemeralMessageReplyMarkup."""
    message = _find(world, params, "message to edit")
    rows = keyboard(params.get("reply_markup"), private=False, only_inline=True)
    messages.edited(world, message, message.text, message.entities, rows)
    return True


def delete(world: World, params: JSON) -> bool:
    """deleteEphemeralMessage."""
    message = _find(world, params, "message to delete")
    message.deleted = True
    world.emit("deleted", message.chat, world.bot, message.text, message)
    return True


def _find(world: World, params: JSON, what: str) -> Message:
    chat = chat_with_right(world, params["chat_id"], "edit")
    for message in chat.messages:
        receiver_id = message.only_for.id if message.only_for else None
        same = (receiver_id, message.ephemeral_id) == (params["receiver_user_id"], params["ephemeral_message_id"])
        if same and not message.deleted:
            return message
    raise bad_request(f"{what} not found")
