"""The leader's lease: a key in Redis that expires, which one process at a time takes and renews.

A process stops leading `MARGIN_SECONDS` before its lease expires, so two processes never lead at the same time.
"""

import asyncio
import time
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

import structlog
from redis.asyncio import Redis

from services.common.redis_urls import REDIS_ERRORS
from services.telegram.repositories import keys

log = structlog.get_logger(__name__)

LEASE_SECONDS, RENEW_SECONDS, TRY_SECONDS = 3.5, 0.7, 0.25
"""Seconds: the duration of a lease, the leader's interval for renewing it, and the others' for trying to take it."""
MARGIN_SECONDS = 0.5
"""Seconds before the lease's expiry at which the leader stops: clocks do not run equally fast."""

TAKE = """
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
"""Lua: takes or renews the lease KEYS[1] for process ARGV[1] for ARGV[2] ms; returns 0 if another process has it."""
RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"
"""Lua: deletes the lease KEYS[1] if the process ARGV[1] has it."""


class Lease:
    """The lease, as one process takes, renews and releases it."""

    def __init__(self, redis: Redis, now: Callable[[], float] = time.monotonic) -> None:
        self._redis: Any = redis  # redis-py's types mix the blocking and the asyncio client
        self._now = now
        self._process = token_urlsafe(9)
        self._until = 0.0

    def held(self) -> bool:
        """Return whether this process still holds the lease."""
        return self._now() < self._until

    async def take(self) -> bool:
        """Take or renew the lease; return whether this process has it. Raises redis-py's errors."""
        asked_at, milliseconds = self._now(), round(LEASE_SECONDS * 1000)
        taken = await self._redis.eval(TAKE, 1, keys.LEADER, self._process, str(milliseconds))
        self._until = asked_at + LEASE_SECONDS - MARGIN_SECONDS if taken else 0.0
        return bool(taken)

    async def taken(self) -> bool:
        """Wait until this process has the lease, and return true."""
        waits = False
        while True:
            try:
                if await self.take():
                    return True
            except REDIS_ERRORS as error:
                log.warning("lease_not_taken", reason=type(error).__name__)
                await asyncio.sleep(RENEW_SECONDS)
            else:
                if not waits:
                    log.info("bot_in_reserve")
                waits = True
            await asyncio.sleep(TRY_SECONDS)

    async def lost(self) -> None:
        """Renew the lease until another process has it."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                if not await self.take():
                    log.warning("leadership_lost")
                    return
            except REDIS_ERRORS as error:
                log.warning("lease_not_renewed", reason=type(error).__name__)

    async def release(self) -> None:
        """Give up the lease, so that another process can lead at once."""
        self._until = 0.0
        try:
            await self._redis.eval(RELEASE, 1, keys.LEADER, self._process)
        except REDIS_ERRORS as error:
            log.warning("lease_not_released", reason=type(error).__name__)
