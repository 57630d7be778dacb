"""`Service`: all components between HTTP and the store."""

import asyncio
from collections.abc import Callable, Sequence

from services.common.processes import end
from services.engine.service.accounts import Accounts
from services.engine.service.administration import Administration
from services.engine.service.advice import Advisor, Reviews
from services.engine.service.computers import ComputerPlayers, Thinking
from services.engine.service.errors import UnservedReason, UnservedTables
from services.engine.service.feeds import TableFeeds
from services.engine.service.lobby import LobbyQueries
from services.engine.service.overdue import OverdueTables
from services.engine.service.queries import Queries
from services.engine.service.remarks import Remarks
from services.engine.service.table_administration import TableAdministration
from services.engine.service.table_time import TableTime
from services.engine.service.table_waking import TableWaking
from services.engine.service.transactions import Transactions, TransitionObserver
from services.engine.service.waking import WakingTurns
from services.engine.service.workers import Workers
from services.engine.store import Store


class Service:
    """The components that read and change tables. They hold no game state, so any replica can serve any request."""

    def __init__(  # noqa: PLR0913  (its parts)
        self,
        store: Store,
        now: Callable[[], int],
        think_ms: int = 1000,
        *,
        observers: Sequence[TransitionObserver] = (),
        unserved: Callable[[UnservedReason], None] = lambda _: None,
        thinking: Thinking | None = None,
        accounts: Accounts | None = None,
        administration: Administration | None = None,
    ) -> None:
        self._store = store
        self._warming: asyncio.Task[None] | None = None
        thinking, accounts = thinking or Thinking(Workers()), accounts or Accounts()
        unserved_tables = UnservedTables(unserved)
        self.workers = thinking.workers
        self.own_players = thinking.own_players
        self.administration = administration or Administration(store.administration, now)
        self.time = TableTime(now, think_ms, thinking.budget.cpu_ms)
        self.overdue_tables = OverdueTables(store, now, self.time.wait_ms)
        feeds = TableFeeds(store, self.overdue_tables, accounts)
        self.queries = Queries(store, self.overdue_tables, accounts, feeds)
        self.lobby = LobbyQueries(store, unserved_tables)
        noting = (self.lobby.note, self.administration.numbers.note, *observers)
        self.transactions = Transactions(store, self.overdue_tables, noting, feeds.prepare)
        self.remarks = Remarks(store)
        self.tables = TableAdministration(store, self.transactions, self.administration)
        computers = ComputerPlayers(store, thinking, accounts)
        self.advisor = Advisor(computers, thinking)
        self.reviews = Reviews(self.advisor, thinking.review_iterations)
        self.waking = TableWaking(
            store, self.transactions, computers, self.time, WakingTurns(accounts), unserved_tables
        )

    def warm(self) -> None:
        """Start the worker processes in the background."""
        self._warming = asyncio.create_task(self.workers.warm())

    async def ready(self) -> None:
        """Wait until the workers, if any, have started and the store answers. Raises `StoreDownError`."""
        if self._warming:
            await asyncio.shield(self._warming)
        await self._store.ping()

    async def close(self) -> None:
        """Stop the worker processes."""
        if self._warming:
            await end(self._warming)
        await self.workers.close()
