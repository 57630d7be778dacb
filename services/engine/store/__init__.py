from services.engine.store.administration import AdministrationStore
from services.engine.store.records import (
    Commit,
    EncodedLogEntry,
    IdempotencyRecord,
    ListingName,
    LoadedTable,
    Snapshot,
    StoredAnswer,
    StoredTable,
)
from services.engine.store.store import Store, connect

__all__ = [
    "AdministrationStore",
    "Commit",
    "EncodedLogEntry",
    "IdempotencyRecord",
    "ListingName",
    "LoadedTable",
    "Snapshot",
    "Store",
    "StoredAnswer",
    "StoredTable",
    "connect",
]
