"""Redis URLs: the forms that `REDIS_URL` may take, and a redis-py client for each of them.

| URL | names |
| --- | --- |
| `redis://[user:password@]host:port[/database]` | one server |
| `rediss://…` | one server, over TLS |
| `unix://[user:password@]/path/to/socket` | one server on this machine |
| `redis+cluster://…`, `rediss+cluster://…` | a Redis Cluster by one of its nodes, the second over TLS |
| `redis+sentinel://[user:password@]host:port,host:port/service[/database]` | the primary that these sentinels name |

The engine's store, its rate limits and the bot's repositories open their clients here and nowhere else, so that a URL
that the settings accept is one that all three can open.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias, cast
from urllib.parse import unquote, urlsplit

from msgspec import Meta
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import RedisClusterException, RedisError

SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster", "redis+sentinel")
_SPELLED = ", ".join(f"{scheme}://" for scheme in SCHEMES)

RedisUrl = Annotated[str, Meta(pattern=f"^(({'|'.join(re.escape(scheme) for scheme in SCHEMES)})://[^\\s]+)?$")]
"""Type of the setting `redis_url`. Each service decides what an empty URL means."""

EXPECTED = f"must be a URL of {_SPELLED}, or empty"
"""The allowed forms of the setting, in words."""

REDIS_ERRORS = (RedisError, RedisClusterException, OSError)
"""Errors of redis-py when Redis cannot serve. `RedisClusterException` is not a `RedisError`."""

SENTINEL_SECONDS = 1.0
"""Seconds that a sentinel may take to answer."""


class RedisUrlError(ValueError):
    """A Redis URL that cannot be opened. The message leaves it out, since it may have a password."""

    def __init__(self) -> None:
        super().__init__(f"not a URL of Redis: {_SPELLED}")


class NoEmbeddedRedisError(ValueError):
    """The URL is empty, and the embedded Redis (fakeredis) is not installed, as in the container images."""

    def __init__(self) -> None:
        super().__init__("missing, and there is no Redis inside this process (the package fakeredis)")


class ClusterClient(RedisCluster):
    """A cluster client that many tasks may use at the same time, even while a node is lost.

    Before redis-py's own client knows the nodes, and when it loses a node, it closes connections that other tasks are
    using.
    """

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Send a command. Sends it again if the connection was lost before the command was sent."""
        await self.initialize()
        try:
            return await super().execute_command(*args, **kwargs)
        except AttributeError:
            await self.initialize()
            return await super().execute_command(*args, **kwargs)


class SerialSentinel(Sentinel):
    """The sentinels of a service, used by one caller at a time.

    redis-py moves the sentinel that knew the primary to the front of its list, by its index. With two callers at once,
    one sentinel would be in the list twice, and another sentinel would be missing.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as in redis-py
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        self._lock = asyncio.Lock()

    async def discover_master(self, service_name: str) -> tuple[str, int]:
        """Return the address of a service's primary. Raises errors of redis-py."""
        async with self._lock:
            address: tuple[str, int] = await super().discover_master(service_name)
        return address


class SentinelClient(Redis):
    """A client of the primary, whose address the sentinels give for each new connection."""

    sentinels: SerialSentinel

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as in redis-py
        """Close all connections."""
        await super().aclose(close_connection_pool)
        await self.sentinels.aclose()


AnyClient: TypeAlias = Redis | ClusterClient


def open_client(
    url: str,
    *,
    cluster: Mapping[str, Any] | None = None,
    server: type[Redis] = Redis,
    **options: Any,  # noqa: ANN401
) -> AnyClient:
    """Return a client of the Redis at a URL, without connecting yet.

    Raises `RedisUrlError` if the URL cannot be opened.

    `options` are options of redis-py's connections; for a cluster, `cluster` replaces or adds some of them.
    """
    try:
        return _open(url, server, options, {**options, **(cluster or {})})
    except (ValueError, TypeError, *REDIS_ERRORS):
        pass
    # Raised outside the `except` block, so that redis-py's error, which may contain a password, is not the context.
    raise RedisUrlError


def embedded_client(**options: Any) -> Redis:  # noqa: ANN401 - options of redis-py
    """Return a client of an empty Redis server inside this process. The first call reads files.

    Raises `NoEmbeddedRedisError` if the package fakeredis is not installed.
    """
    try:
        from fakeredis import FakeAsyncRedis, FakeServer  # noqa: PLC0415 - only for `make run` and tests
    except ImportError:
        raise NoEmbeddedRedisError from None
    client: Redis = FakeAsyncRedis(server=FakeServer(), **options)
    return client


def _open(url: str, server: type[Redis], options: Mapping[str, Any], cluster: Mapping[str, Any]) -> AnyClient:
    scheme, _, rest = url.partition("://")
    match scheme:
        case "redis+cluster" | "rediss+cluster":
            plain = f"{scheme.removesuffix('+cluster')}://{rest}"
            return cast("ClusterClient", ClusterClient.from_url(plain, **cluster))
        case "redis+sentinel":
            return _sentinel_client(url, options)
    client: Redis = server.from_url(url, **options)
    # An unknown option in the URL raises an error at this call, rather than at the first command.
    client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return client


def _sentinel_client(url: str, options: Mapping[str, Any]) -> SentinelClient:
    parts = urlsplit(url)
    credentials, _, addresses = parts.netloc.rpartition("@")
    user, _, password = credentials.partition(":")
    service, _, database = parts.path.removeprefix("/").partition("/")
    if not service or parts.query or parts.fragment:
        raise ValueError("a URL of sentinels ends with the service's name, and perhaps a database")
    of_sentinels = {name: value for name, value in options.items() if name != "decode_responses"}
    sentinels = SerialSentinel(
        [_address(address) for address in addresses.split(",")],
        sentinel_kwargs=of_sentinels | {"socket_timeout": SENTINEL_SECONDS, "socket_connect_timeout": SENTINEL_SECONDS},
        username=unquote(user) or None,
        password=unquote(password) or None,
        db=int(database or 0),
        **options,
    )
    client: SentinelClient = sentinels.master_for(service, redis_class=SentinelClient)
    client.sentinels = sentinels
    return client


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host:
        raise ValueError("a sentinel has a host and a port")
    return host, int(port)
