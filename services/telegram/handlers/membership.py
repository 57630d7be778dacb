"""People and the bot itself come and go; groups grow into supergroups and change their names."""

from telegram import ChatMemberUpdated, Message

from services.telegram.feed.going import depart, follow_group
from services.telegram.handlers.house import House
from services.telegram.handlers.who import meet, visit
from services.telegram.outbox.parcels import Address
from services.telegram.screens.talk import help_screen

GONE = {"left", "kicked"}


async def bot_moved(house: House, change: ChatMemberUpdated) -> None:
    """Note that the bot was added or removed, or blocked or unblocked by a person."""
    there = change.new_chat_member.status not in GONE
    if change.chat.id > 0:
        await _blocked(house, change, there=there)
        return
    language = await visit(house.memory.chats, change.chat, change.from_user)
    await house.memory.chats.settle(change.chat.id, present=there)
    if not there:
        return
    if change.old_chat_member.status in GONE:
        house.outbox.say(Address(change.chat.id), help_screen(language))
    for ref in await house.memory.rooms.in_chat(change.chat.id):
        await house.feed.refresh(ref)


async def _blocked(house: House, change: ChatMemberUpdated, *, there: bool) -> None:
    user = change.from_user.id
    await meet(house.memory.people, change.from_user, private=there)
    await house.memory.people.reach(user, reachable=there)
    if not there:
        await depart(house.tables.seating, house.feed, user)


async def somebody_left(house: House, message: Message) -> None:
    """Let somebody who left the group leave its tables too."""
    left = message.left_chat_member
    if left is not None and left.id != house.bot.id:
        await depart(house.tables.seating, house.feed, left.id, chat=message.chat.id)


async def migrated(house: House, message: Message) -> None:
    """Follow a group to the supergroup that it became."""
    if message.migrate_to_chat_id is not None:
        await _follow(house, message.chat.id, message.migrate_to_chat_id)
    elif message.migrate_from_chat_id is not None:
        await _follow(house, message.migrate_from_chat_id, message.chat.id)


async def _follow(house: House, old: int, new: int) -> None:
    await follow_group(house.memory, house.outbox, house.feed, old, new)


async def renamed(house: House, message: Message) -> None:
    """Learn the group's new name."""
    await visit(house.memory.chats, message.chat, message.from_user)
