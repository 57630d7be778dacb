"""Creates commits for tests of the store, with defaults for fields that a test does not set."""

from typing import Any

from services.engine.store import Commit, Store


def commit(table: str, version: int, **changes: Any) -> Commit:
    """Return the commit that brings a table to a version."""
    fields: dict[str, Any] = {
        "table": table,
        "expected": version - 1,
        "version": version,
        "data": _data(table, version),
        "ttl": 100,
        "listing": None,
    }
    fields |= changes
    return Commit(previous=_data(table, fields["expected"]), **fields)


def _data(table: str, version: int) -> bytes:
    return f"{table} at {version}".encode() if version else b""


async def bring(store: Store, table: str, version: int, **changes: Any) -> None:
    """Commit every version of a new table up to this one. Only the last commit has changes."""
    for number in range(1, version):
        assert await store.commit(commit(table, number)) == "committed"
    assert await store.commit(commit(table, version, **changes)) == "committed"
