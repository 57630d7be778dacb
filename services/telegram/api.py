"""The calls of the Bot API that the outbox makes, and what their failures mean for a message."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

import httpx
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError

from services.telegram.buttons import pack
from services.telegram.screens.screen import Button, Screen

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


@dataclass(frozen=True, slots=True)
class Address:
    """A chat, and the topic in it."""

    chat: int
    thread: int | None = None


class Api(Protocol):
    """What the outbox needs of Telegram. Every call raises `TelegramError`."""

    async def send(self, to: Address, screen: Screen) -> int:
        """Send a message and return its id."""

    async def edit(self, chat: int, message: int, screen: Screen) -> None:
        """Edit a message."""

    async def delete(self, chat: int, message: int) -> None:
        """Delete a message."""

    async def answer(self, tap: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a tap."""


class BotApi:
    """The Bot API through python-telegram-bot."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send(self, to: Address, screen: Screen) -> int:
        """Send a message and return its id."""
        message = await self._bot.send_message(
            to.chat,
            screen.text,
            parse_mode=ParseMode.HTML,
            reply_markup=markup(screen),
            message_thread_id=to.thread,
            link_preview_options=NO_PREVIEW,
        )
        return message.message_id

    async def edit(self, chat: int, message: int, screen: Screen) -> None:
        """Edit a message."""
        await self._bot.edit_message_text(
            screen.text,
            chat,
            message,
            parse_mode=ParseMode.HTML,
            reply_markup=markup(screen),
            link_preview_options=NO_PREVIEW,
        )

    async def delete(self, chat: int, message: int) -> None:
        """Delete a message."""
        await self._bot.delete_message(chat, message)

    async def answer(self, tap: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a tap."""
        await self._bot.answer_callback_query(tap, text, show_alert=alert or None, url=url)


def markup(screen: Screen) -> InlineKeyboardMarkup | None:
    """Return the buttons of a screen as Telegram takes them."""
    if not screen.rows:
        return None
    return InlineKeyboardMarkup([[_button(button) for button in row] for row in screen.rows])


def _button(button: Button) -> InlineKeyboardButton:
    if button.tap is None:
        return InlineKeyboardButton(button.label, url=button.url)
    return InlineKeyboardButton(button.label, callback_data=pack(button.tap), style=button.style)


class Fate(Enum):
    """What became of a message whose call failed."""

    SHOWN = auto()
    """It already looks like that."""
    VANISHED = auto()
    """The message to edit is not there any more."""
    NO_TOPIC = auto()
    """The topic is not there any more."""
    NO_CLOCK = auto()
    """The server does not know date-time entities."""
    HELD = auto()
    """The chat is flooded: later."""
    MIGRATED = auto()
    """The group has become a supergroup."""
    FORBIDDEN = auto()
    """The bot may not write there."""
    FAILED = auto()
    """It certainly did not arrive: again."""
    DOUBTFUL = auto()
    """It may have arrived."""
    REFUSED = auto()
    """Telegram will never take it."""


_BAD_REQUESTS = (
    ("message is not modified", Fate.SHOWN),
    ("message to edit not found", Fate.VANISHED),
    ("message can't be edited", Fate.VANISHED),
    ("message_id_invalid", Fate.VANISHED),
    ("message thread not found", Fate.NO_TOPIC),
    ("topic_deleted", Fate.NO_TOPIC),
    ('unsupported start tag "tg-time"', Fate.NO_CLOCK),
    ("not enough rights", Fate.FORBIDDEN),
    ("have no rights to send", Fate.FORBIDDEN),
    ("chat_write_forbidden", Fate.FORBIDDEN),
    ("topic_closed", Fate.FORBIDDEN),
    ("chat not found", Fate.FORBIDDEN),
)
"""Telegram's words, as its server says them (tdlib/telegram-bot-api, Client.cpp)."""


def fate(error: TelegramError) -> Fate:
    """Return what a failed call means for its message."""
    match error:
        case RetryAfter():
            return Fate.HELD
        case ChatMigrated():
            return Fate.MIGRATED
        case Forbidden():
            return Fate.FORBIDDEN
        case BadRequest():
            said = error.message.lower()
            return next((meant for words, meant in _BAD_REQUESTS if words in said), Fate.REFUSED)
        case NetworkError():
            return _of_the_network(error.__cause__)
        case _:
            return Fate.REFUSED


def _of_the_network(cause: BaseException | None) -> Fate:
    """Tell a request that never left, or that the server refused, from one whose answer was lost."""
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return Fate.FAILED
    return Fate.DOUBTFUL if isinstance(cause, httpx.HTTPError) else Fate.FAILED
