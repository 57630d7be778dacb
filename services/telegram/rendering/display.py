"""How any message of a table is shown: in which chat, in which language, with which letter."""

from locanda.translations import Language
from services.telegram.records import ChatTable, TableSlot
from services.telegram.repositories import Repositories
from services.telegram.screens.screen import Screen
from services.telegram.sending.messages import Address, Priority
from services.telegram.sending.outbox import Outbox


class TableDisplay:
    """Shows screens of a table in its chat: the group, or the private chat of one who plays alone."""

    def __init__(self, repositories: Repositories, outbox: Outbox) -> None:
        self._people = repositories.people
        self._chats = repositories.chats
        self._chat_tables = repositories.chat_tables
        self._messages = repositories.messages
        self._outbox = outbox

    async def letter(self, chat_table: ChatTable) -> str:
        """Return a table's letter; empty where the chat or topic has no other table."""
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
        """Return whether the end of a table's matches comes with a picture."""
        return not chat_table.alone and (await self._chats.chat(chat_table.chat)).pictures

    async def show(
        self,
        chat_table: ChatTable,
        slot: TableSlot,
        screen: Screen,
        *,
        priority: Priority = Priority.TABLE,
        create: bool = True,
    ) -> None:
        """Show a screen in a table's chat; without `create` an existing message is edited and none sent."""
        if not chat_table.alone and not (await self._chats.chat(chat_table.chat)).present:
            return
        message = (await self._messages.by_slot(chat_table.ref)).get(slot)
        to = Address(chat_table.chat, chat_table.thread)
        self._outbox.show(slot, to, screen, message=message, priority=priority, create=create)
