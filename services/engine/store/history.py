"""Earlier snapshots of a table, kept as the little that leads back to each from the one after it.

Two snapshots in a row are nearly the same: what tells them apart is a twentieth of either (docs/benchmarks.md).
"""

import zlib
from collections.abc import Iterable

from services.engine.store.records import Snapshot

LEVEL = 1
WINDOW = -13
"""8 KiB, twice what the largest snapshot takes; negative: no header, no checksum."""
MEMORY = 5
NONCE = 12
"""Bytes that tell a commit from another one of the same version."""


def way_back(data: bytes, previous: bytes) -> bytes:
    """Return what leads from a snapshot to the one before it; nothing where there is none."""
    if not previous:
        return b""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY, zdict=data)
    return deflate.compress(previous) + deflate.flush()


def walk_back(latest: Snapshot, events: Iterable[bytes], after: int) -> list[Snapshot]:
    """Return the snapshots after a version up to the latest, oldest first, as far as the events lead, newest first.

    An event is a version, 8 bytes, a nonce, and the way back from that version to the one before.
    """
    found = [latest] if latest.version > after else []
    for event in events:
        version, way = int.from_bytes(event[:8], "big"), event[8 + NONCE :]
        if not way or version <= after + 1:
            break
        inflate = zlib.decompressobj(WINDOW, zdict=found[-1].data)
        found.append(Snapshot(version - 1, inflate.decompress(way)))
    return found[::-1]
