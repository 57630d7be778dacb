"""What one client, known by its address, may ask of the house."""

import time
from collections import Counter
from typing import Literal

import structlog
from aiohttp import web
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisClusterStorage, RedisStorage, Storage
from limits.aio.storage.redis.redispy import RedispyBridge
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError

from services.engine.http.problems import ProblemError

log = structlog.stdlib.get_logger("engine.http")

REDIS_PATIENCE = 0.5
"""Seconds: a limit is not worth more waiting."""


class Limits:
    """Tables a minute are counted in the store, for all replicas together; requests a second by each replica."""

    def __init__(self, redis_url: str, tables_per_minute: int, requests_per_second: int) -> None:
        self._storage = _storage(redis_url)
        self._tables = FixedWindowRateLimiter(self._storage)
        self._per_minute = RateLimitItemPerMinute(tables_per_minute) if tables_per_minute else None
        self._per_second = requests_per_second
        self._requests: Counter[str] = Counter()
        self._until = 0.0

    def request(self, client: str) -> None:
        """Count a request. Raises `ProblemError` `too_many_requests`."""
        now = time.monotonic()
        if now >= self._until:
            self._requests.clear()
            self._until = now + 1
        self._requests[client] += 1
        if self._per_second and self._requests[client] > self._per_second:
            raise _too_many(f"a client may make {self._per_second} requests a second", 1)

    async def open_table(self, client: str) -> None:
        """Count a table opened. Raises `ProblemError` `too_many_requests`; without the store, lets it pass."""
        if self._per_minute is None:
            return
        try:
            allowed = await self._tables.hit(self._per_minute, "tables", client)
            window = await self._tables.get_window_stats(self._per_minute, "tables", client)
        except StorageError as error:
            log.warning("limits_down", error=type(error.storage_error).__name__)
            return
        if not allowed:
            wait = max(1, round(window.reset_time - time.time() + 0.5))
            raise _too_many(f"a client may open {self._per_minute.amount} tables a minute", wait)

    async def close(self) -> None:
        """Let go of the storage."""
        if isinstance(self._storage, RedisStorage) and isinstance(self._storage.bridge, RedispyBridge):
            await self._storage.bridge.storage.aclose()
        elif isinstance(self._storage, MemoryStorage) and self._storage.timer:
            self._storage.timer.cancel()


def _storage(redis_url: str) -> Storage:
    if not redis_url:
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


def _too_many(detail: str, wait: int) -> ProblemError:
    return ProblemError("too_many_requests", detail, headers={"Retry-After": str(wait)})


def client_of(request: web.Request) -> str:
    """Return by what a client is known: its address."""
    return request.remote or ""
