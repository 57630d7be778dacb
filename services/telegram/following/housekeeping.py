"""Housekeeping: follows all tables after a start; closes and deletes idle tables."""

import asyncio
import time

import structlog

from locanda.client import EngineClient
from locanda.errors import NotFoundError
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.accounts import acting_for
from services.telegram.following.followers import RETRY_SECONDS, TableFollowers, awaits_others
from services.telegram.records import ChatTable, MatchEndSlot
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.tables import Tables

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 60.0
REMATCH_SECONDS = 10.0
"""Seconds between searches for rematches. A rematch begun on the web page waits only a minute for other people."""
LOOK_SHARE = 1 / 60
"""Pause before a table's next check, as a share of the time since its first check: late rematches are rare."""
LOBBY_IDLE = 6 * 3600.0
"""Seconds without use after which an open table is closed."""
OVER_IDLE = 24 * 3600.0
"""Seconds without use after which a table whose match is over is deleted."""


class Housekeeping:
    """Draws all tables after a start; closes and deletes idle tables."""

    def __init__(
        self, engine: EngineClient, repositories: Repositories, tables: Tables, followers: TableFollowers
    ) -> None:
        self._engine = engine
        self._tables = tables
        self._chat_tables = repositories.chat_tables
        self._messages = repositories.messages
        self._followers = followers
        self._looks: dict[str, tuple[float, float]] = {}
        """For each table whose match is over, the times of the first and the next check (monotonic seconds)."""

    async def resume(self) -> None:
        """Follow every stored table whose messages are not final; retry until Redis answers."""
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
        """Follow a table. Raises Redis errors; logs any other error, so that the other tables are followed."""
        try:
            chat_table = await self._chat_tables.find(ref)
            if chat_table is not None and (chat_table.closed or not chat_table.over):
                self._followers.wake(ref)
        except REDIS_ERRORS:
            raise
        except Exception:
            log.exception("table_not_resumed")

    async def look_for_rematches(self, now: float | None = None) -> None:
        """Follow tables again whose match is over, if people have begun a rematch there.

        The longer a match is over, the less often its table is checked. `now` is in monotonic seconds. Raises
        `UnavailableError`.
        """
        now, looks = time.monotonic() if now is None else now, dict[str, tuple[float, float]]()
        for chat_table in await self._chat_tables.all():
            follower = self._followers.find(chat_table.ref)
            if chat_table.over and not chat_table.closed and not (follower and follower.running):
                since, due = self._looks.get(chat_table.ref, (now, now))
                if now >= due:
                    await self._follow_rematch(chat_table)
                    due = now + (now - since) * LOOK_SHARE
                looks[chat_table.ref] = since, due
        self._looks = looks

    async def _follow_rematch(self, chat_table: ChatTable) -> None:
        if chat_table.engine is None:
            return
        try:
            with acting_for(chat_table.chat):
                table = await self._engine.table(chat_table.engine)
        except NotFoundError:
            return
        shown = [slot.match for slot in await self._messages.by_slot(chat_table.ref) if isinstance(slot, MatchEndSlot)]
        if table.status == "playing" or awaits_others(table) or table.match.number > max(shown, default=0):
            self._followers.wake(chat_table.ref)

    async def sweep(self, now: float | None = None) -> None:
        """Free the seats that empty lobbies keep, close idle open tables, and delete idle finished ones."""
        now = time.time() if now is None else now
        for chat_table in await self._chat_tables.all():
            if chat_table.kept is not None:
                with acting_for(chat_table.chat):
                    await self._tables.seating.give_up(chat_table.ref, now)
        for chat_table in await self._chat_tables.all(idle_since=now - LOBBY_IDLE):
            if not chat_table.over:
                await self._close_if_open(chat_table)
            elif chat_table.ref in await self._chat_tables.refs(idle_since=now - OVER_IDLE):
                await self._chat_tables.delete(chat_table)

    async def _close_if_open(self, chat_table: ChatTable) -> None:
        with acting_for(chat_table.chat):
            table = None if chat_table.engine is None else await self._engine.table(chat_table.engine)
        if table is None or table.status == "open":
            await self._tables.setup.close(chat_table)
