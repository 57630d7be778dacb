"""What every call of the Mini App brings, and what the bot makes of it: who asks, and about which table."""

from typing import Annotated

from msgspec import Meta, Struct

from locanda.translations import Language, nearest_language
from services.telegram.handlers.context import BotContext
from services.telegram.mini_app.init_data import InitData
from services.telegram.records import ChatTable
from services.telegram.updates import TelegramUser


class AppRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of every call's body."""

    init_data: str
    """Telegram's launch data, as the app has them."""
    table: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")] | None = None
    """The bot's reference for the table, where the launch data have none: of a button in a private chat."""
    language: Language | None = None
    """The page's language; null for the person's language at Telegram."""


class Caller(Struct, frozen=True):
    """Who asks, and about which table."""

    user: TelegramUser
    chat_table: ChatTable
    language: Language
    """Of the texts in the answer."""

    @property
    def ref(self) -> str:
        """The bot's reference for the table."""
        return self.chat_table.ref


def language_of(launched: InitData, wanted: AppRequest) -> Language:
    """Return the language in which a call is answered."""
    return wanted.language or nearest_language(launched.user.language_code)


async def caller_of(context: BotContext, launched: InitData, wanted: AppRequest) -> Caller:
    """Return who asks. Raises `ActionRefusedError` where there is no such table, or it is not for them."""
    lookup = context.tables.lookup
    chat_table = await lookup.chat_table(launched.start_param or wanted.table or "")
    if launched.start_param is None:
        # Nothing signed names this table: it is shown to those alone who sit there.
        await lookup.require_seated(chat_table, launched.user.id)
    return Caller(launched.user, chat_table, language_of(launched, wanted))
