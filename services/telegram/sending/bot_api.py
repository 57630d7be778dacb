"""Bot API calls of the outbox, and the classification of their errors."""

from collections.abc import Callable, Coroutine
from enum import Enum, auto
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
import structlog
from msgspec import Struct
from telegram import Bot, InputMediaPhoto
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError, TimedOut

from services.telegram.callback_data import pack
from services.telegram.screens.screen import Button, Screen
from services.telegram.sending.http_request import LostAnswerError, NotSentError, call
from services.telegram.sending.messages import Address
from services.telegram.sending.photos import draw_photo

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

NOT_DRAWN = "photo not drawn"
NO_PREVIEW = {"is_disabled": True}


def _counted(
    call: Callable[Concatenate["BotApi", P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate["BotApi", P], Coroutine[Any, Any, T]]:
    """Decorate a call: count it under its name, with `done` or the name of its error."""

    @wraps(call)
    async def counted(api: "BotApi", /, *args: P.args, **options: P.kwargs) -> T:
        try:
            result = await call(api, *args, **options)
        except TelegramError as error:
            api.count(call.__name__, classify(error).name.lower())
            raise
        api.count(call.__name__, "done")
        return result

    return counted


class BotApi:
    """The outbox's Bot API calls. All raise `TelegramError`.

    Calls with files use python-telegram-bot; the others send JSON directly, which is faster.
    """

    def __init__(self, bot: Bot, count: Callable[[str, str], None]) -> None:
        """`bot` must have been made with an `AiohttpRequest`; `count` counts calls by name and outcome."""
        self._bot = bot
        self.count = count

    @_counted
    async def send(self, to: Address, screen: Screen, document: bytes = b"", *, silent: bool = False) -> int:
        """Send a message and return its id (Bot API, sendMessage, sendPhoto, sendDocument).

        `document` is the content of the screen's file, if it has one. A `silent` message makes no sound.
        """
        if screen.photo:
            return await self._send_photo(to, screen, silent=silent)
        if screen.document:
            return await self._send_document(to, screen, document)
        place = {"chat_id": to.chat, "message_thread_id": to.thread, "disable_notification": silent or None}
        message = await call(self._bot, "sendMessage", {**place, **_content(screen)})
        return int(message["message_id"])

    async def _send_photo(self, to: Address, screen: Screen, *, silent: bool) -> int:
        message = await self._bot.send_photo(
            to.chat,
            await _photo(screen),
            screen.text,
            parse_mode=ParseMode.HTML,
            message_thread_id=to.thread,
            disable_notification=silent,
            api_kwargs=keyboard(screen),
        )
        return message.message_id

    async def _send_document(self, to: Address, screen: Screen, document: bytes) -> int:
        message = await self._bot.send_document(
            to.chat, document, screen.text, parse_mode=ParseMode.HTML, filename=screen.document
        )
        return message.message_id

    @_counted
    async def edit(self, chat: int, message_id: int, screen: Screen, *, shown: Screen | None = None) -> None:
        """Edit a message (Bot API, editMessageText, editMessageCaption, editMessageMedia)."""
        if screen.photo and (shown is None or shown.photo != screen.photo):
            await self._edit_photo(chat, message_id, screen)
            return
        if screen.photo or screen.document:
            await self._edit_caption(chat, message_id, screen)
            return
        await call(self._bot, "editMessageText", {"chat_id": chat, "message_id": message_id, **_content(screen)})

    async def _edit_caption(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit the text of a message without changing its photo or file."""
        await self._bot.edit_message_caption(
            chat, message_id, caption=screen.text, parse_mode=ParseMode.HTML, api_kwargs=keyboard(screen)
        )

    async def _edit_photo(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit a message's photo and text; this also adds a photo to a message without one."""
        media = InputMediaPhoto(await _photo(screen), screen.text, parse_mode=ParseMode.HTML)
        await self._bot.edit_message_media(media, chat, message_id, api_kwargs=keyboard(screen))

    @_counted
    async def delete(self, chat: int, message_id: int) -> None:
        """Delete a message (Bot API, deleteMessage)."""
        await call(self._bot, "deleteMessage", {"chat_id": chat, "message_id": message_id})

    @_counted
    async def answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a callback query (Bot API, answerCallbackQuery)."""
        parameters = {"callback_query_id": query_id, "text": text, "show_alert": alert or None, "url": url}
        await call(self._bot, "answerCallbackQuery", parameters)


def keyboard(screen: Screen) -> dict[str, object]:
    """Return a screen's buttons, if any, as `api_kwargs`, which python-telegram-bot passes on unchecked."""
    rows = markup(screen)
    return {} if rows is None else {"reply_markup": msgspec.to_builtins(rows)}


async def _photo(screen: Screen) -> bytes:
    """Draw the photo of a screen. Raises `BadRequest` if that fails, as Telegram would; the error names no cards."""
    try:
        return await draw_photo(screen.photo)
    except (OSError, ValueError) as error:
        log.error("photo_not_drawn", reason=type(error).__name__)  # noqa: TRY400
        raise BadRequest(NOT_DRAWN) from None


def _content(screen: Screen) -> dict[str, object]:
    """Return the parameters for a screen without a photo."""
    return {
        "text": screen.text,
        "parse_mode": ParseMode.HTML,
        "reply_markup": markup(screen),
        "link_preview_options": NO_PREVIEW,
    }


class InlineKeyboardButton(Struct, frozen=True, omit_defaults=True):
    """A button (Bot API, InlineKeyboardButton)."""

    text: str
    callback_data: str | None = None
    url: str | None = None
    web_app: dict[str, str] | None = None
    style: str | None = None
    icon_custom_emoji_id: str | None = None


class InlineKeyboardMarkup(Struct, frozen=True):
    """An inline keyboard (Bot API, InlineKeyboardMarkup)."""

    inline_keyboard: list[list[InlineKeyboardButton]]


def markup(screen: Screen) -> InlineKeyboardMarkup | None:
    """Return the inline keyboard of a screen; None for a screen without buttons."""
    if not screen.rows:
        return None
    return InlineKeyboardMarkup([[_button(button) for button in row] for row in screen.rows])


def _button(button: Button) -> InlineKeyboardButton:
    if button.app is not None:
        return InlineKeyboardButton(button.label, web_app={"url": button.app}, style=button.style)
    if button.data is None:
        return InlineKeyboardButton(button.label, url=button.url)
    return InlineKeyboardButton(button.label, pack(button.data), style=button.style, icon_custom_emoji_id=button.emoji)


class DeliveryError(Enum):
    """The meaning of a failed call for its message."""

    NOT_MODIFIED = auto()
    """The message already shows the screen."""
    HAS_PHOTO = auto()
    """The message has a photo, which Telegram cannot remove."""
    PHOTO_REFUSED = auto()
    """The chat does not allow photos, or the photo could not be drawn. Only the text can be sent."""
    MESSAGE_GONE = auto()
    """The message no longer exists."""
    NOT_EDITABLE = auto()
    """The message cannot be edited, and keeps its content."""
    NOT_DELETABLE = auto()
    """The message is too old to be deleted."""
    TOPIC_GONE = auto()
    """The topic no longer exists."""
    NO_DATE_TIME = auto()
    """The server does not support date-time entities."""
    RATE_LIMITED = auto()
    """Too many messages to the chat; deliver later."""
    MIGRATED = auto()
    """The group has become a supergroup."""
    FORBIDDEN = auto()
    """The bot may not write to the chat, for example because a person has blocked it."""
    NOT_SENT = auto()
    """The call certainly had no effect; repeat it."""
    SERVER_FAILED = auto()
    """The server failed (5xx). The call most likely had no effect; repeat it."""
    UNCERTAIN = auto()
    """No answer: the call may have had its effect."""
    REJECTED = auto()
    """Telegram will never accept the message."""


TEMPORARY = {
    DeliveryError.NOT_SENT,
    DeliveryError.SERVER_FAILED,
    DeliveryError.UNCERTAIN,
    DeliveryError.RATE_LIMITED,
}
"""Errors after which the same call may succeed."""

_BAD_REQUESTS = (
    ("message is not modified", DeliveryError.NOT_MODIFIED),
    ("message to edit not found", DeliveryError.MESSAGE_GONE),
    ("message can't be edited", DeliveryError.NOT_EDITABLE),
    ("message_id_invalid", DeliveryError.MESSAGE_GONE),
    ("message identifier is not specified", DeliveryError.MESSAGE_GONE),
    ("there is no text in the message to edit", DeliveryError.HAS_PHOTO),
    ("message to delete not found", DeliveryError.MESSAGE_GONE),
    ("message can't be deleted", DeliveryError.NOT_DELETABLE),
    ("message_delete_forbidden", DeliveryError.NOT_DELETABLE),
    ("message thread not found", DeliveryError.TOPIC_GONE),
    ("topic_deleted", DeliveryError.TOPIC_GONE),
    ('unsupported start tag "tg-time"', DeliveryError.NO_DATE_TIME),
    (NOT_DRAWN, DeliveryError.PHOTO_REFUSED),
    ("not enough rights to send photos", DeliveryError.PHOTO_REFUSED),
    ("chat_send_photos_forbidden", DeliveryError.PHOTO_REFUSED),
    ("image_process_failed", DeliveryError.PHOTO_REFUSED),
    ("photo_invalid_dimensions", DeliveryError.PHOTO_REFUSED),
    ("caption is too long", DeliveryError.PHOTO_REFUSED),
    ("not enough rights", DeliveryError.FORBIDDEN),
    ("have no rights to send", DeliveryError.FORBIDDEN),
    ("chat_write_forbidden", DeliveryError.FORBIDDEN),
    ("topic_closed", DeliveryError.FORBIDDEN),
    ("chat not found", DeliveryError.FORBIDDEN),
)
"""Parts of the Bot API server's error descriptions (tdlib/telegram-bot-api, Client.cpp), in lower case."""


_ERRORS: tuple[tuple[type[TelegramError], DeliveryError], ...] = (
    (RetryAfter, DeliveryError.RATE_LIMITED),
    (ChatMigrated, DeliveryError.MIGRATED),
    (Forbidden, DeliveryError.FORBIDDEN),
    (TimedOut, DeliveryError.UNCERTAIN),
    (LostAnswerError, DeliveryError.UNCERTAIN),
    (NotSentError, DeliveryError.NOT_SENT),
    (NetworkError, DeliveryError.SERVER_FAILED),
)
"""Meanings of the other error types; the first match counts."""


def classify(error: TelegramError) -> DeliveryError:
    """Return the meaning of a call's error for its message."""
    if isinstance(error, BadRequest):
        description = error.message.lower()
        return next((error_kind for text, error_kind in _BAD_REQUESTS if text in description), DeliveryError.REJECTED)
    return next((error_kind for kind, error_kind in _ERRORS if isinstance(error, kind)), DeliveryError.REJECTED)


def retry_after_seconds(error: RetryAfter) -> float:
    """Return the seconds that Telegram asks to wait (Bot API, ResponseParameters)."""
    after = error.retry_after
    return float(after) if isinstance(after, int) else after.total_seconds()
