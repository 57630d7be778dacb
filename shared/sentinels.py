"""A Redis that sentinels watch over: `redis+sentinel://[user:password@]host:port,host:port/service[/database]`."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from redis.asyncio import Redis
from redis.asyncio.sentinel import Sentinel

SENTINELS = "redis+sentinel://"
PATIENCE = 1.0
"""Seconds for a sentinel to answer."""


class Watched(Redis):
    """The primary, whichever it is now; closed, it lets go of the sentinels too."""

    sentinels: Sentinel

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as redis-py has it
        """Close all connections."""
        await super().aclose(close_connection_pool)
        for sentinel in self.sentinels.sentinels:
            await sentinel.aclose()


def primary(url: str, options: Mapping[str, Any]) -> Watched:
    """Return the primary that the sentinels of a URL name; the options are its connections'. Raises `ValueError`."""
    parts = urlsplit(url)
    given, _, addresses = parts.netloc.rpartition("@")
    user, _, password = given.partition(":")
    service, _, database = parts.path.removeprefix("/").partition("/")
    if not service or parts.query or parts.fragment:
        raise ValueError("a URL of sentinels ends with the service's name, and perhaps a database")
    asking = {name: value for name, value in options.items() if name != "decode_responses"}
    sentinels = Sentinel(  # type: ignore[no-untyped-call]
        [_address(each) for each in addresses.split(",")],
        sentinel_kwargs=asking | {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE},
        username=unquote(user) or None,
        password=unquote(password) or None,
        db=int(database or 0),
        **options,
    )
    found: Watched = sentinels.master_for(service, redis_class=Watched)
    found.sentinels = sentinels
    return found


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host:
        raise ValueError("a sentinel has a host and a port")
    return host, int(port)
