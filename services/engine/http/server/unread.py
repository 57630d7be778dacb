"""Unread bytes of responses: how long an engine keeps them, and how many."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.engine.service.accounts import Group

SLOWEST_CLIENT = 30.0
"""Seconds after which a client that takes nothing is disconnected."""
MOST_OF_CLIENT = 8_000_000
"""Bytes of the responses of one client that are not read."""
MOST_UNREAD = 64_000_000
"""The same of all clients together."""
SEND_BUFFER = 32_768
"""Bytes that the kernel buffers for a connection (it reserves twice as much); they are not counted here."""


class Unread:
    """The responses that are being read. Beyond a number of bytes, a client loses the connection that reads longest."""

    def __init__(self) -> None:
        self.seconds = SLOWEST_CLIENT
        self.most_of_client = MOST_OF_CLIENT
        self.most = MOST_UNREAD
        self._sizes: dict[Group, dict[asyncio.Transport, int]] = {}
        """Lengths of responses by client and connection, the one that has been reading longest first."""

    @property
    def connections(self) -> list[asyncio.Transport]:
        """Responses that are being read."""
        return [connection for sizes in self._sizes.values() for connection in sizes]

    @asynccontextmanager
    async def reading(self, client: Group, connection: asyncio.Transport, size: int) -> AsyncIterator[None]:
        """Wait within this context until a client has read a response of this size.

        Raises `ConnectionResetError` if it takes too long.
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
            raise ConnectionResetError("the client takes nothing") from None
        finally:
            self._forget(client, connection)

    def _sum(self) -> int:
        return sum(sum(sizes.values()) for sizes in self._sizes.values())

    def _cut(self, client: Group) -> None:
        """End the connection of a client that has been read the longest."""
        slowest = next(iter(self._sizes[client]))
        self._forget(client, slowest)
        slowest.abort()

    def _forget(self, client: Group, connection: asyncio.Transport) -> None:
        sizes = self._sizes.get(client, {})
        sizes.pop(connection, None)
        if not sizes:
            self._sizes.pop(client, None)


UNREAD = Unread()
"""The unread responses of this process."""
