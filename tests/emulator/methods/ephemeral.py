"""Ephemeral messages (Bot API 10.3): one person's own messages in a group. Refusals marked * are in our words."""

from __future__ import annotations

from tests.emulator import access
from tests.emulator.entities import formatted
from tests.emulator.keyboards import keyboard
from tests.emulator.methods import messages
from tests.emulator.refusals import QUERY_TOO_OLD, bad_request
from tests.emulator.state import JSON, Message, Room, User
from tests.emulator.world import World

PARAMETERS = frozenset({"ephemeral_message_parameters", "receiver_user_id", "callback_query_id"})
SECONDS_AFTER_A_TAP = 15


def receiver(world: World, room: Room, params: JSON) -> User | None:
    """The one who shall see the message; None: it is for all. Within 15 s of his tap, or by an administrator."""
    named = params.get("ephemeral_message_parameters") or {name: params.get(name) for name in PARAMETERS}
    if named.get("receiver_user_id") is None:
        return None
    if named.get("replace_callback_query_message"):
        raise bad_request("replace_callback_query_message is not emulated")  # *
    if room.private:
        raise bad_request("ephemeral messages can be sent in groups and supergroups only")  # *
    user = world.users.get(named["receiver_user_id"])
    if user is None or user.is_bot or not room.has(user):
        raise bad_request("user not found")
    if not room.commanded_by(world.bot):
        _check_tap(world, room, user, named.get("callback_query_id"))
    return user


def _check_tap(world: World, room: Room, user: User, query_id: str | None) -> None:
    if query_id is None:
        raise bad_request("CHAT_ADMIN_REQUIRED")
    query = world.queries.get(query_id)
    known = query is not None and query.user is user and query.message.room is room
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
    world.tell("deleted", message.room, world.bot, message.text, message)
    return True


def _find(world: World, params: JSON, what: str) -> Message:
    room = access.chat(world, params["chat_id"], "edit")
    for message in room.messages:
        receiver_id = message.only_for.id if message.only_for else None
        same = (receiver_id, message.ephemeral_id) == (params["receiver_user_id"], params["ephemeral_message_id"])
        if same and not message.deleted:
            return message
    raise bad_request(f"{what} not found")
