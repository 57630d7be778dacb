"""Changes of tables that no player asks for: blocked bots, people who leave, groups that move, idle tables."""

import asyncio
import time

import structlog

from locanda.client import EngineClient
from locanda.errors import EngineError
from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.following.followers import TableFollowers
from services.telegram.records import ChatTable, DealEndSlot, MatchEndSlot, ShownMessage, TableSlot
from services.telegram.rendering.hands import HandRenderer
from services.telegram.rendering.renderer import Renderer
from services.telegram.repositories import Repositories, has_moved, migrate
from services.telegram.sending.outbox import Outbox
from services.telegram.tables import Tables
from services.telegram.tables.seating import Seating

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 60.0
LOBBY_IDLE = 6 * 3600.0
"""Seconds without use after which an open table is closed."""
OVER_IDLE = 24 * 3600.0
"""Seconds without use after which a table whose match is over is deleted."""
RETRY_SECONDS = 1.0
REMOVED_FROM_GROUP = ("kicked", "not a member", "deactivated", "not found")
"""Parts of Telegram's error descriptions for a group in which the bot is no longer."""
PERSON_GONE = ("blocked", "deactivated")
"""Parts of Telegram's error descriptions for a person who has blocked the bot or deleted their account."""


# --- departures


async def remove_from_tables(
    seating: Seating, followers: TableFollowers, hands: HandRenderer, user: int, *, group: int | None = None
) -> None:
    """Let a person who is gone leave all their tables, or those of a group that they left.

    Computer players take their hands; while the engine does not answer, that waits for `Housekeeping`.
    """
    async for chat_table in seating.depart(user, chat=group):
        if group is not None:
            await hands.draw_left(chat_table, user, "outside")
        await followers.refresh(chat_table.ref)


async def move_group(repositories: Repositories, outbox: Outbox, followers: TableFollowers, old: int, new: int) -> None:
    """Move a group's data and pending messages to the supergroup that it became, unless that was done before."""
    if await has_moved(repositories, old, new):
        return
    await migrate(repositories, old, new)
    outbox.move_chat(old, new)
    for chat_table in await repositories.chat_tables.load(await repositories.chat_tables.in_chat(new)):
        await followers.refresh(chat_table.ref)


# --- events of the outbox


class OutboxEvents:
    """Handles what the outbox learns from Telegram, as its `OutboxListener`."""

    def __init__(
        self,
        repositories: Repositories,
        seating: Seating,
        renderer: Renderer,
        followers: TableFollowers,
        outbox: Outbox,
    ) -> None:
        self._repositories = repositories
        self._seating = seating
        self._renderer = renderer
        self._followers = followers
        self._outbox = outbox

    async def record(self, slot: TableSlot, message: ShownMessage) -> None:
        """Store what is about to be sent in a slot, and then what was sent."""
        await self._repositories.messages.record(slot, message)
        if message.id is not None and isinstance(slot, DealEndSlot | MatchEndSlot):
            self._followers.read_again(slot.ref)

    async def chat_closed(self, chat: int, reason: str) -> None:
        """Store that the bot may not write to a chat; a person who is gone leaves their tables."""
        if chat < 0:
            if any(text in reason for text in REMOVED_FROM_GROUP):
                await self._repositories.chats.update_settings(chat, present=False)
            return
        await self._repositories.people.set_reachable(chat, reachable=False)
        if any(text in reason for text in PERSON_GONE):
            await remove_from_tables(self._seating, self._followers, self._renderer.hands, chat)
            return
        for ref in await self._repositories.seats.tables_of(chat):
            await self._followers.refresh(ref)

    async def chat_moved(self, old: int, new: int) -> None:
        """Move a group that has become a supergroup."""
        await move_group(self._repositories, self._outbox, self._followers, old, new)


# --- restarts, outages and idle tables


class Housekeeping:
    """Two tasks: one draws tables after a start or an outage, the other closes and deletes idle ones.

    A context manager.
    """

    def __init__(
        self,
        engine: EngineClient,
        repositories: Repositories,
        tables: Tables,
        followers: TableFollowers,
        hands: HandRenderer,
    ) -> None:
        self._engine = engine
        self._tables = tables
        self._hands = hands
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
        """Draw every stored table whose match is not over, and from then on each that an outage has left unfinished.

        It waits until the engine and Redis answer.
        """
        refs: set[str] | None = None
        while True:
            try:
                if refs is None:
                    refs = set(await self._chat_tables.refs())
                for ref in sorted(refs):
                    await self._resume_table(ref)
                    refs.discard(ref)
                refs.add(await self._tables.unfinished.get())
            except (EngineError, *REDIS_ERRORS) as error:
                log.warning("tables_not_resumed", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _resume_table(self, ref: str) -> None:
        """Draw a table, with the seats that were left half taken, or not left, as the engine has them.

        Raises what an outage raises; logs any other error, so that the remaining tables are drawn.
        """
        try:
            chat_table = await self._chat_tables.find(ref)
            if chat_table is not None and not chat_table.over:
                async for user, why in self._tables.seating.finish(ref):
                    await self._hands.draw_left(chat_table, user, why)
                await self._followers.refresh(ref)
        except (EngineError, *REDIS_ERRORS):
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
                await self._followers.delete(chat_table)

    async def _close_if_open(self, chat_table: ChatTable) -> None:
        table = None if chat_table.engine is None else await self._engine.table(chat_table.engine)
        if table is None or table.status == "open":
            await self._followers.close(chat_table)
