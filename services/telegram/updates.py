"""Telegram updates: their types, the queue that takes senders in turn, and request ids for the log.

A press of a button contains the whole message. python-telegram-bot builds an object for each part of the message, which
takes a hundred times as long as reading the few fields that the bot needs.
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
    """The fields that the bot needs of a user who presses a button or opens the Mini App."""

    id: int
    first_name: str
    language_code: str | None = None


class PressedChat(Struct, frozen=True):
    """The chat in which a button is pressed."""

    id: int
    title: str | None = None
    username: str | None = None


class PressedButton(Struct, frozen=True):
    """A button of the message."""

    callback_data: str | None = None


class PressedKeyboard(Struct, frozen=True):
    """The inline keyboard of the message."""

    inline_keyboard: list[list[PressedButton]]


class PressedMessage(Struct, frozen=True):
    """The message with the button."""

    message_id: int
    chat: PressedChat
    date: int
    """When the message was sent (Unix seconds); 0 if bots can no longer access it (InaccessibleMessage)."""
    message_thread_id: int | None = None
    is_topic_message: bool = False
    ephemeral_message_id: int | None = None
    """Id of a group message that only the person who presses can see. Such a message has no other id."""
    reply_markup: PressedKeyboard | None = None

    def has(self, data: str) -> bool:
        """Return whether the message has a button with this callback data."""
        keyboard = self.reply_markup
        return keyboard is not None and any(
            button.callback_data == data for row in keyboard.inline_keyboard for button in row
        )


class PressQuery(Struct, frozen=True, rename={"from_user": "from"}):
    """A press of a button. Telegram expects an answer to its `id`."""

    id: str
    from_user: TelegramUser
    message: PressedMessage | None = None
    data: str | None = None


class PressUpdate(Struct, frozen=True):
    """An update with a press of a button."""

    update_id: int
    callback_query: PressQuery


AnyUpdate: TypeAlias = Update | PressUpdate


class KnownMessage(Struct, frozen=True, rename={"from_user": "from"}):
    """Checks the fields of a message: python-telegram-bot does not check types."""

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
    """Checks the fields of a member of a chat."""

    user: TelegramUser
    status: str


class KnownChange(Struct, frozen=True, rename={"from_user": "from"}):
    """Checks the fields of a change of a member."""

    chat: PressedChat
    from_user: TelegramUser
    old_chat_member: KnownMember
    new_chat_member: KnownMember


class KnownUpdate(Struct, frozen=True):
    """Checks the fields of an update without a press."""

    update_id: int
    message: KnownMessage | None = None
    guest_message: KnownMessage | None = None
    my_chat_member: KnownChange | None = None
    chat_member: KnownChange | None = None


class UnreadableUpdateError(Exception):
    """An update cannot be read. The message is only the name of the original error, without content of the update."""


def read_update(received: object, bot: Bot) -> AnyUpdate:
    """Parse an update, a press as a `PressUpdate`. Raises `UnreadableUpdateError` for invalid fields."""
    try:
        if isinstance(received, dict) and "callback_query" not in received:
            msgspec.convert(received, KnownUpdate)
            return Update.de_json(received, bot)
        return msgspec.convert(received, PressUpdate)
    except Exception as error:  # noqa: BLE001 - python-telegram-bot may raise any error for a missing field
        raise UnreadableUpdateError(type(error).__name__) from None


# --- handling

UpdateHandler = Callable[[AnyUpdate], Awaitable[None]]
"""Handles an update, then deletes it from the stored updates."""


BOUNDS = Bounds(
    places=1024,
    asker_places=1,
    target_places=lambda _: 1,
    waiting=20_000,
    asker_waiting=32,
    target_waiting=12,
    head_start=1.0,
)
"""Updates are handled one at a time for each sender and for each chat. At most 32 updates of a sender wait, 12 of them
for one chat."""


class UpdateTurns:
    """Fair queue of updates: senders take turns, so one sender's backlog does not delay the others."""

    def __init__(self) -> None:
        self._places = Places(BOUNDS)

    def turn(self, update: AnyUpdate) -> AbstractAsyncContextManager[None]:
        """Return a context that waits for the update's turn. Raises `NoPlaceError` if too many updates wait."""
        press = isinstance(update, PressUpdate)
        return self._places.place(asker_of(update), _changed_by(update), rank=int(not press))


def asker_of(update: AnyUpdate) -> Asker:
    """Return the sender of an update: a person, or the chat for service messages and anonymous senders.

    Service messages, such as a member who leaves, count for the chat, so they do not wait behind a person's messages.
    """
    if isinstance(update, PressUpdate):
        return update.callback_query.from_user.id
    message, user = update.effective_message, update.effective_user
    tells = message is None or message.left_chat_member or message.migrate_to_chat_id or message.migrate_from_chat_id
    if tells or user is None or (message is not None and message.sender_chat is not None):
        return ("chat", chat_of(update))
    return user.id


def chat_of(update: AnyUpdate) -> int | None:
    """Return the chat of an update, if any."""
    if isinstance(update, PressUpdate):
        message = update.callback_query.message
        return None if message is None else message.chat.id
    return update.effective_chat.id if update.effective_chat else None


def _changed_by(update: AnyUpdate) -> int | None:
    """Return the chat to lock while an update is handled; None for updates that change nothing there."""
    if isinstance(update, PressUpdate):
        data = callback_data.unpack(update.callback_query.data or "")
        return None if isinstance(data, callback_data.ShowHand) else chat_of(update)
    return chat_of(update)


def message_of(update: AnyUpdate) -> tuple[int, int] | None:
    """Return the chat and the id of an update's message; None for a press or a guest's message."""
    message = None if isinstance(update, PressUpdate) or update.guest_message else update.effective_message
    return None if message is None else (message.chat.id, message.message_id)


def request_id() -> str | None:
    """Return the id of the update that is being handled in this task, if any."""
    return logs.request_id.get()


def traced(handle: UpdateHandler, count: Callable[[str, float], None]) -> UpdateHandler:
    """Return a handler that logs an update under its request id, and calls `count` with kind and seconds."""

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
    """Remove the request id from a task that outlives the update that started it."""
    logs.request_id.set(None)


def _kind(update: AnyUpdate) -> str:
    if isinstance(update, PressUpdate):
        return "button_press"
    return "message" if update.message else "membership"
