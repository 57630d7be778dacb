"""Housekeeping: tables are followed after a start, and idle ones are closed and deleted."""

import asyncio
import time

import structlog

from locanda.client import EngineClient
from locanda.errors import EngineError
from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.following.followers import RETRY_SECONDS, TableFollowers
from services.telegram.records import ChatTable
from services.telegram.repositories import Repositories
from services.telegram.tables import Tables

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 60.0
LOBBY_IDLE = 6 * 3600.0
"""Seconds without use after which an open table is closed."""
OVER_IDLE = 24 * 3600.0
"""Seconds without use after which a table whose match is over is deleted."""


class Housekeeping:
    """Two tasks: one has all tables drawn after a start, the other closes and deletes idle ones. A context manager."""

    def __init__(
        self, engine: EngineClient, repositories: Repositories, tables: Tables, followers: TableFollowers
    ) -> None:
        self._engine = engine
        self._tables = tables
        self._chat_tables = repositories.chat_tables
        self._followers = followers
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Housekeeping":
        self._tasks = [
            asyncio.create_task(self._resume(), name="resume tables"),
            asyncio.create_task(self._sweep_periodically(), name="sweep tables"),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        await end(*self._tasks)

    async def _resume(self) -> None:
        """Have every stored table drawn of which not all is shown. It waits until Redis answers."""
        refs: set[str] | None = None
        while refs is None or refs:
            try:
                refs = set(await self._chat_tables.refs()) if refs is None else refs
                for ref in sorted(refs):
                    await self._resume_table(ref)
                    refs.discard(ref)
            except REDIS_ERRORS as error:
                log.warning("tables_not_resumed", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _resume_table(self, ref: str) -> None:
        """Have a table drawn. Raises what an outage raises; logs any other error, so that the others are drawn."""
        try:
            chat_table = await self._chat_tables.find(ref)
            if chat_table is not None and (chat_table.closed or not chat_table.over):
                self._followers.wake(ref)
        except REDIS_ERRORS:
            raise
        except Exception:
            log.exception("table_not_resumed")

    async def _sweep_periodically(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep(time.time())
            except (EngineError, *REDIS_ERRORS) as error:
                log.warning("sweep_failed", reason=type(error).__name__)
            except Exception:
                log.exception("sweep_failed")

    async def sweep(self, now: float) -> None:
        """Close open tables, and delete finished ones, that have been idle for too long at `now` (Unix seconds)."""
        for chat_table in await self._chat_tables.load(await self._chat_tables.refs(idle_since=now - LOBBY_IDLE)):
            if not chat_table.over:
                await self._close_if_open(chat_table)
            elif chat_table.ref in await self._chat_tables.refs(idle_since=now - OVER_IDLE):
                await self._chat_tables.delete(chat_table)

    async def _close_if_open(self, chat_table: ChatTable) -> None:
        table = None if chat_table.engine is None else await self._engine.table(chat_table.engine)
        if table is None or table.status == "open":
            await self._tables.setup.close(chat_table)
