"""What clients have not read yet of their responses: for how long an engine keeps it, and how much of it in all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

SLOWEST_CLIENT = 30.0
"""Seconds after which a client that takes nothing is disconnected."""
MOST_UNREAD = 64_000_000
"""Bytes of all responses together that clients have not read."""


class Unread:
    """The responses that are being read. Beyond a number of bytes, who has read the longest is disconnected."""

    def __init__(self, seconds: float = SLOWEST_CLIENT, most: int = MOST_UNREAD) -> None:
        self.seconds = seconds
        self.most = most
        self._sizes: dict[asyncio.Transport, int] = {}
        """By connection, the one first that has read the longest."""
        self._sum = 0

    @asynccontextmanager
    async def reading(self, connection: asyncio.Transport, size: int) -> AsyncIterator[None]:
        """Wait within this context until a client has read a response of so many bytes.

        Raises `ConnectionResetError` if it takes too long.
        """
        self._sizes[connection] = size
        self._sum += size
        while self._sum > self.most and len(self._sizes) > 1:
            slowest = next(iter(self._sizes))
            self._forget(slowest)
            slowest.abort()
        try:
            async with asyncio.timeout(self.seconds):
                yield
        except TimeoutError:
            connection.abort()
            raise ConnectionResetError("the client takes nothing") from None
        finally:
            self._forget(connection)

    def _forget(self, connection: asyncio.Transport) -> None:
        self._sum -= self._sizes.pop(connection, 0)


UNREAD = Unread()
"""Those of this process."""
