"""Followers of tables: for each table in play, one task that reads the engine's events and has the table drawn."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import structlog

from locanda.client import EngineClient
from locanda.errors import EngineError, NotFoundError, UnavailableError
from locanda.messages import EventItem
from services.common.processes import BackgroundTasks, end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.following.presenting import Alarms, ShuffleChecker, TablePresenter, TableProgress
from services.telegram.records import ChatTable
from services.telegram.rendering.renderer import Renderer
from services.telegram.repositories import Repositories
from services.telegram.repositories.chat_tables import ChatTableRepository
from services.telegram.tables import Tables
from services.telegram.tables.lookup import TableLookup
from services.telegram.tables.turns import AutomaticPasses
from services.telegram.updates import clear_request_id

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0


class ChangedHand(NamedTuple):
    """A hand that is to be drawn again, while the table is as it was."""

    user: int


class TableFollower:
    """Follows one table, from a start until its match is over and all messages about it are sent."""

    def __init__(
        self,
        ref: str,
        engine: EngineClient,
        chat_tables: ChatTableRepository,
        lookup: TableLookup,
        presenter: TablePresenter,
        table_deleted: Callable[[str], Awaitable[None]],
    ) -> None:
        self._ref = ref
        self._engine = engine
        self._chat_tables = chat_tables
        self._lookup = lookup
        self._presenter = presenter
        self._table_deleted = table_deleted
        """Called with the reference of a table that the engine does not know any more."""
        self._progress = TableProgress()
        self._queue: asyncio.Queue[EventItem | ChangedHand | None] = asyncio.Queue()
        """Events, and changed hands; None asks to read the table again."""
        self._wanted = False
        """Whether somebody has asked to follow the table since the current round began."""
        self._task: asyncio.Task[None] | None = None
        self._redis_is_away = False
        """Whether the current outage of Redis was logged."""

    def start(self) -> None:
        """Read the table again, and follow it from now on."""
        self._wanted = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow(), name=f"table {self._ref}")
        else:
            self.read_again()

    def read_again(self) -> None:
        """Read the table again, if it is being followed."""
        self._queue.put_nowait(None)

    def draw_hand(self, user: int) -> None:
        """Draw a person's hand again; a table that is not followed is followed from now on."""
        if self._task is None or self._task.done():
            self.start()
        else:
            self._queue.put_nowait(ChangedHand(user))

    async def stop(self) -> None:
        """Stop following; called from the follower's own task, it has no effect, since that task is about to return."""
        if self._task is not None and self._task is not asyncio.current_task():
            await end(self._task)

    async def _follow(self) -> None:
        clear_request_id()
        while self._wanted:
            try:
                self._wanted = False
                await self._follow_once()
                continue
            except UnavailableError:
                pass
            except EngineError as error:
                log.warning("table_not_followed", code=error.code)
            except REDIS_ERRORS as error:
                if not self._redis_is_away:
                    log.warning("table_not_drawn", reason=type(error).__name__)
                self._redis_is_away = True
            except Exception:
                log.exception("table_not_drawn")
            await asyncio.sleep(RETRY_SECONDS)
            self._wanted = True

    async def _follow_once(self) -> None:
        chat_table = await self._chat_tables.find(self._ref)
        if chat_table is None or chat_table.engine is None:
            return
        try:
            await self._follow_table(chat_table.engine)
        except NotFoundError:
            await self._table_deleted(self._ref)
            self._wanted = False

    async def _follow_table(self, table: str) -> None:
        self._queue = asyncio.Queue()  # what was asked for until now is read here
        await self._catch_up(table)
        tokens = await self._lookup.tokens(self._ref)
        reader = asyncio.create_task(self._read(table, [*tokens.values()]), name=f"events {self._ref}")
        try:
            await self._present_until_over(reader, tokens)
        finally:
            await end(reader)

    async def _catch_up(self, table: str) -> None:
        """Read the table's past events. Only those after the presented version are new."""
        presented = await self._chat_tables.presented_version(self._ref)
        page = await self._engine.event_page(table)
        for item in page.events:
            self._progress.add(item, new=presented is None or item.id > presented)
        if not page.events:
            self._progress.timeline.refresh(await self._engine.table(table))

    async def _read(self, table: str, tokens: Sequence[str]) -> None:
        """Queue the table's events; keep what the people at the table see after each."""
        known = self._progress.timeline.table
        after, keep = None if known is None else known.version, partial(self._lookup.keep_view, self._ref)
        try:
            async for item in self._engine.events(table, after=after, seats=tokens, seen=keep):
                self._queue.put_nowait(item)
        finally:
            self._queue.put_nowait(None)

    async def _present_until_over(self, reader: asyncio.Task[None], tokens: Mapping[int, str]) -> None:
        """Draw the table after each event, until its match is over, or others sit there than with these tokens."""
        hands: Collection[int] = ()
        while True:
            chat_table, table = await self._chat_tables.find(self._ref), self._progress.timeline.table
            if chat_table is None or chat_table.engine is None or table is None:
                return
            if any(event["type"] == "closed" for event in table.events):
                await self._table_deleted(self._ref)
                return
            if table.deal is not None and await self._lookup.tokens(self._ref) != tokens:
                self._wanted = True
                return
            if hands:
                await self._presenter.present_hands(chat_table, self._progress, hands)
            else:
                await self._presenter.present(chat_table, self._progress)
            self._redis_is_away = False
            if await self._presenter.finish(chat_table, table):
                return
            if reader.done():
                reader.result()
                return
            hands = await self._add_next(chat_table.engine)

    async def _add_next(self, table: str) -> Collection[int]:
        """Wait for something to draw, and add everything that has arrived.

        Return the people whose hands alone are to be drawn; nobody where all is.
        """
        items = [await self._queue.get()]
        while not self._queue.empty():
            items.append(self._queue.get_nowait())
        hands = {item.user for item in items if isinstance(item, ChangedHand)}
        events = [item for item in items if isinstance(item, EventItem)]
        for item in events:
            self._progress.add(item, new=True)
        if events:
            return ()
        if None in items:
            self._progress.timeline.refresh(await self._engine.table(table))
            return ()
        return hands


