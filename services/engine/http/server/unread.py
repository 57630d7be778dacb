"""Limits the response bytes that clients have not read yet, by time and by amount."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.engine.service.accounts import Group

SLOWEST_CLIENT = 30.0
"""Seconds for which a client may read nothing before it is disconnected."""
MOST_OF_CLIENT = 8_000_000
"""Maximum unread bytes of one client's responses."""
MOST_UNREAD = 64_000_000
"""Maximum unread bytes of all clients together."""
SEND_BUFFER = 32_768
"""Bytes that the kernel buffers per connection (it reserves twice as much). The limits above do not count them."""


class Unread:
    """The responses that clients are reading. Above the limits, a client's slowest connection is closed."""

    def __init__(self) -> None:
        self.seconds = SLOWEST_CLIENT
        self.most_of_client = MOST_OF_CLIENT
        self.most = MOST_UNREAD
        self._sizes: dict[Group, dict[asyncio.Transport, int]] = {}
        """Response sizes by client and connection; the connection that has been reading longest is first."""

    @property
    def connections(self) -> list[asyncio.Transport]:
        """The connections with unread responses."""
        return [connection for sizes in self._sizes.values() for connection in sizes]

    @asynccontextmanager
    async def reading(self, client: Group, connection: asyncio.Transport, size: int) -> AsyncIterator[None]:
        """Count a response of this size as unread while the context lasts.

        Raises `ConnectionResetError` if the client takes too long to read it.
        """
        self._sizes.setdefault(client, {})[connection] = size
        while sum(self._sizes[client].values()) > self.most_of_client and len(self._sizes[client]) > 1:
            self._cut(client)
        while self._sum() > self.most and len(self.connections) > 1:
            self._cut(max(self._sizes, key=lambda reader: sum(self._sizes[reader].values())))
        try:
            async with asyncio.timeout(self.seconds):
                yield
        except TimeoutError:
            connection.abort()
            raise ConnectionResetError("the client does not read") from None
        finally:
            self._forget(client, connection)

    def _sum(self) -> int:
        return sum(sum(sizes.values()) for sizes in self._sizes.values())

    def _cut(self, client: Group) -> None:
        """Close the client's connection that has been reading longest."""
        slowest = next(iter(self._sizes[client]))
        self._forget(client, slowest)
        slowest.abort()

    def _forget(self, client: Group, connection: asyncio.Transport) -> None:
        sizes = self._sizes.get(client, {})
        sizes.pop(connection, None)
        if not sizes:
            self._sizes.pop(client, None)


UNREAD = Unread()
