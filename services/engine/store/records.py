"""What goes into the store and comes out of it. Times are epoch milliseconds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table's state at a version."""

    version: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request that carried an idempotency key did, when it came first."""

    fingerprint: bytes
    """Tells whether another request is the same one."""
    note: bytes
    """What else its answer was made of."""
    snapshot: Snapshot
    """The table as the request left it."""


@dataclass(frozen=True, slots=True)
class Idempotency:
    """A request's key, and what is to be kept under it; at most 255 bytes each."""

    key: bytes
    fingerprint: bytes
    note: bytes = b""
    seconds: int = 3600
    """How long a repetition is known."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a request needs to know before it decides."""

    snapshot: Snapshot | None
    answer: Answer | None


class LogLine(NamedTuple):
    """A line of a deal's log."""

    match: int
    deal: int
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
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
