"""A single connection to a Redis server that is shared by all callers (pipelining).

Redis replies in the order of the commands, so a queue of pending replies suffices. The commands of one iteration of the
event loop are sent in one write. A pool, in which each connection waits for its reply, is several times slower
(docs/benchmarks.md). redis-py connects, authenticates, encrypts and parses.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, cast

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as LostError
from redis.exceptions import ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.common.processes import end

Part = str | bytes | int | float
Command = tuple[Part, ...]
RedisReply = Any
"""The reply of any command. The caller knows its type."""

BROKE = "the connection broke"
CHECKS = 8
"""Number of checks for a missing reply within the time limit of a reply."""


class MultiplexedConnection:
    """A connection that is opened for the first command, and reopened after it was lost."""

    def __init__(self, make: Callable[[], AbstractConnection], reply_seconds: float) -> None:
        """`make` returns an unopened connection. A connection without a reply for `reply_seconds` counts as dead."""
        self._make = make
        self._reply_seconds = reply_seconds
        self._live: LiveConnection | None = None
        self._connecting: asyncio.Task[LiveConnection] | None = None

    def send(self, command: Command, mark: str | None = None) -> Awaitable[RedisReply]:  # noqa: ARG002
        """Return the reply. Raises errors of redis-py, and `TimeoutError` if there is no reply.

        `mark` is ignored, since there are no replicas to wait for.
        """
        live = self._live
        return self._send_anew(command) if live is None or live.broken else live.send(command)

    async def live(self) -> "LiveConnection":
        """Return the current connection, for commands that must use the same connection.

        Raises the errors of `send`.
        """
        live = self._live
        return await self._connected() if live is None or live.broken else live

    async def close(self) -> None:
        """Close the connection."""
        if self._connecting:
            await end(self._connecting)
        if self._live:
            await self._live.close()

    async def _send_anew(self, command: Command) -> RedisReply:
        return await (await self._connected()).send(command)

    async def _connected(self) -> "LiveConnection":
        """Open a connection, and return it. Concurrent callers wait for the same connection."""
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect(), name="redis connecting")
            # Retrieve the exception here, since the caller may have been cancelled.
            self._connecting.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self._connecting)

    async def _connect(self) -> "LiveConnection":
        connection = self._make()
        try:
            async with asyncio.timeout(self._reply_seconds):
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        self._live = LiveConnection(connection, self._reply_seconds)
        return self._live


class LiveConnection(asyncio.Protocol):
    """An open connection until its loss, with the replies that callers wait for.

    This class replaces redis-py's stream, which wakes a task and calls four coroutines for each reply.
    """

    def __init__(self, connection: AbstractConnection, reply_seconds: float) -> None:
        self.broken = False
        self._reply_seconds = reply_seconds
        self._loop = asyncio.get_running_loop()
        self._connection = cast("Any", connection)  # redis-py has no public access to its transport and its parser
        self._transport = self._connection._writer.transport  # noqa: SLF001
        self._parser = self._connection._parser._reader  # noqa: SLF001
        self._nothing = self._parser.gets()
        """The value that the parser returns while no reply is complete."""
        self._stream = self._transport.get_protocol()
        self._transport.set_protocol(self)
        self._commands: list[bytes] = []
        self._replies: deque[asyncio.Future[RedisReply]] = deque()
        self._replied = 0
        self._checking = asyncio.create_task(self._check(), name="redis connection")

    def send(self, command: Command) -> asyncio.Future[RedisReply]:
        """Queue a command, and return the future of its reply."""
        if self.broken:
            raise LostError(BROKE)
        if not self._commands:
            self._loop.call_soon(self._write)
        self._commands.append(pack_command(command))  # type: ignore[arg-type]  # the stub means a tuple of any length
        reply: asyncio.Future[RedisReply] = self._loop.create_future()
        self._replies.append(reply)
        return reply

    async def close(self) -> None:
        """Close the connection. Callers that still wait for a reply get an error."""
        await end(self._checking)
        with suppress(RedisTimeoutError):  # with TLS, closing waits for the server, which may not answer
            await self._connection.disconnect()

    def _write(self) -> None:
        """Write the commands of this iteration of the event loop."""
        commands, self._commands = self._commands, []
        self._transport.write(b"".join(commands))

    def data_received(self, data: bytes) -> None:
        """Give callers the replies that have arrived."""
        self._parser.feed(data)
        while (answer := self._parser.gets()) is not self._nothing and not self.broken:
            self._replied += 1
            if isinstance(answer, Exception):
                self._refuse(answer)
            elif not (reply := self._replies.popleft()).done():  # a cancelled caller no longer waits
                reply.set_result(answer)

    def _refuse(self, error: Exception) -> None:
        reply = self._replies.popleft()
        if not reply.done():
            reply.set_exception(error)
        if isinstance(error, LostError | ReadOnlyError):
            # Redis still loads its data, or the primary has become a replica. A new connection may lead to another
            # server.
            self._lose(LostError)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail all callers that wait for a reply."""
        self._stream.connection_lost(error)
        self._lose(LostError)

    def _lose(self, failure: type[Exception]) -> None:
        self.broken = True
        for reply in self._replies:
            if not reply.done():
                reply.set_exception(failure(BROKE))
        self._replies.clear()
        self._checking.cancel()
        self._connection._close()  # noqa: SLF001 - `disconnect` waits

    async def _check(self) -> None:
        """Lose the connection if a command has waited for its reply during `CHECKS` checks."""
        replied_at_checks = deque([0] * CHECKS, CHECKS)
        while replied_at_checks[0] <= self._replied:
            replied_at_checks.append(self._replied + len(self._replies))
            await asyncio.sleep(self._reply_seconds / CHECKS)
        self._lose(TimeoutError)
