"""Sorted sets of members (deadlines of tables, or notices) that are due at a time: one set for each bucket."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence

from services.common.redis_connection import Part
from services.engine.store import keys, scripts
from services.engine.store.backends import Backend
from services.engine.store.errors import DamagedError
from services.engine.store.shared_time import EarliestWake

FAR = 2.0**53
"""A time in milliseconds that is later than any real time."""
PAGE = 64
"""Number of members of a bucket's set that are read at a time. If all of them are due at the same time, more are read.
"""
OVERLAP = 1_000
"""Milliseconds of overlap between reads, since a member written during a read may be due slightly earlier."""


class DueSets:
    """The sorted sets of all buckets. Each due member can be claimed by one process at a time."""

    def __init__(self, backend: Backend, key: Callable[[str], str], lease: int) -> None:
        """`key` returns the set of a bucket, given its hash tag; `lease` is the duration of a claim in milliseconds."""
        self._backend = backend
        self._key = key
        self._lease = lease
        self._wakes = EarliestWake()
        self.note = self._wakes.note
        """Records that something is due at a time (None for nothing)."""
        self.until_due = self._wakes.wait
        """Waits until a member may be due: until the earliest recorded time, or the earliest that the last claim found.

        It waits at most some seconds, because other processes set times too.
        """
        self._seen: dict[str, float] = {}
        """The time up to which due members have been returned, by bucket."""

    async def claim(self, now: int, limit: int) -> list[tuple[str, bytes]]:
        """Claim due members, with their sets. They are due again after the lease, unless they get another time."""
        self._wakes.forget()
        # Read before claiming: on an idle engine, reading is much cheaper than a script, above all in the embedded
        # server.
        earliest = await asyncio.gather(*(self._earliest(tag, -FAR) for tag in keys.TAGS))
        times = {tag: milliseconds(first[1]) for tag, first in zip(keys.TAGS, earliest, strict=True) if first}
        for time in times.values():
            self._wakes.note(time)
        tags = [tag for tag, time in times.items() if time <= now]
        secrets.SystemRandom().shuffle(tags)
        share, rest = divmod(limit, len(tags) or 1)
        counts = [share + (number < rest) for number in range(len(tags))]
        calls: list[tuple[str, Sequence[Part]]] = [
            (self._key(tag), (now, now + self._lease, count)) for tag, count in zip(tags, counts, strict=True) if count
        ]
        replies = await self._backend.run_all(scripts.CLAIM, calls)
        return [(key, member) for (key, _), reply in zip(calls, replies, strict=True) for member in reply]

    async def look(self, now: int) -> tuple[list[tuple[str, bytes]], bool]:
        """Return due members with their sets, earliest first, and whether there may be more. Claims nothing."""
        self._wakes.forget()
        earliest = await asyncio.gather(*(self._earliest(tag, self._seen.get(tag, -FAR)) for tag in keys.TAGS))
        times = {tag: milliseconds(first[1]) for tag, first in zip(keys.TAGS, earliest, strict=True) if first}
        tags = [tag for tag, time in times.items() if time <= now]
        pages = await asyncio.gather(*(self._page(tag) for tag in tags))
        for time in times.values():
            self._note_later(time, now)
        due: list[tuple[int, str, bytes]] = []
        more = False
        for tag, page in zip(tags, pages, strict=True):
            last = milliseconds(page[-1][1]) if page else 0
            full = len(page) >= PAGE and last <= now
            self._seen[tag] = last if full else now - OVERLAP
            self._note_later(next((time for _, score in page if (time := milliseconds(score)) > now), None), now)
            due += [(time, self._key(tag), member) for member, score in page if (time := milliseconds(score)) <= now]
            more |= full
        return [(key, member) for _, key, member in sorted(due)], more

    def look_again(self) -> None:
        """Make the next calls of `look` return everything that is due."""
        self._seen.clear()
        self.note(0)

    async def take(self, members: Iterable[tuple[str, bytes]], now: int, *, remove: bool = False) -> set[bytes]:
        """Claim those members that are still due or, with `remove`, remove them. Return these members."""
        of_set: dict[str, list[bytes]] = {}
        for key, member in members:
            of_set.setdefault(key, []).append(member)
        until = "" if remove else now + self._lease
        calls: list[tuple[str, Sequence[Part]]] = [(key, (now, until, *claimed)) for key, claimed in of_set.items()]
        return {member for reply in await self._backend.run_all(scripts.CLAIM_NOTICES, calls) for member in reply}

    def _note_later(self, time: int | None, now: int) -> None:
        if time is not None and time > now:
            self.note(time)

    async def _page(self, tag: str) -> list[tuple[bytes, bytes]]:
        """Return some members of a bucket's set with their times, starting at the last time returned."""
        since, most = self._seen.get(tag, -FAR), PAGE
        while True:
            try:
                flat = await self._range(tag, since, most)
            except DamagedError:
                # the script removes the key, which has the wrong type
                await self._backend.run(scripts.CLAIM, [self._key(tag)], (0, 0, 0))
                return []
            page = list(zip(flat[::2], flat[1::2], strict=True))
            if len(page) < most or page[0][1] != page[-1][1]:
                return page
            most *= 2

    async def _range(self, tag: str, since: float, most: int) -> list[bytes]:
        command = ("ZRANGEBYSCORE", self._key(tag), since, "+inf", "WITHSCORES", "LIMIT", 0, most)
        members: list[bytes] = await self._backend.call(command)
        return members

    async def _earliest(self, tag: str, since: float) -> list[bytes]:
        """Return the first member of a bucket's set at or after a time, and the member's time; empty if none."""
        try:
            member_and_time = await self._range(tag, since, 1)
        except DamagedError:  # the next claim removes the key, which has the wrong type
            return [b"", b"0"]
        return member_and_time


def milliseconds(score: bytes) -> int:
    """Return a score as a time. Infinite and huge scores are clamped to `FAR`."""
    return int(min(max(float(score), -FAR), FAR))
