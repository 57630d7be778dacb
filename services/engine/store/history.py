"""Earlier snapshots of a table, kept as the little that leads back to each from the one after it.

Two snapshots in a row are nearly the same: LZ4 with the newer one as its dictionary leaves a seventh of the older one.
zlib leaves a tenth, and takes three times as long for it (docs/benchmarks.md).
"""

from collections.abc import Iterable

import lz4.block

from services.engine.store.records import Snapshot

NONCE = 12
"""Bytes that tell a commit from another one of the same version."""


def way_back(data: bytes, previous: bytes) -> bytes:
    """Return what leads from a snapshot to the one before it; nothing where there is none."""
    if not previous:
        return b""
    way: bytes = lz4.block.compress(previous, dict=data)
    return way


def walk_back(latest: Snapshot, events: Iterable[bytes], after: int) -> list[Snapshot]:
    """Return the snapshots after a version up to the latest, oldest first, as far as the events lead, newest first.

    An event is a version, 8 bytes, a nonce, and the way back from that version to the one before.
    """
    found = [latest] if latest.version > after else []
    for event in events:
        version, way = int.from_bytes(event[:8], "big"), event[8 + NONCE :]
        if not way or version <= after + 1:
            break
        found.append(Snapshot(version - 1, lz4.block.decompress(way, dict=found[-1].data)))
    return found[::-1]
