"""Presses of buttons as Telegram sends them (Bot API, CallbackQuery): what the bot reads of them.

A press comes with the whole message. python-telegram-bot would make an object of each of its parts, which takes more
time than all the rest of handling it.
"""

from typing import TypeAlias

from msgspec import Struct
from telegram import Update


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
