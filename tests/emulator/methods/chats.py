"""getChat, getChatMember, getChatAdministrators, getChatMemberCount, setChatMemberTag and leaveChat."""

from __future__ import annotations

from tests.emulator.membership import change, chat_with_right, member
from tests.emulator.refusals import bad_request
from tests.emulator.state import JSON
from tests.emulator.world import World

LONGEST_TAG, EMOJI = 16, 0x1F000
"""Maximum number of characters of a tag, and the lowest code point that counts as an emoji, forbidden in tags."""
GIFTS = dict.fromkeys(
    ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
)


def get_chat(world: World, params: JSON) -> JSON:
    """Returns the chat's ChatFullInfo object."""
    chat = chat_with_right(world, params["chat_id"], "read")
    full: JSON = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": GIFTS}
    pinned = [message for message in chat.messages if message.pinned and not message.deleted]
    return chat.as_json() | full | ({"pinned_message": pinned[-1].as_json()} if pinned else {})


def get_chat_member(world: World, params: JSON) -> JSON:
    """Returns the ChatMember object of a person in the chat."""
    chat = chat_with_right(world, params["chat_id"], "read")
    user = world.users.get(params["user_id"])
    if user is None:
        raise bad_request("user not found")
    if chat.private:
        return member(chat, user, "member")
    return member(chat, user)


def get_chat_administrators(world: World, params: JSON) -> list[JSON]:
    """Returns the creator and the administrators, without other bots."""
    chat = chat_with_right(world, params["chat_id"], "read")
    if chat.private:
        raise bad_request("there are no administrators in the private chat")
    return [member(chat, user) for user in chat.members() if chat.commanded_by(user)]


def get_chat_member_count(world: World, params: JSON) -> int:
    """Returns the number of members of the chat, including bots."""
    chat = chat_with_right(world, params["chat_id"], "read")
    return 2 if chat.private else len(chat.members())


def set_chat_member_tag(world: World, params: JSON) -> bool:
    """Sets the tag of an ordinary member; the bot needs the right to manage tags."""
    chat = chat_with_right(world, params["chat_id"], "edit")
    if not member(chat, world.bot).get("can_manage_tags"):
        raise bad_request("CHAT_ADMIN_REQUIRED")
    user, tag = world.users.get(params["user_id"]), params.get("tag", "")
    if user is None or not chat.has(user):
        raise bad_request("USER_NOT_PARTICIPANT")
    if chat.commanded_by(user):
        raise bad_request("CHAT_CREATOR_REQUIRED")
    if len(tag) > LONGEST_TAG:
        raise bad_request("ADMIN_RANK_INVALID")
    if any(ord(character) >= EMOJI for character in tag):
        raise bad_request("ADMIN_RANK_EMOJI_NOT_ALLOWED")
    chat.tags.pop(user.id, None)
    if tag:
        chat.tags[user.id] = tag
    world.changes.notify()
    return True


def leave_chat(world: World, params: JSON) -> bool:
    """Makes the bot leave the chat."""
    chat = chat_with_right(world, params["chat_id"], "edit")
    if chat.private:
        raise bad_request("chat member status can't be changed in private chats")
    change(world, chat, world.bot, world.bot, "left")
    return True
