"""What clients hold in Redis: their tables, with logs, answers, subscriptions and evenings, counted by the scripts.

The keys of a bucket's tables are counted in the same script that changes them, under the group of the client who opened
the table (`service/accounts.py`). All buckets are added up only where a client wants to add something new: what is
under way is never refused.
"""

import asyncio
import time
from collections import OrderedDict

from msgspec import Struct

from services.common.redis_connection import Part
from services.engine.store import keys, scripts
from services.engine.store.backends import Backend

KEPT_SECONDS = 1.0
"""How long a sum is used before it is read again; what this process admits meanwhile is added to it."""
MOST_CLIENTS = 4096
"""Clients whose sum is kept."""
TIGHT = 2
"""Tables keep less once their client's hold more than one part in so many of what they may, in their bucket."""
TABLE = 2_048
"""Bytes that an open table takes."""
PLAYED = 32_768
"""Bytes that a table in play counts for at least: what it may come to, so that nothing of a match is refused."""


class NoRoomError(Exception):
    """The tables of a client hold as much as they may."""

    def __init__(self, megabytes: int, seconds: int) -> None:
        super().__init__(megabytes, seconds)
        self.megabytes = megabytes
        """What they may hold."""
        self.seconds = seconds
        """When the first of them expires."""


class _Sum(Struct):
    held: int
    """Bytes."""
    first: int
    """The second at which the first part expires, 0 for none."""
    until: float
    """When it is to be read again."""


class Holdings:
    """Adds up what clients hold, and tells the scripts where it is counted."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.most = 0
        """Bytes for each client; 0 for no limit: then nothing is counted."""
        self._sums: OrderedDict[bytes, _Sum] = OrderedDict()
        self._reading = asyncio.Lock()

    @property
    def tight(self) -> int:
        """The bytes in a bucket beyond which its tables keep less."""
        return self.most // TIGHT // len(keys.TAGS)

    def counted(self, group: bytes | None) -> bool:
        """Return whether the tables of a client are counted: those of earlier releases name none."""
        return bool(self.most and group)

    def place(self, table: str, group: bytes | None, part: str) -> tuple[str, str]:
        """Return the key of the account and the field of a part of a table; an empty one where nothing is counted."""
        return keys.account(keys.tag_of(table), group or b""), table + part if self.counted(group) else ""

    async def admit(self, group: bytes | None, added: int) -> None:
        """Let a client add so many bytes. Raises `NoRoomError`."""
        if not self.counted(group) or group is None:
            return
        async with self._reading:
            found = await self._sum(group)
            if found.held + added > self.most:
                raise NoRoomError(self.most >> 20, max(1, found.first - int(time.time())))
            found.held += added

    async def _sum(self, group: bytes) -> _Sum:
        found = self._sums.get(group)
        if found is None or time.monotonic() > found.until:
            empty: tuple[Part, ...] = ()
            calls = [(keys.account(tag, group), empty) for tag in keys.TAGS]
            replies = await self._backend.run_all(scripts.HELD, calls)
            first = min((int(till) for _, till in replies if till), default=0)
            found = _Sum(sum(int(held) for held, _ in replies), first, time.monotonic() + KEPT_SECONDS)
            self._sums[group] = found
            if len(self._sums) > MOST_CLIENTS:
                self._sums.popitem(last=False)
        self._sums.move_to_end(group)
        return found
