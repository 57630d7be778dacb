"""Sends the operator's maintenance announcements to chats with unfinished tables, each announcement once."""

from locanda.client import EngineClient
from locanda.messages import Maintenance
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.screens.notices import note
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox
from services.telegram.tables.lookup import TableLookup

LOOK_SECONDS = 60.0


class Announcements:
    """Reads maintenance announcements from the engine and sends them to chats."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup, outbox: Outbox) -> None:
        self._engine = engine
        self._chat_tables = repositories.chat_tables
        self._abilities = repositories.abilities
        self._lookup = lookup
        self._outbox = outbox

    async def look(self) -> None:
        """Send the current announcement, if any, to the chats that have not received it yet."""
        maintenance = (await self._engine.server()).maintenance
        if maintenance is None:
            await self._abilities.forget_announcements()
            return
        for chat_table in await self._chat_tables.all():
            if not (chat_table.over or chat_table.closed):
                await self._tell(chat_table, maintenance)

    async def _tell(self, chat_table: ChatTable, maintenance: Maintenance) -> None:
        place, begins = f"{chat_table.chat}:{chat_table.thread or ''}", maintenance.begins.isoformat()
        if await self._abilities.announced(place) == begins:
            return
        language = await self._lookup.language(chat_table)
        said = (await self._engine.server(language=language)).maintenance
        if said is not None:
            self._outbox.send(Address(chat_table.chat, chat_table.thread), note(f"🔧 {said.text}"))
            await self._abilities.note_announced(place, begins)
