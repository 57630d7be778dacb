"""Connections to one Redis server, with or without waiting for replicas that must hold confirmed writes.

Redis replicates after it has replied. WAIT returns when replicas hold all that its own connection has written, and
keeps that connection busy meanwhile: so there is a second connection for the commands that replicas must hold. All
whose replies came together share one WAIT.
"""

import asyncio
from collections.abc import Awaitable, Callable

from redis.exceptions import RedisError

from services.common.redis_connection import Command, LiveConnection, MultiplexedConnection, RedisReply

REPLICA_MILLISECONDS = 1000
"""How long replicas may take to hold a write."""
MARK_SECONDS = 60


class NotReplicatedError(RedisError):
    """Too few replicas hold a write in time."""


class AcknowledgedConnection:
    """A connection that returns a reply once enough replicas hold everything written before it."""

    def __init__(self, connection: MultiplexedConnection, replicas: int) -> None:
        self._connection = connection
        self._replicas = replicas
        self._wait: tuple[LiveConnection, asyncio.Task[None]] | None = None

    async def send(self, command: Command, mark: str) -> RedisReply:
        """Return the reply once enough replicas hold the write that it confirms.

        The mark, a key of the same slot, is written after the command, because replicas confirm writes alone, and a
        command whose work was already done writes nothing. Raises `NotReplicatedError`, and what redis-py raises.
        """
        live = await self._connection.live()
        reply, _ = await asyncio.gather(live.send(command), live.send(("SET", mark, b"", "EX", MARK_SECONDS)))
        await self._acknowledged(live)
        return reply

    async def close(self) -> None:
        """End the connection; every caller that still waits for a reply gets an error."""
        await self._connection.close()

    async def _acknowledged(self, live: LiveConnection) -> None:
        if self._wait is None or self._wait[0] is not live:
            self._wait = live, asyncio.create_task(self._ask_replicas(live), name="store replicas")
            # The caller may have been cancelled when it fails, so retrieve the exception here.
            self._wait[1].add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.shield(self._wait[1])

    async def _ask_replicas(self, live: LiveConnection) -> None:
        self._wait = None  # writes from now on come after this WAIT
        if await live.send(("WAIT", self._replicas, REPLICA_MILLISECONDS)) < self._replicas:
            raise NotReplicatedError


class ReplicatedConnection:
    """A server with replicas: one connection for plain commands, another for writes that replicas must hold."""

    def __init__(self, connection: Callable[[], MultiplexedConnection], replicas: int) -> None:
        self._commands = connection()
        self._acknowledged = AcknowledgedConnection(connection(), replicas)

    def send(self, command: Command, mark: str | None = None) -> Awaitable[RedisReply]:
        """Return the reply; with a mark, once enough replicas hold the write that it confirms."""
        return self._acknowledged.send(command, mark) if mark else self._commands.send(command)

    async def close(self) -> None:
        """Close all connections."""
        await self._commands.close()
        await self._acknowledged.close()


ServerConnection = MultiplexedConnection | ReplicatedConnection
"""A connection to a server, with or without replicas that must confirm writes."""
