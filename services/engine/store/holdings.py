"""The memory that clients use in Redis: their tables, with logs, answers, subscriptions and evenings, counted by the
scripts.

The keys of a bucket's tables are counted in the same script that changes them, under the group of the client who opened
the table (`service/accounts.py`). All buckets are added up only where a client wants to add something new: what is
under way is never refused.
"""

import asyncio
import time
from collections import OrderedDict

from services.common.redis_connection import Part
from services.engine.errors import ProblemError
from services.engine.store import keys, scripts
from services.engine.store.backends import Backend

KEPT_SECONDS = 1.0
"""Seconds for which a sum is used; this process adds the writes that it allows meanwhile."""
MOST_CLIENTS = 4096
"""The number of clients with a cached sum."""
TIGHT = 2
"""Tables keep less once their client holds more than one part in this many of its limit in one bucket."""
TABLE = 2_048
"""Bytes that an open table takes."""
PLAYED = 32_768
"""The least bytes for a table in play, its possible size at the end, so that no match is refused halfway."""


class NoRoomError(ProblemError):
    """The tables of a client are at their limit; the first of them expires in `seconds`."""

    def __init__(self, megabytes: int, seconds: int) -> None:
        detail = f"a client's tables may hold {megabytes} MB; the first of them is gone in {seconds} seconds"
        super().__init__("too_many_requests", detail, retry_after=seconds)


class _Sum:
    """The last known size of a client's holdings."""

    def __init__(self) -> None:
        self.held = 0
        """Bytes."""
        self.first = 0
        """Seconds until the first part expires."""
        self.until = 0.0
        """The time of the next read."""
        self.lock = asyncio.Lock()


class Holdings:
    """Sums of clients' memory, and the keys where scripts count it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.most = 0
        """Bytes for each client; 0 for no limit: then nothing is counted."""
        self._sums: OrderedDict[bytes, _Sum] = OrderedDict()

    @property
    def tight(self) -> int:
        """The bytes in a bucket beyond which its tables keep less."""
        return self.most // TIGHT // len(keys.TAGS)

    def counted(self, group: bytes | None) -> bool:
        """Return whether the tables of a client are counted; tables of earlier releases name no client."""
        return bool(self.most and group)

    def place(self, table: str, group: bytes | None, part: str) -> tuple[str, str]:
        """Return the key of the account and the field of a part of a table, which is empty if nothing is counted."""
        return keys.account(keys.tag_of(table), group or b""), table + part if self.counted(group) else ""

    async def admit(self, group: bytes | None, added: int) -> None:
        """Let a client add a number of bytes. Raises `NoRoomError`."""
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
