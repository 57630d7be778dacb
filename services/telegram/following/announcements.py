"""Tells the chats with unfinished tables of maintenance that the engine's operator has announced, each once."""

import asyncio

import structlog

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import Maintenance
from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.records import ChatTable
from services.telegram.repositories import Repositories
from services.telegram.screens.notices import note
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox
from services.telegram.tables.lookup import TableLookup

log = structlog.get_logger(__name__)

LOOK_SECONDS = 60.0


class Announcements:
    """A task that asks the engine each minute. A context manager."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup, outbox: Outbox) -> None:
        self._engine = engine
        self._chat_tables = repositories.chat_tables
        self._abilities = repositories.abilities
        self._lookup = lookup
        self._outbox = outbox
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Announcements":
        self._task = asyncio.create_task(self._look_periodically(), name="announcements")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task:
            await end(self._task)

    async def _look_periodically(self) -> None:
        while True:
            try:
                await self.look()
            except (EngineError, *REDIS_ERRORS) as error:
                log.warning("announcement_not_made", reason=type(error).__name__)
            except Exception:
                log.exception("announcement_not_made")
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Tell those who do not know it yet what is announced now."""
        maintenance = (await self._engine.server()).maintenance
        if maintenance is None:
            await self._abilities.forget_announcements()
            return
        for chat_table in await self._chat_tables.load(await self._chat_tables.refs()):
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
