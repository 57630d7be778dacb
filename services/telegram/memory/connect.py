"""Where the bot's memory lives: a Redis server or cluster, or this process."""

from typing import Any, cast

import structlog
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisClusterException, RedisError

from shared.sentinels import SENTINELS, primary
from shared.settings import NO_REDIS, SettingsError

log = structlog.get_logger(__name__)


class SteadyCluster(RedisCluster):
    """A cluster's client that many may use at once, also while a node is lost.

    Until it knows the nodes, and when it loses one, redis-py's closes connections under those who use them.
    """

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as redis-py has it
        """Send a command, once more where its connection was gone before it could be sent."""
        await self.initialize()
        try:
            return await super().execute_command(*args, **kwargs)
        except AttributeError:
            await self.initialize()
            return await super().execute_command(*args, **kwargs)


def connect(url: str) -> Redis:
    """Return the Redis that a URL names, decoding its answers; without one, a store inside this process.

    It need not answer yet. Raises `SettingsError` where the URL names nothing.
    """
    if not url:
        log.warning("bot_memory_embedded", told="the bot remembers its chats as long as this process lives")
        return cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    try:
        return _server(url)
    except (ValueError, TypeError, RedisError, RedisClusterException):
        # Said in our own words: what is wrong with a URL may be a piece of its password.
        problem = f"REDIS_URL is {NO_REDIS}."
    raise SettingsError(problem)


def _server(url: str) -> Redis:
    retry = Retry(ExponentialBackoff(cap=1.0, base=0.05), retries=5)
    if "+cluster://" in url:
        plain = url.replace("+cluster://", "://", 1)
        return cast("Redis", SteadyCluster.from_url(plain, decode_responses=True, retry=retry))
    if url.startswith(SENTINELS):
        return primary(url, {"decode_responses": True, "retry": retry, "driver_info": None})
    server = Redis.from_url(url, decode_responses=True, retry=retry)
    # An option that the URL asks for and no connection knows shows here rather than at the first request.
    server.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return server
