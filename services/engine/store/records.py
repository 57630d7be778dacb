"""Values that the store takes and returns, and their formats in Redis. Times are epoch milliseconds.

Earlier snapshots of a table are stored as deltas. Consecutive snapshots are similar, so LZ4 with the newer snapshot as
dictionary compresses the older one to a seventh of its size. zlib reaches a tenth, but takes three times as long
(docs/benchmarks.md).
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import lz4.block
from msgspec import Struct

from services.engine.store.errors import DamagedError, NewerFormError

ListingName: TypeAlias = Literal["open", "playing"]
"""`open`: tables that wait for players. `playing`: tables in play."""


class Snapshot(Struct, frozen=True):
    """A table's state at a version."""

    version: int
    data: bytes


class StoredTable(Struct, frozen=True):
    """A table as it is stored."""

    table: str
    snapshot: Snapshot
    """Version 0 and empty bytes if the key has the wrong type."""
    expires_in: int
    """Milliseconds until the table expires."""


class StoredAnswer(Struct, frozen=True):
    """The stored answer of the first request with an idempotency key."""

    fingerprint: bytes
    """Identifies the request, so that the answer is given only to a retry of that request."""
    note: bytes
    """The nonce of the token that the answer issued; empty without a token."""
    snapshot: Snapshot
    """The table after the request."""


class IdempotencyRecord(Struct, frozen=True):
    """A request's idempotency key, and the value to store for it; at most 254 bytes each."""

    key: bytes
    fingerprint: bytes
    note: bytes = b""
    seconds: int = 3600
    """Seconds for which a retry is recognized."""
    caller: bytes = b""
    """Identifies the caller. Only the latest answers to each caller at a table are kept."""
    seated: bool = True
    """Whether the caller has a seat. Of the callers with a seat, only the most recent keep their answers."""


class LoadedTable(Struct, frozen=True):
    """A loaded table, and the stored answer for the request's idempotency key."""

    snapshot: Snapshot | None
    answer: StoredAnswer | None


class EncodedLogEntry(NamedTuple):
    """A line of a deal's log, as bytes."""

    match: int
    deal: int
    payload: bytes


class Commit(Struct, frozen=True, kw_only=True):
    """A transition of a table, to be stored completely or not at all."""

    table: str
    expected: int
    """The version that was read; 0 if the table must not exist yet."""
    version: int
    data: bytes
    previous: bytes = b""
    """The snapshot that was read. The event stores the delta to it."""
    log: Sequence[EncodedLogEntry] = ()
    idempotency: IdempotencyRecord | None = None
    wake: int | None = None
    """When the clock must wake the table."""
    ttl: int
    """Seconds until all keys of the table expire."""
    least: bool = False
    """Whether to keep the current expiry if it is later than `ttl`."""
    listing: ListingName | None
    """The list in which the table appears, or None."""
    opener: bytes = b""
    """The group of clients whose storage the table counts for; empty if unknown."""
    weighed: bool = True
    """Whether to measure the table's size and to update its listing. A mere move needs neither."""
    least_bytes: int = 0
    """Minimum bytes counted for the table."""
    deserted: bool = False
    """Whether the last person leaves the table. If so, its size is measured too."""
    forget: bool = False
    """Whether to delete the deltas to all earlier snapshots."""
    news: bytes = b""
    """The news of the transition for subscribers, from `notices.news`."""


OTHER_FORM = 0xFF
"""First byte of an answer in a later format. In the first format, the first byte is the length of the fingerprint."""
LONGEST = 1 << 20
"""Maximum bytes of a snapshot. A delta begins with the length of its result; a longer length indicates another
format."""
NONCE = 12
"""Number of bytes in an event that distinguish its commit from other commits with the same version."""


def delta(data: bytes, previous: bytes) -> bytes:
    """Return the delta from a snapshot back to the previous one; empty if there is none."""
    if not previous:
        return b""
    compressed: bytes = lz4.block.compress(previous, dict=data)
    return compressed


def apply_deltas(latest: Snapshot, events: Iterable[bytes], after: int) -> list[Snapshot]:
    """Return the snapshots after version `after`, oldest first, as far back as the stored deltas reach.

    `events` are newest first. Each consists of a version (8 bytes), a nonce, and the delta to the version before. The
    result ends before a damaged delta, or one in another format.
    """
    snapshots = [latest] if latest.version > after else []
    for event in events:
        version, older = int.from_bytes(event[:8], "big"), event[8 + NONCE :]
        if not older or version <= after + 1 or not snapshots or version != snapshots[-1].version:
            break
        if int.from_bytes(older[:4], "little") > LONGEST:
            break
        try:
            snapshots.append(Snapshot(version - 1, lz4.block.decompress(older, dict=snapshots[-1].data)))
        except (lz4.block.LZ4BlockError, ValueError):
            break
    return snapshots[::-1]


def snapshot_of(state: bytes) -> Snapshot:
    """Return a table's snapshot from the value of its key."""
    return Snapshot(int.from_bytes(state[:8], "big"), state[8:])


def kept_answer(idempotency: IdempotencyRecord) -> bytes:
    """Return the beginning of a stored answer, which is followed by version and snapshot."""
    fingerprint, note = idempotency.fingerprint, idempotency.note
    return bytes((len(fingerprint), len(note))) + fingerprint + note


def answer_of(kept: bytes) -> StoredAnswer:
    """Return the answer stored for a key. Raises `NewerFormError` or `DamagedError`."""
    if kept[:1] == bytes((OTHER_FORM,)):
        raise NewerFormError
    note = 2 + kept[0] if len(kept) > 2 else 0
    state = note + kept[1] if note else 0
    if not note or len(kept) < state + 8:
        raise DamagedError
    return StoredAnswer(kept[2:note], kept[note:state], snapshot_of(kept[state:]))
