"""Lists tables for operators (without cards, seeds and tokens), and closes or removes them."""

from contextlib import suppress

from msgspec import Struct

from locanda.messages.administration import AdminTable, AdminTablePage
from services.engine.service.administration import Administration, Operator, at
from services.engine.service.transactions import Transactions, existing, read
from services.engine.service.validation import ImpossibleError
from services.engine.store import Store, StoredTable
from services.engine.store.errors import DamagedError
from services.engine.table import seating
from services.engine.table.state import TABLE_SECONDS, AnyTable, NewerReleaseError, TableError, Transition

STEP = 200
"""Number of Redis keys that a step reads."""
MOST_STEPS = 50
"""Maximum number of steps for a page, since few tables may match the filter."""


class TableFilter(Struct, frozen=True):
    """Which tables to list; None means all."""

    game: str | None = None
    status: str | None = None

    def admits(self, table: AnyTable) -> bool:
        """Return whether the filter lets a table through."""
        return self.game in (None, table.game) and self.status in (None, table.status)


class TableAdministration:
    """Lists, closes and removes tables."""

    def __init__(self, store: Store, transactions: Transactions, administration: Administration) -> None:
        self._store = store
        self._transactions = transactions
        self._administration = administration

    async def page(self, wanted: TableFilter, cursor: str, limit: int) -> AdminTablePage:
        """Return a page of about `limit` tables. Raises `ImpossibleError` for an invalid cursor."""
        tables: list[AdminTable] = []
        unreadable, following = 0, cursor
        for _ in range(MOST_STEPS):
            try:
                stored, position = await self._store.tables_step(following, STEP)
            except ValueError:
                raise ImpossibleError("cursor", "the cursor is invalid") from None
            for row in stored:
                try:
                    table = read(row.snapshot, row.table)
                except (NewerReleaseError, DamagedError):
                    unreadable += 1
                    continue
                if wanted.admits(table):
                    tables.append(self._shown(table, row))
            if position is None:
                return AdminTablePage(tables, unreadable, None)
            following = position
            if len(tables) >= limit:
                break
        return AdminTablePage(tables, unreadable, following)

    def _shown(self, table: AnyTable, stored: StoredTable) -> AdminTable:
        """Return a table without hidden data. The time of its last change follows from its expiry in Redis."""
        ago = TABLE_SECONDS[table.status] * 1000 - stored.expires_in
        return AdminTable(
            id=table.id,
            game=table.game,
            status=table.status,
            opened=at(table.opened),
            changed=at(max(table.opened, self._store.now() - max(0, ago))),
            listed=table.listed,
            match=table.match.number,
            deal=table.match.deal,
            people=[seat.name for seat in table.seats if seat.kind == "person"],
            computers=sum(seat.kind == "computer" for seat in table.seats),
        )

    async def close(self, table: str, by: Operator) -> None:
        """Close a table and empty its seats. Raises `TableError` if the last match is over."""
        seating.close(read((await self._store.load(table)).snapshot, table))
        await self._administration.record("close_table", table, by)
        await self._close(table)

    async def remove(self, table: str, by: Operator) -> None:
        """Delete a table with its proofs, even if it is damaged. Raises `NoSuchTableError` if it does not exist."""
        existing((await self._store.load(table)).snapshot)
        await self._administration.record("remove_table", table, by)
        with suppress(TableError, DamagedError):
            await self._close(table)  # so that open streams show that the table is closed
        await self._store.remove(table)

    async def _close(self, table: str) -> None:
        async def decide(table_now: AnyTable) -> Transition:
            return seating.close(table_now)

        await self._transactions.act(table, decide)
