"""Answers people who mention the bot in a chat without it (Bot API 10.0, guest mode)."""

import structlog
from telegram import InlineQueryResultArticle, InputTextMessageContent, Message
from telegram.constants import ParseMode
from telegram.error import TelegramError

from locanda.translations import nearest_language
from services.telegram.handlers.context import BotContext
from services.telegram.screens.settings_and_help import guest_screen
from services.telegram.sending.bot_api import keyboard

log = structlog.get_logger(__name__)


async def invite(context: BotContext, message: Message) -> None:
    """Send an invitation, the only message that Telegram allows in such a chat. Nothing is stored on chat or people."""
    caller, query = message.from_user, message.guest_query_id
    if query is None:
        return
    screen = guest_screen(context.bot.username, nearest_language(caller.language_code if caller else None))
    result = InlineQueryResultArticle(
        "invitation",
        context.bot.first_name,
        InputTextMessageContent(screen.text, parse_mode=ParseMode.HTML),
        api_kwargs=keyboard(screen),
    )
    try:
        await context.bot.answer_guest_query(query, result)
    except TelegramError as error:
        log.info("guest_not_answered", reason=type(error).__name__)
