"""The Bot API calls that the outbox makes, and the classification of their errors."""

from enum import Enum, auto
from typing import Protocol

import httpx
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError

from services.telegram.callback_data import pack
from services.telegram.screens.screen import Button, Screen
from services.telegram.sending.messages import Address

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class MessageApi(Protocol):
    """The calls that the outbox needs. Every one raises `TelegramError`."""

    async def send(self, to: Address, screen: Screen) -> int:
        """Send a message and return its id."""

    async def edit(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit a message."""

    async def delete(self, chat: int, message_id: int) -> None:
        """Delete a message."""

    async def answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a callback query."""


class BotApi:
    """The calls through python-telegram-bot."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send(self, to: Address, screen: Screen) -> int:
        """Send a message and return its id (Bot API, sendMessage)."""
        message = await self._bot.send_message(
            to.chat,
            screen.text,
            parse_mode=ParseMode.HTML,
            reply_markup=markup(screen),
            message_thread_id=to.thread,
            link_preview_options=NO_PREVIEW,
        )
        return message.message_id

    async def edit(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit a message (Bot API, editMessageText)."""
        await self._bot.edit_message_text(
            screen.text,
            chat,
            message_id,
            parse_mode=ParseMode.HTML,
            reply_markup=markup(screen),
            link_preview_options=NO_PREVIEW,
        )

    async def delete(self, chat: int, message_id: int) -> None:
        """Delete a message (Bot API, deleteMessage)."""
        await self._bot.delete_message(chat, message_id)

    async def answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a callback query (Bot API, answerCallbackQuery)."""
        await self._bot.answer_callback_query(query_id, text, show_alert=alert or None, url=url)


def markup(screen: Screen) -> InlineKeyboardMarkup | None:
    """Return the inline keyboard of a screen; none for a screen without buttons."""
    if not screen.rows:
        return None
    return InlineKeyboardMarkup([[_button(button) for button in row] for row in screen.rows])


def _button(button: Button) -> InlineKeyboardButton:
    if button.data is None:
        return InlineKeyboardButton(button.label, url=button.url)
    return InlineKeyboardButton(button.label, callback_data=pack(button.data), style=button.style)


class DeliveryError(Enum):
    """What an error of a call means for its message."""

    NOT_MODIFIED = auto()
    """The message shows the screen already."""
    MESSAGE_GONE = auto()
    """The message to edit does not exist any more, or cannot be edited."""
    NOT_DELETABLE = auto()
    """The message is too old to be deleted."""
    TOPIC_GONE = auto()
    """The topic does not exist any more."""
    NO_DATE_TIME = auto()
    """The server does not know date-time entities."""
    RATE_LIMITED = auto()
    """Too many messages to the chat; deliver later."""
    MIGRATED = auto()
    """The group has become a supergroup."""
    FORBIDDEN = auto()
    """The bot may not write to the chat."""
    NOT_SENT = auto()
    """The call certainly had no effect; repeat it."""
    UNCERTAIN = auto()
    """The call may have had its effect."""
    REJECTED = auto()
    """Telegram will never accept the message."""


_BAD_REQUESTS = (
    ("message is not modified", DeliveryError.NOT_MODIFIED),
    ("message to edit not found", DeliveryError.MESSAGE_GONE),
    ("message can't be edited", DeliveryError.MESSAGE_GONE),
    ("message_id_invalid", DeliveryError.MESSAGE_GONE),
    ("message identifier is not specified", DeliveryError.MESSAGE_GONE),
    ("there is no text in the message to edit", DeliveryError.MESSAGE_GONE),
    ("message to delete not found", DeliveryError.MESSAGE_GONE),
    ("message can't be deleted", DeliveryError.NOT_DELETABLE),
    ("message_delete_forbidden", DeliveryError.NOT_DELETABLE),
    ("message thread not found", DeliveryError.TOPIC_GONE),
    ("topic_deleted", DeliveryError.TOPIC_GONE),
    ('unsupported start tag "tg-time"', DeliveryError.NO_DATE_TIME),
    ("not enough rights", DeliveryError.FORBIDDEN),
    ("have no rights to send", DeliveryError.FORBIDDEN),
    ("chat_write_forbidden", DeliveryError.FORBIDDEN),
    ("topic_closed", DeliveryError.FORBIDDEN),
    ("chat not found", DeliveryError.FORBIDDEN),
)
"""Descriptions of errors as the Bot API server writes them (tdlib/telegram-bot-api, Client.cpp), in lower case."""


def classify(error: TelegramError) -> DeliveryError:
    """Return what an error of a call means for its message."""
    match error:
        case RetryAfter():
            return DeliveryError.RATE_LIMITED
        case ChatMigrated():
            return DeliveryError.MIGRATED
        case Forbidden():
            return DeliveryError.FORBIDDEN
        case BadRequest():
            description = error.message.lower()
            return next((found for text, found in _BAD_REQUESTS if text in description), DeliveryError.REJECTED)
        case NetworkError():
            return _classify_network_error(error.__cause__)
        case _:
            return DeliveryError.REJECTED


def _classify_network_error(cause: BaseException | None) -> DeliveryError:
    """Tell apart a request that never left or that the server refused, and one whose answer was lost."""
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return DeliveryError.NOT_SENT
    return DeliveryError.UNCERTAIN if isinstance(cause, httpx.HTTPError) else DeliveryError.NOT_SENT


def retry_after_seconds(error: RetryAfter) -> float:
    """Return for how many seconds Telegram asks to wait (Bot API, ResponseParameters)."""
    after = error.retry_after
    return float(after) if isinstance(after, int) else after.total_seconds()
