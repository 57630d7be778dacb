from services.engine.store.connect import connect
from services.engine.store.errors import StoreDownError
from services.engine.store.records import Answer, Commit, Idempotency, Loaded, LogLine, Snapshot
from services.engine.store.store import Store

__all__ = ["Answer", "Commit", "Idempotency", "Loaded", "LogLine", "Snapshot", "Store", "StoreDownError", "connect"]
