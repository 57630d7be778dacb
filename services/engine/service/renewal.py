"""Tables that Redis has lost the last versions of: they go on above every version that was sent to a client.

So an `If-Match` or a `Last-Event-ID` of the lost time matches nothing, and those who follow such a table get a `gap`.
"""

from msgspec import structs

from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of, read_to_change
from services.engine.store import Snapshot, Store
from services.engine.store.errors import DamagedError
from services.engine.table.state import TableError, advance


class Renewal:
    """Brings tables above the store's floor of versions."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def renew(self, table: str, found: Snapshot) -> Snapshot:
        """Return the table at a version above the floor: a transition without events, that changes nothing else."""
        try:
            state = read_to_change(found, table)
        except (TableError, DamagedError):  # whoever reads it finds out what is wrong with it
            return found
        transition = advance(structs.replace(state, version=self._store.floor), [])
        commit = commit_of(transition, found, Caller())
        if await self._store.commit(commit) == "committed":
            return Snapshot(commit.version, commit.data)
        return (await self._store.load(table)).snapshot or found
