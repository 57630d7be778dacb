"""From a URL to a store."""

import asyncio
from collections.abc import Mapping
from typing import Any

from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.engine.store.errors import REDIS_ERRORS
from services.engine.store.link import ClusterLink, EmbeddedLink, Link, ServerLink
from services.engine.store.store import Store
from shared.sentinels import SENTINELS, primary
from shared.settings import NO_REDIS

CONNECT_SECONDS = 1.0
MANY_CONNECTIONS = 10_000
"""More than anyone needs at once, to a node of a cluster and to the embedded server."""

CLUSTER = "+cluster://"


async def connect(url: str | None, replicas: int = 0) -> Store:
    """Return the store of a URL, which need not answer yet; without one, a store in this process alone.

    So many replicas must hold a transition before it counts as committed.

    `redis://`, `rediss://` and `unix://`; `redis+cluster://` and `rediss+cluster://` name one node of a Redis Cluster,
    `redis+sentinel://` the sentinels of a service (`shared.sentinels`).
    Raises `ValueError` where the URL is none of these.
    """
    if not url:
        # In a thread, because the first server and the first connection of a process read files.
        return Store(await asyncio.to_thread(_embedded))
    try:
        return Store(_link(url, replicas))
    except (ValueError, TypeError, *REDIS_ERRORS):
        # Said in our own words: what is wrong with a URL may be a piece of its password.
        problem = NO_REDIS
    raise ValueError(problem)


def _link(url: str, replicas: int) -> Link:
    if CLUSTER in url:
        return _cluster(url, replicas)
    return _watched(url, replicas) if url.startswith(SENTINELS) else _server(url, replicas)


def _watched(url: str, replicas: int) -> Link:
    client = primary(url, _options(retries=0))
    return ServerLink(client.connection_pool.make_connection, client, replicas)


def _embedded() -> Link:
    client = FakeAsyncRedis(server=FakeServer(), max_connections=MANY_CONNECTIONS, **_options(retries=0))
    client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return EmbeddedLink(client)


def _server(url: str, replicas: int) -> Link:
    # The connection for commands is mended by who uses it, and those who wait on one for subscriptions must notice its
    # end, to look again.
    pool = ConnectionPool.from_url(url, **_options(retries=0))
    # An option that the URL asks for and no connection knows shows here rather than at the first request.
    pool.make_connection()  # type: ignore[no-untyped-call]
    return ServerLink(pool.make_connection, Redis.from_pool(pool), replicas)


def _cluster(url: str, replicas: int) -> Link:
    plain = url.replace(CLUSTER, "://", 1)
    cluster = RedisCluster.from_url(plain, max_connections=MANY_CONNECTIONS, **_options(retries=2))
    return ClusterLink(cluster, replicas)


def _options(*, retries: int) -> Mapping[str, Any]:
    return {
        "protocol": 2,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": None,
        "retry": Retry(NoBackoff(), retries),
        # Or each new connection would look up the library's version in the file system.
        "driver_info": None,
    }
