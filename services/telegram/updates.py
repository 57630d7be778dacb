"""Updates: what the bot reads of them, and the order in which they are handled, each with an id for the log.

A press of a button comes with the whole message. python-telegram-bot would make an object of each of its parts, which
takes a hundred times as long as reading the few that the bot needs.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import msgspec
import structlog
from msgspec import Struct
from telegram import Bot, Update

from services.common import logs

log = structlog.get_logger(__name__)

# --- presses of buttons as Telegram sends them (Bot API, CallbackQuery)


class TelegramUser(Struct, frozen=True):
    """Who presses a button, or has opened the Mini App: what the bot reads of a user."""

    id: int
    first_name: str
    language_code: str | None = None


class PressedChat(Struct, frozen=True):
    """Where a button is pressed."""

    id: int
    title: str | None = None
    username: str | None = None


class PressedButton(Struct, frozen=True):
    """A button of the message."""

    callback_data: str | None = None


class PressedKeyboard(Struct, frozen=True):
    """The buttons of the message."""

    inline_keyboard: list[list[PressedButton]]


class PressedMessage(Struct, frozen=True):
    """The message with the button."""

    message_id: int
    chat: PressedChat
    date: int
    """Unix seconds; 0 where Telegram shows bots nothing of the message any more (InaccessibleMessage)."""
    message_thread_id: int | None = None
    is_topic_message: bool = False
    ephemeral_message_id: int | None = None
    """That of a message in a group which one person alone sees, who is then the one who presses; it has no other id."""
    reply_markup: PressedKeyboard | None = None

    def has(self, data: str) -> bool:
        """Return whether the message has a button with this callback data."""
        keyboard = self.reply_markup
        return keyboard is not None and any(
            button.callback_data == data for row in keyboard.inline_keyboard for button in row
        )


class PressQuery(Struct, frozen=True, rename={"from_user": "from"}):
    """A press, which is to be answered."""

    id: str
    from_user: TelegramUser
    message: PressedMessage | None = None
    data: str | None = None


class PressUpdate(Struct, frozen=True):
    """The update that brings a press."""

    update_id: int
    callback_query: PressQuery


AnyUpdate: TypeAlias = Update | PressUpdate


def read_update(received: dict[str, Any], bot: Bot) -> AnyUpdate:
    """Return an update: a press as what the bot reads of it, all others as python-telegram-bot has them.

    Raises `ValueError`, `TypeError`, `KeyError` or `AttributeError` for what is no update.
    """
    if "callback_query" not in received:
        return Update.de_json(received, bot)
    try:
        return msgspec.convert(received, PressUpdate)
    except msgspec.ValidationError as error:
        raise ValueError("an update has no press") from error


# --- handling

UpdateHandler = Callable[[AnyUpdate], Awaitable[None]]
"""Handles an update, and forgets that it was to be handled."""


class UpdateOrder:
    """Lets an update be handled after all earlier ones of its chat and of its person, concurrently with all others."""

    def __init__(self) -> None:
        self._last: dict[str, asyncio.Future[None]] = {}

    @asynccontextmanager
    async def turn(self, update: AnyUpdate) -> AsyncIterator[None]:
        """Wait for the earlier updates; the later ones wait for the end of the context."""
        keys = ordering_keys(update)
        before = [self._last[key] for key in keys if key in self._last]
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._last.update(dict.fromkeys(keys, done))
        try:
            for each in before:
                await asyncio.shield(each)
            yield
        finally:
            done.set_result(None)
            for key in keys:
                if self._last.get(key) is done:
                    del self._last[key]


def ordering_keys(update: AnyUpdate) -> list[str]:
    """Return keys for the chat and the person of an update: updates that share a key are handled in order."""
    if isinstance(update, PressUpdate):
        query = update.callback_query
        keys = [] if query.message is None else [f"chat {query.message.chat.id}"]
        return [*keys, f"user {query.from_user.id}"]
    chat, user = update.effective_chat, update.effective_user
    keys = [f"chat {chat.id}"] if chat else []
    return [*keys, f"user {user.id}"] if user else keys


def message_of(update: AnyUpdate) -> tuple[int, int] | None:
    """Return the chat and the id of a message that somebody has written, if the update brings one."""
    message = None if isinstance(update, PressUpdate) or update.guest_message else update.effective_message
    return None if message is None else (message.chat.id, message.message_id)


def request_id() -> str | None:
    """Return the id of the update that is being handled in this task, if any."""
    return logs.request_id.get()


def traced(handle: UpdateHandler, count: Callable[[str, float], None]) -> UpdateHandler:
    """Return a handler that gives each update an id, logs one line about it, and counts it by kind and seconds.

    A repeated update has the same id.
    """

    async def handle_traced(update: AnyUpdate) -> None:
        began = time.perf_counter()
        before = logs.request_id.set(f"update-{update.update_id}")
        try:
            await handle(update)
        finally:
            seconds = time.perf_counter() - began
            count(_kind(update), seconds)
            log.info("update", kind=_kind(update), ms=round(seconds * 1000, 1))
            logs.request_id.reset(before)

    return handle_traced


def clear_request_id() -> None:
    """Remove the id from this task, which goes on after the update that started it."""
    logs.request_id.set(None)


def _kind(update: AnyUpdate) -> str:
    if isinstance(update, PressUpdate):
        return "button_press"
    return "message" if update.message else "membership"
