"""The values that the store takes and returns, and their bytes in Redis. Times are epoch milliseconds.

Earlier snapshots of a table are kept as deltas. Consecutive snapshots are nearly the same: LZ4 with the newer one as
dictionary compresses the older to a seventh. zlib reaches a tenth, in three times the time (docs/benchmarks.md).
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import lz4.block
from msgspec import Struct

from services.engine.store.errors import DamagedError, NewerFormError

ListingName: TypeAlias = Literal["open", "playing"]
"""The list of listed tables that wait for players, and that of those in play."""


class Snapshot(Struct, frozen=True):
    """A table's state at a version."""

    version: int
    data: bytes


class StoredTable(Struct, frozen=True):
    """A table as it is stored."""

    table: str
    snapshot: Snapshot
    """Version 0 and empty, if the key holds something else."""
    expires_in: int
    """Milliseconds."""


class StoredAnswer(Struct, frozen=True):
    """The outcome of the first request with an idempotency key."""

    fingerprint: bytes
    """Equal for a repetition of the same request only."""
    note: bytes
    """The nonce of the token that its answer handed out; empty without one."""
    snapshot: Snapshot
    """The table as it was then."""


class IdempotencyRecord(Struct, frozen=True):
    """A request's idempotency key, and the value to store under it; at most 254 bytes each."""

    key: bytes
    fingerprint: bytes
    note: bytes = b""
    seconds: int = 3600
    """How long a repetition is recognized."""
    caller: bytes = b""
    """The caller: only the last answers of each caller at a table are kept."""
    seated: bool = True
    """Whether the caller has a seat: only the last such callers' answers are kept."""


class LoadedTable(Struct, frozen=True):
    """A loaded table, and the answer already given under the request's idempotency key."""

    snapshot: Snapshot | None
    answer: StoredAnswer | None


class EncodedLogEntry(NamedTuple):
    """A line of a deal's log, as bytes."""

    match: int
    deal: int
    payload: bytes


class Commit(Struct, frozen=True, kw_only=True):
    """One transition of a table, to be stored completely or not at all."""

    table: str
    expected: int
    """The version that was read; 0 if the table must not exist yet."""
    version: int
    data: bytes
    previous: bytes = b""
    """The snapshot that was read: the event keeps its delta."""
    log: Sequence[EncodedLogEntry] = ()
    idempotency: IdempotencyRecord | None = None
    wake: int | None = None
    """The time at which the clock must wake the table."""
    ttl: int
    """Seconds until everything of the table expires."""
    least: bool = False
    """Whether it expires later if it would have without this transition."""
    listing: ListingName | None
    """Which list of tables shows it."""
    opener: bytes = b""
    """The group of clients to whose account it goes; empty if that is not known."""
    weighed: bool = True
    """Whether to measure and list the table: needless after a mere move."""
    least_bytes: int = 0
    """As how many bytes the table counts at least."""
    deserted: bool = False
    """Whether the last person leaves it; then it is weighed."""
    forget: bool = False
    """Whether to delete the deltas to all earlier snapshots."""
    news: bytes = b""
    """The news of the transition for subscribers, made by `notices.news`."""


OTHER_FORM = 0xFF
"""The first byte of a stored answer in a later form; the first form begins with a fingerprint's length."""
LONGEST = 1 << 20
"""The most bytes of a snapshot. A delta begins with the length of its result: a longer length marks another form."""
NONCE = 12
"""Bytes of an event that tell its commit from another one of the same version."""


def delta(data: bytes, previous: bytes) -> bytes:
    """Return the delta from a snapshot back to the one before it; empty for the first one."""
    if not previous:
        return b""
    compressed: bytes = lz4.block.compress(previous, dict=data)
    return compressed


def apply_deltas(latest: Snapshot, events: Iterable[bytes], after: int) -> list[Snapshot]:
    """Return the snapshots after version `after`, oldest first, as far back as the stored deltas reach.

    `events` come newest first. Each is a version, 8 bytes, a nonce, and the delta from it to the version before. At a
    damaged one, or one of another form, the deltas end.
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
    """Return the head of an idempotency record, which precedes version and snapshot."""
    fingerprint, note = idempotency.fingerprint, idempotency.note
    return bytes((len(fingerprint), len(note))) + fingerprint + note


def answer_of(kept: bytes) -> StoredAnswer:
    """Return the answer stored under an idempotency key. Raises `DamagedError`, `NewerFormError`."""
    if kept[:1] == bytes((OTHER_FORM,)):
        raise NewerFormError
    note = 2 + kept[0] if len(kept) > 2 else 0
    state = note + kept[1] if note else 0
    if not note or len(kept) < state + 8:
        raise DamagedError
    return StoredAnswer(kept[2:note], kept[note:state], snapshot_of(kept[state:]))
