"""Which chats the bot may read, edit and write in, as the Bot API server checks it."""

from __future__ import annotations

from typing import Literal

from tests.emulator.refusals import BLOCKED, CANNOT_INITIATE, DEACTIVATED, bad_request, forbidden, migrated
from tests.emulator.state import Message, Room
from tests.emulator.world import World

Right = Literal["read", "edit", "write"]


def chat(world: World, chat_id: int | str, right: Right) -> Room:
    """The chat of that id, if the bot has the right in it; Telegram's refusal otherwise."""
    room = world.rooms.get(chat_id) if isinstance(chat_id, int) else None
    if room is None:
        raise bad_request("chat not found")
    if room.user is not None:
        _check_private(room, right)
    else:
        _check_group(world, room, right)
    return room


def thread(room: Room, thread_id: int | None) -> int | None:
    """The topic to send into: only forums have any; a reply thread's id sent back is an error."""
    if not thread_id:
        return None
    if not room.is_forum or thread_id not in room.topics:
        raise bad_request("message thread not found")
    return thread_id


def message(room: Room, message_id: int | None, what: str) -> Message:
    """The live message of that id, in any chat but one that has become a supergroup."""
    found = room.message(message_id) if message_id and message_id > 0 else None
    if found is None:
        raise bad_request(f"{what} not found")
    return found


def _check_private(room: Room, right: Right) -> None:
    user = room.user
    if user is None or (right == "read" and not user.started):
        raise bad_request("chat not found")
    if user.deactivated and right != "read":
        raise forbidden(DEACTIVATED)
    if user.blocks and right != "read":
        raise forbidden(BLOCKED)
    if not user.started and right == "write":
        raise forbidden(CANNOT_INITIATE)


def _check_group(world: World, room: Room, right: Right) -> None:
    if room.successor is not None and right == "write":
        raise migrated(room.successor)
    if room.successor is not None and right == "edit":
        raise bad_request("MESSAGE_ID_INVALID")
    standing = room.stands(world.bot)
    need = right != "read" or room.kind == "supergroup"
    if standing == "kicked" and need:
        raise forbidden(f"bot was kicked from the {room.kind} chat")
    if not room.has(world.bot) and need:
        raise forbidden(f"bot is not a member of the {room.kind} chat")
    if right == "write" and room.closed_to_bots and not room.commanded_by(world.bot):
        raise bad_request("not enough rights to send text messages to the chat")
