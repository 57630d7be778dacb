"""Membership of chats: ChatMember objects, updates and service messages on changes, and the bot's rights."""

from __future__ import annotations

from typing import Literal

from tests.emulator.refusals import BLOCKED, CANNOT_INITIATE, DEACTIVATED, bad_request, forbidden, migrated
from tests.emulator.state import JSON, ChatState, MemberStatus, Message, User
from tests.emulator.world import World

Right = Literal["read", "edit", "write"]
ADMINISTRATOR_RIGHTS = (
    "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members",
    "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories",
    "can_pin_messages", "can_manage_tags", "can_send_welcome_messages",
)  # fmt: skip


def member(chat: ChatState, user: User, standing: MemberStatus | None = None) -> JSON:
    """Return the `ChatMember` of a person (Bot API)."""
    standing = standing or chat.status_of(user)
    fields: JSON = {"status": standing, "user": user.as_json()}
    if standing == "creator":
        fields |= {"is_anonymous": False}
    elif standing == "administrator":
        rights = {right: right not in chat.withheld.get(user.id, ()) for right in ADMINISTRATOR_RIGHTS}
        fields |= {"can_be_edited": False, "is_anonymous": False} | rights
    elif standing == "member" and user.id in chat.tags:
        fields |= {"tag": chat.tags[user.id]}
    elif standing == "kicked":
        fields |= {"until_date": 0}
    return fields


def change(world: World, chat: ChatState, actor: User, user: User, standing: MemberStatus) -> None:
    """Set a person's status in a chat, and send the bot the same updates as Telegram."""
    before = chat.status_of(user)
    is_administrator = chat.commanded_by(world.bot)
    chat.people[user.id] = user
    chat.standing[user.id] = standing
    payload: JSON = {
        "chat": chat.as_json(),
        "from": actor.as_json(),
        "date": world.seconds(),
        "old_chat_member": member(chat, user, before),
        "new_chat_member": member(chat, user, standing),
    }
    if user is world.bot:
        world.updates.push("my_chat_member", payload, chat.id)
    elif is_administrator:
        world.updates.push("chat_member", payload, chat.id)
    world.changes.notify()


def service(
    world: World, chat: ChatState, actor: User, words: str, content: JSON, *, opens_topic: bool = False
) -> Message:
    """Adds a service message of Telegram to a chat; bots always receive service messages."""
    message = world.new_message(chat, actor)
    message.service, message.line = content, words
    if opens_topic:
        message.thread = message.id
        chat.topics[message.id] = content["forum_topic_created"]["name"]
    world.emit("service", chat, actor, words, message)
    if chat.has(world.bot):
        world.updates.push("message", message.as_json(), chat.id)
    return message


def chat_with_right(world: World, chat_id: int | str, right: Right) -> ChatState:
    """Returns the chat with that id. Raises Telegram's refusal if the bot does not have the right in it."""
    chat = world.chats.get(chat_id) if isinstance(chat_id, int) else None
    if chat is None:
        raise bad_request("chat not found")
    if chat.user is not None:
        _check_private(chat, right)
    else:
        _check_group(world, chat, right)
    return chat


def topic_of(chat: ChatState, thread_id: int | None) -> int | None:
    """Returns the topic to send into, or None. Raises Telegram's refusal for an id that is no topic of a forum."""
    if not thread_id:
        return None
    if not chat.is_forum or thread_id not in chat.topics:
        raise bad_request("message thread not found")
    return thread_id


def live_message(chat: ChatState, message_id: int | None, what: str) -> Message:
    """Returns the message with that id. Raises Telegram's refusal if it is deleted or its chat became a supergroup."""
    message = chat.message(message_id) if message_id and message_id > 0 else None
    if message is None:
        raise bad_request(f"{what} not found")
    return message


def _check_private(chat: ChatState, right: Right) -> None:
    user = chat.user
    if user is None or (right == "read" and not user.started):
        raise bad_request("chat not found")
    if user.deactivated and right != "read":
        raise forbidden(DEACTIVATED)
    if user.blocks and right != "read":
        raise forbidden(BLOCKED)
    if not user.started and right == "write":
        raise forbidden(CANNOT_INITIATE)


def _check_group(world: World, chat: ChatState, right: Right) -> None:
    if chat.successor is not None and right == "write":
        raise migrated(chat.successor)
    if chat.successor is not None and right == "edit":
        raise bad_request("MESSAGE_ID_INVALID")
    standing = chat.status_of(world.bot)
    need = right != "read" or chat.kind == "supergroup"
    if standing == "kicked" and need:
        raise forbidden(f"bot was kicked from the {chat.kind} chat")
    if not chat.has(world.bot) and need:
        raise forbidden(f"bot is not a member of the {chat.kind} chat")
    if right == "write" and chat.closed_to_bots and not chat.commanded_by(world.bot):
        raise bad_request("not enough rights to send text messages to the chat")
