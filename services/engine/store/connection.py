"""Connections to one Redis server. Optionally, a reply waits until replicas hold the write that it confirms.

Redis replies before it replicates. `WAIT` returns when replicas hold everything written on its own connection, and
blocks that connection until then. So writes that replicas must hold use a second connection. Replies that arrive
together share one `WAIT`.
"""

import asyncio
from collections.abc import Awaitable, Callable

from redis.exceptions import RedisError

from services.common.redis_connection import Command, LiveConnection, MultiplexedConnection, RedisReply

REPLICA_MILLISECONDS = 1000
"""Milliseconds that replicas may take to confirm a write."""
MARK_SECONDS = 60


class NotReplicatedError(RedisError):
    """Too few replicas have confirmed a write in time."""


class AcknowledgedConnection:
    """A connection that returns a reply only when enough replicas hold everything written before it."""

    def __init__(self, connection: MultiplexedConnection, replicas: int) -> None:
        self._connection = connection
        self._replicas = replicas
        self._wait: tuple[LiveConnection, asyncio.Task[None]] | None = None

    async def send(self, command: Command, mark: str) -> RedisReply:
        """Return the reply when enough replicas hold the write that it confirms.

        After the command, `mark`, a key in the same slot, is written. The reason: replicas confirm only writes, and a
        retried command may write nothing. Raises `NotReplicatedError`, and errors of redis-py.
        """
        live = await self._connection.live()
        reply, _ = await asyncio.gather(live.send(command), live.send(("SET", mark, b"", "EX", MARK_SECONDS)))
        await self._acknowledged(live)
        return reply

    async def close(self) -> None:
        """Close the connection. Callers that still wait for a reply get an error."""
        await self._connection.close()

    async def _acknowledged(self, live: LiveConnection) -> None:
        if self._wait is None or self._wait[0] is not live:
            self._wait = live, asyncio.create_task(self._ask_replicas(live), name="store replicas")
            # Retrieve the exception here, since the caller may have been cancelled.
            self._wait[1].add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.shield(self._wait[1])

    async def _ask_replicas(self, live: LiveConnection) -> None:
        self._wait = None  # writes after this point need another WAIT
        if await live.send(("WAIT", self._replicas, REPLICA_MILLISECONDS)) < self._replicas:
            raise NotReplicatedError


class ReplicatedConnection:
    """A server with replicas: one connection for ordinary commands, and one for writes that replicas must hold."""

    def __init__(self, connection: Callable[[], MultiplexedConnection], replicas: int) -> None:
        self._commands = connection()
        self._acknowledged = AcknowledgedConnection(connection(), replicas)

    def send(self, command: Command, mark: str | None = None) -> Awaitable[RedisReply]:
        """Return the reply. With `mark`, wait until enough replicas hold the write that it confirms."""
        return self._acknowledged.send(command, mark) if mark else self._commands.send(command)

    async def close(self) -> None:
        """Close all connections."""
        await self._commands.close()
        await self._acknowledged.close()


ServerConnection = MultiplexedConnection | ReplicatedConnection
"""A connection to a server, with or without replicas that must confirm writes."""
