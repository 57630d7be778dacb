"""Registers the handlers of all updates but presses; defines those of members, groups and the bot itself."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

from telegram import ChatMemberUpdated, Message, Update
from telegram.constants import ChatMemberStatus
from telegram.ext import (
    Application,
    BaseHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from services.telegram.handlers import (  # noqa: F401  (their buttons register themselves)
    closing,
    lobby,
    rules_and_lessons,
    settings,
    table,
)
from services.telegram.handlers.commands import COMMANDS, UNKNOWN, ChatCommand, help_for, run_command
from services.telegram.handlers.context import OUTSIDE, BotContext, is_outside, remember_group, remember_person
from services.telegram.repositories import depart, migrate
from services.telegram.screens.notices import unblocked_screen
from services.telegram.sending.messages import Address

Callback: TypeAlias = Callable[[Update, ContextTypes.DEFAULT_TYPE], Coroutine[Any, Any, None]]
AnyApplication: TypeAlias = Application[Any, Any, Any, Any, Any, Any]
ALLOWED_UPDATES = ["message", "callback_query", "my_chat_member", "chat_member"]


def register(application: AnyApplication, context: BotContext) -> None:
    """Add the handlers of all updates but presses, which `callbacks.handle_press` handles, to the application."""
    handlers: list[BaseHandler[Any, Any, Any]] = [
        CommandHandler({each.english, each.italian}, _command(context, each), filters=filters.UpdateType.MESSAGE)
        for each in COMMANDS
    ]
    unknown = filters.UpdateType.MESSAGE & filters.COMMAND & filters.ChatType.PRIVATE
    handlers.append(MessageHandler(unknown, _command(context, UNKNOWN)))
    handlers += [
        ChatMemberHandler(_bot_membership_changed(context), ChatMemberHandler.MY_CHAT_MEMBER),
        ChatMemberHandler(_membership_changed(context), ChatMemberHandler.CHAT_MEMBER),
        MessageHandler(filters.StatusUpdate.LEFT_CHAT_MEMBER, _message(context, member_left)),
        MessageHandler(filters.StatusUpdate.MIGRATE, _message(context, group_migrated)),
        MessageHandler(filters.StatusUpdate.NEW_CHAT_TITLE, _message(context, group_renamed)),
    ]
    application.add_handlers(handlers)


def _command(context: BotContext, command: ChatCommand) -> Callback:
    async def handle(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        if update.message is not None:
            await run_command(context, command, update.message)

    return handle


def _bot_membership_changed(context: BotContext) -> Callback:
    async def handle(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        if update.my_chat_member is not None:
            await bot_membership_changed(context, update.my_chat_member)

    return handle


def _membership_changed(context: BotContext) -> Callback:
    async def handle(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        if update.chat_member is not None:
            await membership_changed(context, update.chat_member)

    return handle


def _message(context: BotContext, handler: Callable[[BotContext, Message], Awaitable[None]]) -> Callback:
    async def handle(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        if update.message is not None:
            await handler(context, update.message)

    return handle


async def bot_membership_changed(context: BotContext, change: ChatMemberUpdated) -> None:
    """Store that the bot was added to or removed from a group, or blocked or unblocked by a person."""
    present = change.new_chat_member.status not in OUTSIDE
    if change.chat.id > 0:
        await _set_blocked(context, change, present=present)
        return
    language = await remember_group(context.repositories.chats, change.chat, change.from_user)
    await context.repositories.chats.update_settings(change.chat.id, present=present)
    if not present:
        return
    if change.old_chat_member.status in OUTSIDE:
        context.outbox.send(Address(change.chat.id), help_for(language, "administrators"))


async def _set_blocked(context: BotContext, change: ChatMemberUpdated, *, present: bool) -> None:
    user = change.from_user.id
    person = await remember_person(context.repositories.people, change.from_user, private=present)
    await context.repositories.people.set_reachable(user, reachable=present)
    if not present:
        await depart(context.repositories, user, "left")
    elif change.old_chat_member.status == ChatMemberStatus.BANNED:  # blocked, until now
        context.outbox.send(Address(user), unblocked_screen(person.language))


async def member_left(context: BotContext, message: Message) -> None:
    """Remove a person of whom a service message says that they left the group from its tables."""
    left = message.left_chat_member
    if left is not None and left.id != context.bot.id:
        await _remove_from_tables(context, message.chat.id, left.id)


async def membership_changed(context: BotContext, change: ChatMemberUpdated) -> None:
    """Remove a person who left the group from its tables, also where no service message says so.

    Telegram tells this to administrators alone (Bot API, Update, `chat_member`), and may tell it by both.
    """
    if is_outside(change.new_chat_member):
        await _remove_from_tables(context, change.chat.id, change.new_chat_member.user.id)


async def _remove_from_tables(context: BotContext, chat: int, user: int) -> None:
    context.members.forget(chat, user)
    await depart(context.repositories, user, "outside", chat=chat)


async def group_migrated(context: BotContext, message: Message) -> None:
    """Move a group's data to the supergroup that it became."""
    if message.migrate_to_chat_id is not None:
        await _move_group(context, message.chat.id, message.migrate_to_chat_id)
    elif message.migrate_from_chat_id is not None:
        await _move_group(context, message.migrate_from_chat_id, message.chat.id)


async def _move_group(context: BotContext, old: int, new: int) -> None:
    context.outbox.move_chat(old, new)
    await migrate(context.repositories, old, new)


async def group_renamed(context: BotContext, message: Message) -> None:
    """Store the group's new name."""
    await remember_group(context.repositories.chats, message.chat, message.from_user)
