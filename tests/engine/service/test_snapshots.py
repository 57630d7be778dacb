"""Decoded snapshots in memory: never another table than the bytes from Redis hold, and not more than so many."""

import pytest
from msgspec import structs

from services.engine.service import codec, snapshots
from services.engine.store.errors import DamagedError
from services.engine.table.state import AnyTable, NewerReleaseError
from tests.engine.table.tables import opened, person

TABLE = opened(person("Bruno"))


def at_version(version: int) -> AnyTable:
    """Return the table at another version."""
    return structs.replace(TABLE, version=version)


def test_what_was_written_is_known_without_decoding_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written = at_version(17)
    stored = snapshots.encode(written)
    monkeypatch.delattr(codec, "decode")
    assert snapshots.decode(bytes(bytearray(stored))) is written
    assert not snapshots.holds_more(stored)


def test_other_bytes_are_another_table() -> None:
    stored = snapshots.encode(at_version(17))
    assert snapshots.decode(codec.encode(at_version(16))) == at_version(16)
    for position in range(len(stored)):
        damaged = bytearray(stored)
        damaged[position] ^= 1
        try:
            found = snapshots.decode(bytes(damaged))
        except (DamagedError, NewerReleaseError):
            continue
        assert found == codec.decode(bytes(damaged))


def test_of_the_tables_that_were_used_longest_ago_none_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "CACHED_TABLES", 2)
    monkeypatch.setattr(snapshots, "_cache", {})
    first, second, third = (snapshots.encode(at_version(version)) for version in (1, 2, 3))
    kept = snapshots.decode(second)
    snapshots.decode(first)
    assert snapshots.decode(first) == at_version(1)
    assert snapshots.decode(second) is kept
    assert snapshots.decode(third) == at_version(3)


def test_a_snapshot_gives_way_to_the_one_that_replaces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "CACHED_TABLES", 2)
    monkeypatch.setattr(snapshots, "_cache", {})
    other = snapshots.encode(structs.replace(TABLE, version=5, listed=True))
    kept, stored = snapshots.decode(other), b""
    for version in range(1, 9):
        stored = snapshots.encode(at_version(version), stored)
    assert snapshots.decode(other) is kept
