"""Which update goes to which handler."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

from telegram import Message, Update
from telegram.ext import (
    Application,
    BaseHandler,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from services.telegram.handlers.commands import COMMANDS, Command, obey
from services.telegram.handlers.house import House
from services.telegram.handlers.membership import bot_moved, migrated, renamed, somebody_left
from services.telegram.handlers.taps import press

Callback: TypeAlias = Callable[[Update, ContextTypes.DEFAULT_TYPE], Coroutine[Any, Any, None]]
AnyApplication: TypeAlias = Application[Any, Any, Any, Any, Any, Any]
ALLOWED_UPDATES = ["message", "callback_query", "my_chat_member"]


def register(application: AnyApplication, house: House) -> None:
    """Give the application its handlers."""
    handlers: list[BaseHandler[Any, Any, Any]] = [
        CommandHandler(list(names), _command(house, command), filters=filters.UpdateType.MESSAGE)
        for command, names in COMMANDS.items()
    ]
    handlers += [
        CallbackQueryHandler(_tap(house)),
        ChatMemberHandler(_bot_moved(house), ChatMemberHandler.MY_CHAT_MEMBER),
        MessageHandler(filters.StatusUpdate.LEFT_CHAT_MEMBER, _message(house, somebody_left)),
        MessageHandler(filters.StatusUpdate.MIGRATE, _message(house, migrated)),
        MessageHandler(filters.StatusUpdate.NEW_CHAT_TITLE, _message(house, renamed)),
    ]
    application.add_handlers(handlers)


def _command(house: House, command: Command) -> Callback:
    async def handle(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        if update.message is not None:
            await obey(house, command, update.message)

    return handle


def _tap(house: House) -> Callback:
    async def handle(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        if update.callback_query is not None:
            await press(house, update.callback_query)

    return handle


def _bot_moved(house: House) -> Callback:
    async def handle(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        if update.my_chat_member is not None:
            await bot_moved(house, update.my_chat_member)

    return handle


def _message(house: House, doing: Callable[[House, Message], Awaitable[None]]) -> Callback:
    async def handle(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        if update.message is not None:
            await doing(house, update.message)

    return handle
