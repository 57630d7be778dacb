"""What all messages of a table share: the chat, the language, the table's letter, its links to the Mini App."""

from msgspec import Struct

from locanda.translations import Language
from services.telegram.records import ChatTable, TableSlot
from services.telegram.repositories import Repositories
from services.telegram.screens.screen import Screen
from services.telegram.sending.messages import Address, Priority
from services.telegram.sending.outbox import Outbox
from services.telegram.settings import BotSettings


class AppLinks(Struct, frozen=True):
    """Makes the links that open the Mini App at a table; empty links if the bot has no Mini App."""

    username: str = ""
    app: str = ""
    """The app's short name from BotFather's /newapp; empty where there is none."""
    public_url: str = ""

    @property
    def address(self) -> str:
        """The app's own address at Telegram; empty where there is none."""
        return f"https://t.me/{self.username}/{self.app}" if self.app else ""

    def in_group(self, ref: str) -> str:
        """Return the link for a button in a group: Telegram refuses `web_app` buttons there (Bot API, direct links)."""
        return f"{self.address}?startapp={ref}" if self.app else ""

    def in_private(self, ref: str) -> str:
        """Return the address for a `web_app` button in a private chat; the page reads the table from it."""
        return f"{self.public_url}/?table={ref}" if self.app else ""


def app_links(settings: BotSettings, username: str) -> AppLinks:
    """Return the links of a bot."""
    return AppLinks(username, settings.telegram_app, settings.public_url)


class TableDisplay:
    """Shows screens of a table in its chat: the group, or the private chat of one who plays alone."""

    def __init__(self, repositories: Repositories, outbox: Outbox) -> None:
        self._people = repositories.people
        self._chats = repositories.chats
        self._chat_tables = repositories.chat_tables
        self._messages = repositories.messages
        self._outbox = outbox

    async def letter(self, chat_table: ChatTable) -> str:
        """Return a table's letter; empty while the chat or topic has no other table."""
        if chat_table.alone:
            return ""
        siblings = await self._chat_tables.siblings(chat_table.chat, chat_table.thread)
        return chat_table.letter if any(each.ref != chat_table.ref for each in siblings) else ""

    async def language(self, chat_table: ChatTable) -> Language:
        """Return the language of a table's messages."""
        if not chat_table.alone:
            return (await self._chats.chat(chat_table.chat)).language
        person = await self._people.person(chat_table.chat)
        return "en" if person is None else person.language

    async def pictures(self, chat_table: ChatTable) -> bool:
        """Return whether the end of the table's matches comes with a picture."""
        return not chat_table.alone and (await self._chats.chat(chat_table.chat)).pictures

    async def show(
        self,
        chat_table: ChatTable,
        slot: TableSlot,
        screen: Screen,
        *,
        priority: Priority = Priority.TABLE,
        create: bool = True,
    ) -> bool:
        """Show a screen in a table's chat; with `create` false, only edit an existing message.

        Return false where the bot may not write to the chat.
        """
        if not chat_table.alone and not (await self._chats.chat(chat_table.chat)).present:
            return False
        message = (await self._messages.by_slot(chat_table.ref)).get(slot)
        to = Address(chat_table.chat, chat_table.thread)
        self._outbox.show(slot, to, screen, message=message, priority=priority, create=create)
        return True
