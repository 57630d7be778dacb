"""Restores tables whose latest versions Redis has lost."""

from msgspec import structs

from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of, read_to_change
from services.engine.store import Snapshot, Store
from services.engine.store.errors import DamagedError
from services.engine.table.state import TableError, advance


async def renew(store: Store, table: str, snapshot: Snapshot) -> Snapshot:
    """Return the table with a version above the floor (`Store.floor`), and so above all that clients may know.

    So an old `If-Match` or `Last-Event-ID` matches no version, and followers of the table get a `gap`. The transition
    has no events, and changes nothing else.
    """
    try:
        state = read_to_change(snapshot, table)
    except (TableError, DamagedError):  # the next read reports the error
        return snapshot
    transition = advance(structs.replace(state, version=store.floor), [])
    commit = commit_of(transition, snapshot, Caller())
    if await store.commit(commit) == "committed":
        return Snapshot(commit.version, commit.data)
    return (await store.load(table)).snapshot or snapshot
