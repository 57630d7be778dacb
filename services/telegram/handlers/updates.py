"""Handles all updates except presses: commands, and changes of members, groups and the bot's own membership."""

from telegram import Bot, ChatMemberUpdated, Message, Update
from telegram.constants import ChatMemberStatus, ChatType

from services.telegram.evenings import handlers as _evenings  # noqa: F401  (their buttons register themselves)
from services.telegram.handlers import closing, lobby, settings, table  # noqa: F401
from services.telegram.handlers.commands import command_in, help_for, run_command
from services.telegram.handlers.context import OUTSIDE, BotContext, is_outside, remember_group, remember_person
from services.telegram.handlers.guests import invite
from services.telegram.lessons import handlers as _lessons  # noqa: F401
from services.telegram.repositories.departures import depart, migrate
from services.telegram.screens.notices import unblocked_screen
from services.telegram.seasons import handlers as _seasons  # noqa: F401
from services.telegram.sending.member_tags import may_set_tags
from services.telegram.sending.messages import Address

ALLOWED_UPDATES = ("message", "callback_query", "my_chat_member", "chat_member")


def allowed_updates(bot: Bot) -> list[str]:
    """Return the kinds of updates to request; guests' messages only if the owner has enabled them at Telegram."""
    return [*ALLOWED_UPDATES, *(["guest_message"] if bot.bot.supports_guest_queries else [])]


async def handle_update(context: BotContext, update: Update) -> None:
    """Handle an update other than a press (see `callbacks.handle_press`)."""
    if update.my_chat_member is not None:
        await bot_membership_changed(context, update.my_chat_member)
    elif update.chat_member is not None:
        await membership_changed(context, update.chat_member)
    elif update.guest_message is not None:
        context.background.start(invite(context, update.guest_message))
    elif update.message is not None:
        await _handle_message(context, update.message)


async def _handle_message(context: BotContext, message: Message) -> None:
    command = command_in(message, context.bot.username)
    if command is not None:
        await run_command(context, command, message)
    elif message.left_chat_member is not None:
        await member_left(context, message.chat.id, message.left_chat_member.id)
    elif message.migrate_to_chat_id is not None:
        await _move_group(context, message.chat.id, message.migrate_to_chat_id)
    elif message.migrate_from_chat_id is not None:
        await _move_group(context, message.migrate_from_chat_id, message.chat.id)
    elif message.new_chat_title is not None:
        await remember_group(context.repositories.chats, message.chat, message.from_user)


async def bot_membership_changed(context: BotContext, change: ChatMemberUpdated) -> None:
    """Store whether the bot is in a group, and its rights in the group; or whether a person has blocked the bot."""
    present = change.new_chat_member.status not in OUTSIDE
    if change.chat.type == ChatType.CHANNEL:  # channels have no tables and no commands
        return
    if change.chat.id > 0:
        await _set_blocked(context, change, present=present)
        return
    language = await remember_group(context.repositories.chats, change.chat, change.from_user)
    tags = may_set_tags(change.new_chat_member)
    await context.repositories.chats.set_presence(change.chat.id, present=present, tags=tags)
    if tags:
        context.background.start(context.titles.show(change.chat.id))
    if not present:
        return
    if change.old_chat_member.status in OUTSIDE:
        context.outbox.send(Address(change.chat.id), help_for(language, "administrators"))


async def _set_blocked(context: BotContext, change: ChatMemberUpdated, *, present: bool) -> None:
    user = change.from_user.id
    person = await remember_person(context.repositories.people, change.from_user, private=present)
    await context.repositories.people.update(user, reachable=present)
    if not present:
        context.outbox.forget_person(user)
        await depart(context.repositories, user, "left")
    elif change.old_chat_member.status == ChatMemberStatus.BANNED:  # the person had blocked the bot until now
        context.outbox.send(Address(user), unblocked_screen(person.language))


async def member_left(context: BotContext, chat: int, user: int) -> None:
    """Remove a person from a group's tables after a service message that they left the group."""
    if user != context.bot.id:
        await _remove_from_tables(context, chat, user)


async def membership_changed(context: BotContext, change: ChatMemberUpdated) -> None:
    """Remove a person who left a group from its tables, also without a service message.

    Telegram sends such updates only to bots that are administrators (Bot API, Update, `chat_member`), and may send a
    service message as well.
    """
    context.members.forget(change.chat.id, change.new_chat_member.user.id)
    if is_outside(change.new_chat_member):
        await _remove_from_tables(context, change.chat.id, change.new_chat_member.user.id)


async def _remove_from_tables(context: BotContext, chat: int, user: int) -> None:
    context.members.forget(chat, user)
    await depart(context.repositories, user, "outside", chat=chat)


async def _move_group(context: BotContext, old: int, new: int) -> None:
    context.outbox.move_chat(old, new)
    await migrate(context.repositories, old, new)
