"""The functions that the clock calls: acting at a due table, and postponing deadlines after an outage."""

import asyncio
from collections.abc import Awaitable, Callable
from math import ceil

from services.engine.service.computers import ComputerPlayers, Plan, account_of
from services.engine.service.errors import UnservedTables, unserved_reason
from services.engine.service.table_time import TableTime
from services.engine.service.transactions import Transactions
from services.engine.service.waking import HeldBackError, WakingTurns
from services.engine.store import Store
from services.engine.store.errors import DamagedError
from services.engine.table import playing, rematch
from services.engine.table.state import AnyTable, TableError, Transition

RELEASE_MILLISECONDS = 250
"""Milliseconds after which another engine may claim a table that this release cannot serve."""


class TableWaking:
    """Acts at tables for the clock."""

    def __init__(
        self,
        store: Store,
        transactions: Transactions,
        computers: ComputerPlayers,
        time: TableTime,
        turns: WakingTurns,
        unserved: UnservedTables,
    ) -> None:
        self._store = store
        self._transactions = transactions
        self._computers = computers
        self._time = time
        self._turns = turns
        self._unserved = unserved

    async def wake(self, table: str) -> None:
        """Play for a computer player or a timed-out person, if the table is due and its account allows it."""
        known = await self._transactions.known(table)
        account, opener = (table, None) if known is None else (account_of(known), known.opener)
        try:
            await self._turns.take(account, opener, lambda: self._wake(table))
        except HeldBackError as held:
            at, version = self._time.now() + ceil(held.seconds * 1000), None
            if known is not None:
                at, version = max(at, known.wake or at), known.version
            await self._store.schedule(table, at, version)

    async def _wake(self, table: str) -> None:
        """Wake a table. If this release cannot serve it, release it for an engine of another release."""
        plan: Plan | None = None

        async def due(table_now: AnyTable) -> Transition | None:
            nonlocal plan
            if table_now.status == "over":
                return rematch.due(table_now, self._time.at()) or playing.corrected(table_now, self._time.at())
            seat = playing.due_seat(table_now, self._time.at())
            if seat is None:
                return playing.corrected(table_now, self._time.at())
            if plan is not None and plan.suits(table_now, seat):
                return plan.again(table_now, self._time.at())
            time = self._time.move()
            plan = await self._computers.plan(table_now, seat, time, lambda: self._time.at(time.left()))
            await asyncio.sleep(time.left())
            await self._computers.turn(table_now)
            return plan.transition

        if await self._act(table, due):
            self._unserved.served(table)
        elif self._unserved.may_release(table):
            await self._store.schedule(table, self._time.now() + RELEASE_MILLISECONDS)

    async def postpone(self, table: str, milliseconds: int) -> None:
        """Postpone a table's deadline by the length of an outage."""

        async def decide(table_now: AnyTable) -> Transition | None:
            return playing.postpone(table_now, milliseconds)

        await self._act(table, decide)

    async def _act(self, table: str, decide: Callable[[AnyTable], Awaitable[Transition | None]]) -> bool:
        """Commit the clock's transition, if any. Return whether this release can serve the table."""
        try:
            await self._transactions.act(table, decide)
        except (TableError, DamagedError) as error:
            reason = unserved_reason(error)
            if reason is None:
                raise
            self._unserved.report(table, reason)
            return False
        return True