class TableFollowers:
    """The followers of all tables. An async context manager, which stops them at its end."""

    def __init__(
        self,
        engine: EngineClient,
        repositories: Repositories,
        tables: Tables,
        renderer: Renderer,
        background: BackgroundTasks,
    ) -> None:
        self._engine = engine
        self._repositories = repositories
        self._setup = tables.setup
        self._lookup = tables.lookup
        self._renderer = renderer
        checker = ShuffleChecker(engine, repositories, tables.lookup)
        passes = AutomaticPasses(engine, background)
        self._alarms = Alarms(self.read_again)
        self._presenter = TablePresenter(repositories, tables.lookup, checker, renderer, passes, self._alarms)
        self._followers: dict[str, TableFollower] = {}

    async def __aenter__(self) -> "TableFollowers":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(follower.stop() for follower in self._followers.values()))
        self._alarms.clear()

    def count(self) -> int:
        """Return how many tables have a follower."""
        return len(self._followers)

    async def refresh(self, ref: str) -> None:
        """Draw a table again; a table that the engine has is followed from now on."""
        chat_table = await self._repositories.chat_tables.find(ref)
        if chat_table is None:
            return
        if chat_table.engine is None:
            await self._stop(ref)
            await self._renderer.lobbies.draw(chat_table, None)
            return
        if ref not in self._followers:
            self._followers[ref] = TableFollower(
                ref,
                self._engine,
                self._repositories.chat_tables,
                self._lookup,
                self._presenter,
                self._table_deleted,
            )
        self._followers[ref].start()

    async def refresh_others(self, chat_table: ChatTable) -> None:
        """Draw the other tables of a chat or topic again: tables show letters only while there are several."""
        for other in await self._repositories.chat_tables.siblings(chat_table.chat, chat_table.thread):
            if other.ref != chat_table.ref:
                await self.refresh(other.ref)

    async def draw_hand(self, ref: str, user: int) -> None:
        """Draw a person's hand again: they have selected cards."""
        if ref in self._followers:
            self._followers[ref].draw_hand(user)
        else:
            await self.refresh(ref)

    def read_again(self, ref: str) -> None:
        """Let a table's follower, if any, read the table again: a message it waits for was sent, or its alarm rang."""
        if ref in self._followers:
            self._followers[ref].read_again()

    async def close(self, chat_table: ChatTable) -> None:
        """Close a table: everybody leaves, its messages are drawn as closed, and it is deleted."""
        await self._stop(chat_table.ref)
        await self._renderer.lobbies.draw_closed(chat_table)
        for user in await self._repositories.seats.tokens(chat_table.ref):
            await self._renderer.hands.draw_left(chat_table, user, "closed")
        await self._setup.close(chat_table)
        self._forget(chat_table.ref)
        await self.refresh_others(chat_table)

    async def delete(self, chat_table: ChatTable) -> None:
        """Delete a table; its messages stay as they are."""
        await self._repositories.chat_tables.delete(chat_table)
        self._forget(chat_table.ref)

    async def _table_deleted(self, ref: str) -> None:
        """Delete a table that the engine has closed, or does not know any more; its messages are drawn as closed."""
        chat_table = await self._repositories.chat_tables.find(ref)
        if chat_table is not None:
            await self._renderer.lobbies.draw_closed(chat_table)
            for user in await self._repositories.seats.tokens(ref):
                await self._renderer.hands.draw_left(chat_table, user, "closed")
            await self._repositories.chat_tables.delete(chat_table)
        self._forget(ref)

    async def _stop(self, ref: str) -> None:
        follower = self._followers.pop(ref, None)
        if follower is not None:
            await follower.stop()
        self._alarms.set(ref, None)

    def _forget(self, ref: str) -> None:
        self._followers.pop(ref, None)
        self._alarms.set(ref, None)
        self._renderer.forget_table(ref)
