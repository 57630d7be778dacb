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
    """The first answer to a request that carried an idempotency key."""

    fingerprint: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a request needs to know before it decides."""

    snapshot: Snapshot | None
    answer: Answer | None


class LogLine(NamedTuple):
    """A line of a deal's log. The lines of a table come in the order of its matches and deals."""

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
    event: bytes
    """The entry of the table's stream for this version."""
    log: Sequence[LogLine] = ()
    idempotency: tuple[bytes, Answer] | None = None
    """The key's hash, and the answer to keep under it."""
    wake: int | None = None
    """When the table wants to be woken."""
    ttl: int
    """Seconds that everything of the table lives on."""
    listed: bool
    """Whether strangers find it among the open tables."""
