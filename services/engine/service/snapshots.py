"""The tables of the snapshots that were used last, so that a snapshot that did not change is not decoded again.

A table is found by all bytes of its snapshot, and never changes: what Redis returns decides, not what is kept here. A
snapshot that this process has written is known as soon as it is encoded, so it needs no decoding at the next move.
"""

from msgspec import Struct

from services.engine.service import codec
from services.engine.table.state import AnyTable

CACHED_TABLES = 8192
"""Decoded snapshots in memory, some 4 KB each."""


class _Decoded(Struct):
    """The table of a snapshot."""

    table: AnyTable
    holds_more: bool | None = None
    """Whether the snapshot holds more than the table; None as long as no transition has asked."""


_cache: dict[bytes, _Decoded] = {}
"""By snapshot; the one that was used longest ago comes first."""


def decode(snapshot: bytes) -> AnyTable:
    """Return the table of a snapshot. Raises `NewerReleaseError`, `DamagedError`."""
    return _decoded(snapshot).table


def holds_more(snapshot: bytes) -> bool:
    """Return whether a transition would lose a part of a snapshot, as `codec.holds_more` does. Raises as `decode`."""
    decoded = _decoded(snapshot)
    if decoded.holds_more is None:
        decoded.holds_more = codec.holds_more(decoded.table, snapshot)
    return decoded.holds_more


def encode(table: AnyTable, before: bytes = b"") -> bytes:
    """Return the table's snapshot, as `codec.encode` does. It takes the place of the one `before`."""
    snapshot = codec.encode(table, before)
    _cache.pop(before, None)
    _keep(snapshot, _Decoded(table, holds_more=False))
    return snapshot


def _decoded(snapshot: bytes) -> _Decoded:
    found = _cache.pop(snapshot, None)
    if found is None:
        found = _Decoded(codec.decode(snapshot))
    _keep(snapshot, found)
    return found


def _keep(snapshot: bytes, decoded: _Decoded) -> None:
    _cache[snapshot] = decoded
    if len(_cache) > CACHED_TABLES:
        del _cache[next(iter(_cache))]
