"""The command /emoji of the bot's owner: gives the bot pictures of cards, or takes them away."""

import structlog
from telegram.error import TelegramError

from locanda.translations import translations_in
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.handlers.context import BotContext, CommandSender
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen
from services.telegram.sending.emoji_set import may_use, upload
from services.telegram.tables.lookup import ActionRefusedError

log = structlog.get_logger(__name__)

OFF = "off"
"""The text after the command that takes the pictures away."""


async def custom_emoji(context: BotContext, sender: CommandSender, text: str) -> Screen:
    """Upload the pictures and use them where Telegram lets this bot; `off` takes them away. For the owner alone."""
    if sender.user != context.owner or not sender.private:
        raise ActionRefusedError("owner_only")
    translations, emoji = translations_in(sender.language), context.outbox.emoji
    repository = context.repositories.abilities
    if text.strip().lower() == OFF:
        emoji.use({})
        await repository.forget_emoji()
        return note(translations.gettext("The cards are shown by signs again."))
    try:
        ids = await upload(context.bot, sender.user)
        allowed = await may_use(context.bot, sender.user, ids)
    except TelegramError as error:
        log.warning("custom_emoji_not_uploaded", reason=error.message)
        return note(translations.gettext("Telegram did not take the pictures. /emoji goes on where it stopped."))
    if not allowed:
        return note(
            translations.gettext(
                "The pictures are there, but Telegram takes them out of the bot's messages: that needs Telegram "
                "Premium for you, whose bot it is."
            )
        )
    await repository.keep_emoji(ids)
    emoji.use(ids)
    return note(translations.gettext("From now on the cards are shown by pictures. “/emoji off” takes them away."))


async def load(context: BotContext) -> None:
    """Use the pictures that were uploaded before."""
    try:
        context.outbox.emoji.use(await context.repositories.abilities.emoji_ids())
    except REDIS_ERRORS as error:
        log.warning("custom_emoji_not_loaded", reason=type(error).__name__)
