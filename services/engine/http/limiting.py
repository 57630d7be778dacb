"""What one client may ask of the house."""

import time
from collections import Counter
from math import ceil
from typing import Literal, TypeAlias

import structlog
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisClusterStorage, RedisStorage, Storage
from limits.aio.storage.redis.redispy import RedispyBridge
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError

from services.engine.http.policies import Policy
from shared.sentinels import SENTINELS

log = structlog.stdlib.get_logger("engine.http")

REDIS_PATIENCE = 0.5
"""Seconds: a limit is not worth more waiting."""

Counted: TypeAlias = Literal["tables", "seats"]


class Limits:
    """Tables and seats a minute are counted in the store, for all replicas together; requests a second by each."""

    def __init__(self, redis_url: str, *, tables: int = 0, seats: int = 0, requests: int = 0) -> None:
        self._storage = _storage(redis_url)
        self._limiter = FixedWindowRateLimiter(self._storage)
        self._minutely: dict[Counted, Policy] = {
            "tables": Policy("tables", tables, "open {quota} tables a minute", 60),
            "seats": Policy("seats", seats, "take {quota} seats a minute", 60),
        }
        self.request = Requests(requests).count
        """Counts a request of a client. Raises `ProblemError` `too_many_requests`."""

    async def spend(self, what: Counted, client: str) -> dict[str, str]:
        """Count a table or a seat, and return the headers that tell what is left.

        Raises `ProblemError` `too_many_requests`; without the store, lets it pass.
        """
        policy = self._minutely[what]
        if not policy.quota:
            return {}
        item = RateLimitItemPerMinute(policy.quota)
        try:
            allowed = await self._limiter.hit(item, what, client)
            window = await self._limiter.get_window_stats(item, what, client)
        except StorageError as error:
            log.warning("limits_down", error=type(error.storage_error).__name__)
            return {}
        until = max(1, ceil(window.reset_time - time.time()))
        if not allowed:
            raise policy.exceeded(until)
        return policy.told(window.remaining, until)

    async def close(self) -> None:
        """Let go of the storage."""
        if isinstance(self._storage, RedisStorage) and isinstance(self._storage.bridge, RedispyBridge):
            await self._storage.bridge.storage.aclose()
        elif isinstance(self._storage, MemoryStorage) and self._storage.timer:
            self._storage.timer.cancel()


class Requests:
    """Counts each client's requests of this second.

    By hand, and not by the `limits` that counts the rest: its storage in memory starts a thread whenever it has rested
    for a moment, which costs 2.6 µs a hit in a tight loop, and over 80 µs at a thousand requests a second.
    """

    def __init__(self, per_second: int) -> None:
        self._policy = Policy("requests", per_second, "make {quota} requests a second", 1)
        self._counted: Counter[str] = Counter()
        self._until = 0.0

    def count(self, client: str) -> None:
        """Count a request. Raises `ProblemError` `too_many_requests`.

        Only a refusal tells what is left, and not each of many small answers (section 6.2 of the draft).
        """
        if not self._policy.quota:
            return
        now = time.monotonic()
        if now >= self._until:
            self._counted.clear()
            self._until = now + 1
        self._counted[client] += 1
        if self._counted[client] > self._policy.quota:
            raise self._policy.exceeded(1)


def _storage(redis_url: str) -> Storage:
    if not redis_url or redis_url.startswith(SENTINELS):
        return MemoryStorage(wrap_exceptions=True)
    kind = RedisClusterStorage if redis_url.startswith("redis+cluster://") else RedisStorage
    url = f"redis+{redis_url}" if redis_url.startswith("unix://") else redis_url
    implementation: Literal["redispy"] = "redispy"
    return kind(
        f"async+{url}",
        wrap_exceptions=True,
        implementation=implementation,
        key_prefix="locanda:limits",
        socket_timeout=REDIS_PATIENCE,
        socket_connect_timeout=REDIS_PATIENCE,
    )
