"""Who stands how in a chat: the ChatMember objects, and what everybody hears when it changes."""

from __future__ import annotations

from tests.emulator.state import JSON, Message, Room, Standing, User
from tests.emulator.world import World

RIGHTS = (
    "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members",
    "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories",
    "can_pin_messages", "can_send_welcome_messages",
)  # fmt: skip


def member(room: Room, user: User, standing: Standing | None = None) -> JSON:
    """The ChatMember object of that person."""
    standing = standing or room.stands(user)
    fields: JSON = {"status": standing, "user": user.as_json()}
    if standing == "creator":
        fields |= {"is_anonymous": False}
    elif standing == "administrator":
        fields |= {"can_be_edited": False, "is_anonymous": False} | dict.fromkeys(RIGHTS, True)
    elif standing == "kicked":
        fields |= {"until_date": 0}
    return fields


def change(world: World, room: Room, actor: User, user: User, standing: Standing) -> None:
    """Sets how somebody stands; the bot hears of it as Telegram tells it."""
    before = room.stands(user)
    heard = room.commanded_by(world.bot)
    room.people[user.id] = user
    room.standing[user.id] = standing
    payload: JSON = {
        "chat": room.as_json(),
        "from": actor.as_json(),
        "date": world.seconds(),
        "old_chat_member": member(room, user, before),
        "new_chat_member": member(room, user, standing),
    }
    if user is world.bot:
        world.updates.push("my_chat_member", payload, room.id)
    elif heard:
        world.updates.push("chat_member", payload, room.id)
    world.changes.tell()


def service(world: World, room: Room, actor: User, words: str, content: JSON, *, opens_topic: bool = False) -> Message:
    """A line that Telegram itself writes into the chat; bots hear all of them."""
    message = world.new_message(room, actor)
    message.service, message.line = content, words
    if opens_topic:
        message.thread = message.id
        room.topics[message.id] = content["forum_topic_created"]["name"]
    world.tell("service", room, actor, words, message)
    if room.has(world.bot):
        world.updates.push("message", message.as_json(), room.id)
    return message
