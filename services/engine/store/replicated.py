"""Replies that come once replicas hold what was written, so that a failover cannot undo what was confirmed.

Redis replicates after it has replied. WAIT tells when replicas have all that its own connection has written, and keeps
that connection busy meanwhile: so there is one for nothing else. All whose replies came together share one WAIT.
"""

import asyncio
from collections.abc import Awaitable, Callable

from redis.exceptions import RedisError

from services.engine.store.multiplexed import Command, Line, Multiplexed, Reply

PATIENCE = 1000
"""Milliseconds for the replicas."""
MARK_SECONDS = 60


class UnheldError(RedisError):
    """Too few replicas have it."""


class Held:
    """A connection that is slower, and sure."""

    def __init__(self, connection: Multiplexed, replicas: int) -> None:
        self._connection = connection
        self._replicas = replicas
        self._wait: tuple[Line, asyncio.Task[None]] | None = None

    async def send(self, command: Command, mark: str) -> Reply:
        """Return the reply once enough replicas hold all that it tells of.

        The mark, a key of the same slot, is written after it: a command that found its work done has written nothing.
        Raises `UnheldError` where they do not in time, and what redis-py raises.
        """
        line = await self._connection.line()
        reply, _ = await asyncio.gather(line.send(command), line.send(("SET", mark, b"", "EX", MARK_SECONDS)))
        await self._held(line)
        return reply

    async def close(self) -> None:
        """End the connection; whoever still waits is told."""
        await self._connection.close()

    async def _held(self, line: Line) -> None:
        if self._wait is None or self._wait[0] is not line:
            self._wait = line, asyncio.create_task(self._ask(line), name="store replicas")
            # Whoever asked may be gone when it fails.
            self._wait[1].add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.shield(self._wait[1])

    async def _ask(self, line: Line) -> None:
        self._wait = None  # who comes from now on has written after the question
        if await line.send(("WAIT", self._replicas, PATIENCE)) < self._replicas:
            raise UnheldError


class Replicated:
    """A server with replicas: a connection for commands, and another one for those whose effects these must hold."""

    def __init__(self, connection: Callable[[], Multiplexed], replicas: int) -> None:
        self._commands = connection()
        self._held = Held(connection(), replicas)

    def send(self, command: Command, mark: str | None = None) -> Awaitable[Reply]:
        """Return the reply; with a mark, once enough replicas hold all that it tells of."""
        return self._held.send(command, mark) if mark else self._commands.send(command)

    async def close(self) -> None:
        """Close all connections."""
        await self._commands.close()
        await self._held.close()


Server = Multiplexed | Replicated
"""The way to a server, without or with replicas that must hold what is confirmed."""
