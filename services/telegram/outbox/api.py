"""The calls of the Bot API that the outbox makes."""

from typing import Protocol

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ParseMode

from services.telegram.buttons import pack
from services.telegram.outbox.parcels import Address
from services.telegram.screens.screen import Button, Screen

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


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
