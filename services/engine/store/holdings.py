"""Storage that clients use in Redis, to limit it: their tables with logs, answers, subscriptions and evenings.

The script that changes a table's keys also counts their size. The count is kept in the table's bucket, for the client
who opened the table (as a group, see `service/accounts.py`). All buckets are added up only when a client wants to add
something new. Matches in progress are never refused.
"""

import asyncio
import time
from collections import OrderedDict

from services.common.redis_connection import Part
from services.engine.errors import ProblemError
from services.engine.store import keys, scripts
from services.engine.store.backends import Backend

KEPT_SECONDS = 1.0
"""Seconds for which a sum is cached. During that time, this process adds to it the writes that it allows."""
MOST_CLIENTS = 4096
"""Number of clients with a cached sum."""
TIGHT = 2
"""Divisor of a bucket's share of the limit. If a client's tables in a bucket use more than the quotient, they keep a
shorter log and fewer answers.
"""
TABLE = 2_048
"""Bytes counted for an open table."""
PLAYED = 32_768
"""Minimum bytes counted for a table in play. A table can have this size at the end, so no match is refused halfway."""


class NoRoomError(ProblemError):
    """A client's tables have reached their storage limit. The first table expires in `seconds`."""

    def __init__(self, megabytes: int, seconds: int) -> None:
        detail = f"a client's tables may hold {megabytes} MB; the first of them expires in {seconds} seconds"
        super().__init__("too_many_requests", detail, retry_after=seconds)


class _Sum:
    """The last known size of a client's storage."""

    def __init__(self) -> None:
        self.held = 0
        """Bytes used."""
        self.first = 0
        """Seconds until the first part expires."""
        self.until = 0.0
        """When the size must be read again."""
        self.lock = asyncio.Lock()


class Holdings:
    """Sums of clients' storage, and the keys in which the scripts count that storage."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.most = 0
        """Maximum bytes per client. 0 means no limit, and nothing is counted."""
        self._sums: OrderedDict[bytes, _Sum] = OrderedDict()

    @property
    def tight(self) -> int:
        """Number of bytes in a bucket above which a client's tables keep a shorter log and fewer answers."""
        return self.most // TIGHT // len(keys.TAGS)

    def counted(self, group: bytes | None) -> bool:
        """Return whether a client's tables are counted. Tables opened under earlier releases have no client."""
        return bool(self.most and group)

    def place(self, table: str, group: bytes | None, part: str) -> tuple[str, str]:
        """Return the key and the field in which a part of a table is counted; no field if nothing is counted."""
        return keys.account(keys.tag_of(table), group or b""), table + part if self.counted(group) else ""

    async def admit(self, group: bytes | None, added: int) -> None:
        """Count bytes that a client is about to add. Raises `NoRoomError` if they exceed the limit."""
        if not self.counted(group) or group is None:
            return
        client_sum = self._sums.setdefault(group, _Sum())
        self._sums.move_to_end(group)
        if len(self._sums) > MOST_CLIENTS:
            self._sums.popitem(last=False)
        async with client_sum.lock:
            if time.monotonic() >= client_sum.until:
                await self._read(group, client_sum)
            if client_sum.held + added > self.most:
                raise NoRoomError(self.most >> 20, max(1, client_sum.first))
            client_sum.held += added

    async def _read(self, group: bytes, client_sum: _Sum) -> None:
        empty: tuple[Part, ...] = ()
        calls = [(keys.account(tag, group), empty) for tag in keys.TAGS]
        replies = await self._backend.run_all(scripts.HELD, calls)
        client_sum.held = sum(int(held) for held, _ in replies)
        client_sum.first = min((int(seconds) for _, seconds in replies if seconds), default=0)
        client_sum.until = time.monotonic() + KEPT_SECONDS
