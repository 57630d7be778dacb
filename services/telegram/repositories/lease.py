"""The lease of the leading process: a key in Redis that expires, taken and renewed by one process at a time.

A process counts as the leader until a margin before the lease expires; until then no other process can have it.
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
"""Duration of a lease, and the intervals at which its leader renews it and others try to take it."""
MARGIN_SECONDS = 0.5
"""How long before the lease's end its leader stops counting on it: clocks do not run equally fast."""

TAKE = """
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
"""Lua: takes or renews the lease KEYS[1] for the process ARGV[1] and ARGV[2] milliseconds; 0 if another has it."""
RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"
"""Lua: ends the lease KEYS[1] of the process ARGV[1]."""


class Lease:
    """One process's view of the lease."""

    def __init__(self, redis: Redis, now: Callable[[], float] = time.monotonic) -> None:
        self._redis: Any = redis  # whose types are those of the blocking and the asyncio client together
        self._now = now
        self._process = token_urlsafe(9)
        self._until = 0.0

    def held(self) -> bool:
        """Return whether this process certainly leads."""
        return self._now() < self._until

    async def take(self) -> bool:
        """Take or renew the lease; return whether this process has it. Raises what redis-py raises."""
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
        """Let another process lead at once."""
        self._until = 0.0
        try:
            await self._redis.eval(RELEASE, 1, keys.LEADER, self._process)
        except REDIS_ERRORS as error:
            log.warning("lease_not_released", reason=type(error).__name__)
