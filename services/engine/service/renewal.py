"""Renewal of tables of which Redis has lost the last versions."""

from msgspec import structs

from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of, read_to_change
from services.engine.store import Snapshot, Store
from services.engine.store.errors import DamagedError
from services.engine.table.state import TableError, advance


async def renew(store: Store, table: str, snapshot: Snapshot) -> Snapshot:
    """Raise the version of a table of which Redis has lost versions above all that clients have seen.

    An `If-Match` or a `Last-Event-ID` from before the loss then matches nothing, and followers of the table get a
    `gap`. The transition has no events and changes nothing else.
    """
    try:
        state = read_to_change(snapshot, table)
    except (TableError, DamagedError):  # the next reader reports the error
        return snapshot
    transition = advance(structs.replace(state, version=store.floor), [])
    commit = commit_of(transition, snapshot, Caller())
    if await store.commit(commit) == "committed":
        return Snapshot(commit.version, commit.data)
    return (await store.load(table)).snapshot or snapshot
