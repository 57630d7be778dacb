"""Sorted sets of what is due, one in each bucket: deadlines of tables, and notices that are to be sent."""

import asyncio
import secrets
from collections.abc import Callable, Sequence

from services.common.redis_connection import Part
from services.engine.store import keys, scripts
from services.engine.store.backends import Backend
from services.engine.store.errors import DamagedError
from services.engine.store.shared_time import EarliestWake

FAR = 2.0**53
"""A time after any real one."""


class DueSets:
    """Members of the buckets' sorted sets, each claimed by one process at a time once it is due."""

    def __init__(self, backend: Backend, key: Callable[[str], str], lease: int) -> None:
        """`key` returns a bucket's set, given its hash tag; `lease` is for how many milliseconds a claim holds."""
        self._backend = backend
        self._key = key
        self._lease = lease
        self._wakes = EarliestWake()

    async def claim(self, now: int, limit: int) -> list[tuple[str, bytes]]:
        """Claim what is due, each for one caller, and return it with the set that it is in.

        It is due again when the lease ends, unless another time has been set for it.
        """
        self._wakes.forget()
        # A plain look first: on an idle engine it costs Redis, and the embedded one above all, far less than scripts.
        earliest = await asyncio.gather(*(self._earliest(tag) for tag in keys.TAGS))
        times = {tag: milliseconds(found[1]) for tag, found in zip(keys.TAGS, earliest, strict=True) if found}
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

    def note(self, time: int | None) -> None:
        """Note that something is due at a time, None for nothing."""
        self._wakes.note(time)

    async def until_due(self, now: Callable[[], int], longest: float) -> None:
        """Return once something may be due, as far as this process knows; at the latest after so many seconds.

        It knows the times that were noted and the earliest that the last claim saw: those that other processes have
        set since, and then died, are what `longest` is for.
        """
        await self._wakes.wait(now, longest)

    async def _earliest(self, tag: str) -> list[bytes]:
        """Return the first member of a bucket's set and its time, nothing without one."""
        try:
            found: list[bytes] = await self._backend.call(("ZRANGE", self._key(tag), 0, 0, "WITHSCORES"))
        except DamagedError:  # the claim that follows removes what is in the key's place
            return [b"", b"0"]
        return found


def milliseconds(score: bytes) -> int:
    """Return the time in a score; far ahead, or long ago, for a score that is no time."""
    return int(min(max(float(score), -FAR), FAR))
