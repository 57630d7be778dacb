"""A Redis that sentinels watch over: `redis+sentinel://[user:password@]host:port,host:port/service[/database]`."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from redis.asyncio import Redis
from redis.asyncio.sentinel import Sentinel

SENTINELS = "redis+sentinel://"
PATIENCE = 1.0
"""Seconds for a sentinel to answer."""


class Sentinels(Sentinel):
    """Those who know the primary, asked by one caller at a time.

    redis-py puts the one that knew it first in its list, by the place where it was found: two who ask at once put one
    in twice, and forget another for good.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as redis-py has it
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        self._asking = asyncio.Lock()

    async def discover_master(self, service_name: str) -> tuple[str, int]:
        """Return the address of a service's primary; raises what redis-py raises."""
        async with self._asking:
            found: tuple[str, int] = await super().discover_master(service_name)
        return found


class Watched(Redis):
    """The primary, whichever it is now; closed, it lets go of the sentinels too."""

    sentinels: Sentinels

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as redis-py has it
        """Close all connections."""
        await super().aclose(close_connection_pool)
        await self.sentinels.aclose()


def primary(url: str, options: Mapping[str, Any]) -> Watched:
    """Return the primary that the sentinels of a URL name; the options are its connections'. Raises `ValueError`."""
    parts = urlsplit(url)
    given, _, addresses = parts.netloc.rpartition("@")
    user, _, password = given.partition(":")
    service, _, database = parts.path.removeprefix("/").partition("/")
    if not service or parts.query or parts.fragment:
        raise ValueError("a URL of sentinels ends with the service's name, and perhaps a database")
    asking = {name: value for name, value in options.items() if name != "decode_responses"}
    sentinels = Sentinels(
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
