"""Where the bot's memory lives: a Redis server or cluster, or this process."""

from typing import TypeAlias, cast

import structlog
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

log = structlog.get_logger(__name__)

AnyRedis: TypeAlias = Redis | RedisCluster


def connect(url: str) -> Redis:
    """Return the Redis that a URL names, decoding its answers; without one, a store inside this process."""
    if not url:
        log.warning("bot_memory_embedded", told="the bot remembers its chats as long as this process lives")
        return cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    if "+cluster://" in url:
        plain = url.replace("+cluster://", "://", 1)
        return cast("Redis", RedisCluster.from_url(plain, decode_responses=True))
    retry = Retry(ExponentialBackoff(cap=1.0, base=0.05), retries=5)
    return Redis.from_url(url, decode_responses=True, retry=retry)
