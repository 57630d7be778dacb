"""The cache of decoded snapshots has a maximum size, and always agrees with the bytes from Redis."""

import pytest
from msgspec import structs

from services.engine.service import codec
from services.engine.store.errors import DamagedError
from services.engine.table.state import AnyTable, NewerReleaseError
from tests.engine.table.tables import opened, person

TABLE = opened(person("Bruno"))


def at_version(version: int) -> AnyTable:
    """Return the table at another version."""
    return structs.replace(TABLE, version=version)


def test_what_was_written_is_known_without_decoding_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written = at_version(17)
    stored = codec.cached_encode(written)
    monkeypatch.delattr(codec, "decode")
    assert codec.cached_decode(bytes(bytearray(stored))) is written
    assert codec.cached_decode_to_change(stored) is written


def test_other_bytes_are_another_table() -> None:
    stored = codec.cached_encode(at_version(17))
    assert codec.cached_decode(codec.encode(at_version(16))) == at_version(16)
    for position in range(len(stored)):
        damaged = bytearray(stored)
        damaged[position] ^= 1
        try:
            decoded = codec.cached_decode(bytes(damaged))
        except (DamagedError, NewerReleaseError):
            continue
        assert decoded == codec.decode(bytes(damaged))


def test_of_the_tables_that_were_used_longest_ago_none_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "CACHED_TABLES", 2)
    monkeypatch.setattr(codec, "_cache", {})
    first, second, third = (codec.cached_encode(at_version(version)) for version in (1, 2, 3))
    kept = codec.cached_decode(second)
    codec.cached_decode(first)
    assert codec.cached_decode(first) == at_version(1)
    assert codec.cached_decode(second) is kept
    assert codec.cached_decode(third) == at_version(3)


def test_a_snapshot_gives_way_to_the_one_that_replaces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "CACHED_TABLES", 2)
    monkeypatch.setattr(codec, "_cache", {})
    other = codec.cached_encode(structs.replace(TABLE, version=5, listed=True))
    kept, stored = codec.cached_decode(other), b""
    for version in range(1, 9):
        stored = codec.cached_encode(at_version(version), stored)
    assert codec.cached_decode(other) is kept
