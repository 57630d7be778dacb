"""What every handler works with."""

from dataclasses import dataclass

from telegram import Bot
from telegram.error import TelegramError

from services.telegram.catalogue import Catalogue
from services.telegram.feed.feed import Feed
from services.telegram.memory.memory import Memory
from services.telegram.outbox.outbox import Outbox
from services.telegram.painter.painter import Painter
from services.telegram.tables.refusing import RefusedError
from services.telegram.tables.tables import Tables

ADMINISTRATORS = {"creator", "administrator"}


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The rooms of the bot that handlers call."""

    bot: Bot
    memory: Memory
    catalogue: Catalogue
    tables: Tables
    painter: Painter
    feed: Feed
    outbox: Outbox

    def link(self, payload: str) -> str:
        """Return the deep link that opens the private chat with a payload (Bot API, Deep linking)."""
        return f"https://t.me/{self.bot.username}?start={payload}"

    async def is_administrator(self, chat: int, user: int) -> bool:
        """Tell whether somebody is an administrator of a group."""
        try:
            member = await self.bot.get_chat_member(chat, user)
        except TelegramError:
            return False
        return member.status in ADMINISTRATORS

    async def demand_host(self, chat: int, user: int, *, anonymous: bool = False) -> None:
        """Raise `RefusedError` where the group lets only administrators open and close tables, and this is none."""
        if chat > 0 or anonymous or (await self.memory.chats.chat(chat)).hosts == "all":
            return
        if not await self.is_administrator(chat, user):
            raise RefusedError("hosts_only")
