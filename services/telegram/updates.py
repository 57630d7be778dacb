"""Updates: what the bot reads of them, and the order in which they are handled, each with an id for the log.

A press of a button comes with the whole message. python-telegram-bot would make an object of each of its parts, which
takes a hundred times as long as reading the few that the bot needs.
"""

import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

import msgspec
import structlog
from msgspec import Struct
from telegram import Bot, Update

from services.common import logs
from services.common.fair_queue import Asker, Bounds
from services.common.places import Places
from services.telegram import callback_data

log = structlog.get_logger(__name__)

# --- presses of buttons as Telegram sends them (Bot API, CallbackQuery)


class TelegramUser(Struct, frozen=True):
    """A user who presses a button or opens the Mini App, with the fields that the bot reads."""

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
    """Unix seconds; 0 if Telegram shows bots nothing of the message any more (InaccessibleMessage)."""
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


class KnownMessage(Struct, frozen=True, rename={"from_user": "from"}):
    """Required fields of a message; python-telegram-bot does not check types."""

    message_id: int
    chat: PressedChat
    date: int
    from_user: TelegramUser | None = None
    sender_chat: PressedChat | None = None
    text: str | None = None
    migrate_to_chat_id: int | None = None
    migrate_from_chat_id: int | None = None
    new_chat_title: str | None = None
    left_chat_member: TelegramUser | None = None


class KnownMember(Struct, frozen=True):
    """The same for a member of a chat."""

    user: TelegramUser
    status: str


class KnownChange(Struct, frozen=True, rename={"from_user": "from"}):
    """The same for a change of a member."""

    chat: PressedChat
    from_user: TelegramUser
    old_chat_member: KnownMember
    new_chat_member: KnownMember


class KnownUpdate(Struct, frozen=True):
    """The same for an update."""

    update_id: int
    message: KnownMessage | None = None
    guest_message: KnownMessage | None = None
    my_chat_member: KnownChange | None = None
    chat_member: KnownChange | None = None


class UnreadableUpdateError(Exception):
    """An update cannot be read; the message is the name of the error, which quotes nothing."""


def read_update(received: object, bot: Bot) -> AnyUpdate:
    """Return an update: a press as what the bot reads of it, all others as python-telegram-bot has them.

    Raises `UnreadableUpdateError`.
    """
    try:
        if isinstance(received, dict) and "callback_query" not in received:
            msgspec.convert(received, KnownUpdate)
            return Update.de_json(received, bot)
        return msgspec.convert(received, PressUpdate)
    except Exception as error:  # noqa: BLE001 - python-telegram-bot raises any error where a field is missing
        raise UnreadableUpdateError(type(error).__name__) from None


# --- handling

UpdateHandler = Callable[[AnyUpdate], Awaitable[None]]
"""Handles an update, and forgets that it was to be handled."""


BOUNDS = Bounds(
    places=1024,
    asker_places=1,
    target_places=lambda _: 1,
    waiting=20_000,
    asker_waiting=32,
    target_waiting=12,
    head_start=1.0,
)
"""An asker has one update handled at a time, and so has a chat. Few of an asker's wait, and even fewer for one chat."""


class UpdateTurns:
    """Lets updates be handled in turns by who caused them: one's wait for a chat keeps nobody else's waiting there."""

    def __init__(self) -> None:
        self._places = Places(BOUNDS)

    def turn(self, update: AnyUpdate) -> AbstractAsyncContextManager[None]:
        """Return a context for handling an update, which waits for its turn. Raises `NoPlaceError`: too many wait."""
        press = isinstance(update, PressUpdate)
        return self._places.place(asker_of(update), _changed_by(update), rank=int(not press))


def asker_of(update: AnyUpdate) -> Asker:
    """Return who caused an update: a person, else the chat, as for what happens to its members or for anonymous people.

    What the bot must not miss of a chat does not wait with what its people say.
    """
    if isinstance(update, PressUpdate):
        return update.callback_query.from_user.id
    message, user = update.effective_message, update.effective_user
    tells = message is None or message.left_chat_member or message.migrate_to_chat_id or message.migrate_from_chat_id
    if tells or user is None or (message is not None and message.sender_chat is not None):
        return ("chat", chat_of(update))
    return user.id


def chat_of(update: AnyUpdate) -> int | None:
    """Return the chat in which an update changes something, if any."""
    if isinstance(update, PressUpdate):
        message = update.callback_query.message
        return None if message is None else message.chat.id
    return update.effective_chat.id if update.effective_chat else None


def _changed_by(update: AnyUpdate) -> int | None:
    """Return the chat that others may not change meanwhile, or none."""
    if isinstance(update, PressUpdate):
        data = callback_data.unpack(update.callback_query.data or "")
        return None if isinstance(data, callback_data.ShowHand) else chat_of(update)
    return chat_of(update)


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
