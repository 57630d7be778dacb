"""What goes into the store and comes out of it. Times are epoch milliseconds."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct


class Snapshot(Struct, frozen=True):
    """A table's state at a version."""

    version: int
    data: bytes


class Answer(Struct, frozen=True):
    """What a request that carried an idempotency key did, when it came first."""

    fingerprint: bytes
    """Tells whether another request is the same one."""
    note: bytes
    """What else its answer was made of."""
    snapshot: Snapshot
    """The table as the request left it."""


class Idempotency(Struct, frozen=True):
    """A request's key, and what is to be kept under it; at most 255 bytes each."""

    key: bytes
    fingerprint: bytes
    note: bytes = b""
    seconds: int = 3600
    """How long a repetition is known."""


class Loaded(Struct, frozen=True):
    """What a request needs to know before it decides."""

    snapshot: Snapshot | None
    answer: Answer | None


class LogLine(NamedTuple):
    """A line of a deal's log."""

    match: int
    deal: int
    payload: bytes


class Commit(Struct, frozen=True, kw_only=True):
    """One transition of a table, to be taken whole or not at all."""

    table: str
    expected: int
    """The version that was read; 0 where the table must not exist yet."""
    version: int
    data: bytes
    previous: bytes = b""
    """The snapshot that was read: the events lead back to it."""
    log: Sequence[LogLine] = ()
    idempotency: Idempotency | None = None
    wake: int | None = None
    """When the table wants to be woken."""
    ttl: int
    """Seconds that everything of the table lives on."""
    listed: bool
    """Whether strangers find it among the open tables."""
