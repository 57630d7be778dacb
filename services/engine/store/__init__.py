from services.engine.store.records import (
    Commit,
    EncodedLogEntry,
    IdempotencyRecord,
    LoadedTable,
    Snapshot,
    StoredAnswer,
)
from services.engine.store.store import Store, connect

__all__ = [
    "Commit",
    "EncodedLogEntry",
    "IdempotencyRecord",
    "LoadedTable",
    "Snapshot",
    "Store",
    "StoredAnswer",
    "connect",
]
