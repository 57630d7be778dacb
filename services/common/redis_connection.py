"""A single connection to a Redis server that is shared by all callers (pipelining).

Redis replies in the order of the commands, so a queue of pending replies suffices. The commands of one iteration of the
event loop are sent in one write. A pool, in which each connection waits for its reply, is several times slower
(docs/benchmarks.md). redis-py connects, authenticates, encrypts and parses.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as LostError
from redis.exceptions import ReadOnlyError, ResponseError
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
    """A connection that is opened for the first command, and reopened after a loss."""

    def __init__(self, make: Callable[[], AbstractConnection], reply_seconds: float) -> None:
        """`make` returns an unopened connection. A connection without a reply for `reply_seconds` counts as dead."""
        self._make = make
        self._reply_seconds = reply_seconds
        self._live: LiveConnection | None = None
        self._connecting: asyncio.Task[LiveConnection] | None = None

    def send(self, command: Command, mark: str | None = None) -> Awaitable[RedisReply]:  # noqa: ARG002
        """Return the reply; without replicas, `mark` is not needed. Raises `TimeoutError` and errors of redis-py."""
        live = self._live
        return self._send_anew(command) if live is None or live.broken else live.send(command)

    async def live(self) -> "LiveConnection":
        """Return the current connection, for commands that must use the same one. Raises the errors of `send`."""
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
        """Open a connection, and return it. Concurrent callers wait for the same one."""
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


class LiveConnection:
    """An open connection until its loss, with the replies awaited on it."""

    def __init__(self, connection: AbstractConnection, reply_seconds: float) -> None:
        self.broken = False
        self._reply_seconds = reply_seconds
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._commands: list[Command] = []
        self._pending = asyncio.Event()
        self._replies: deque[asyncio.Future[RedisReply]] = deque()
        self._replied = 0
        self._task = asyncio.create_task(self._run(), name="redis connection")

    def send(self, command: Command) -> asyncio.Future[RedisReply]:
        """Queue a command, and return the future of its reply."""
        if self.broken:
            raise LostError(BROKE)
        if not self._commands:
            self._pending.set()
        reply: asyncio.Future[RedisReply] = self._loop.create_future()
        self._commands.append(command)
        self._replies.append(reply)
        return reply

    async def close(self) -> None:
        """Close the connection. Callers that still wait for a reply get an error."""
        await end(self._task)
        with suppress(RedisTimeoutError):  # with TLS, closing waits for the server
            await self._connection.disconnect()

    async def _run(self) -> None:
        """Write, read and check for missing replies, until one of these fails."""
        workers = [
            asyncio.create_task(work(), name="redis connection") for work in (self._write, self._read, self._check)
        ]
        failure: BaseException | None = None
        try:
            ended, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_COMPLETED)
            failure = ended.pop().exception()
        finally:
            self.broken = True
            self._fail_all(TimeoutError if isinstance(failure, TimeoutError) else LostError)
            try:
                await end(*workers)
            finally:
                if failure is not None:
                    await self._connection.disconnect(nowait=True)

    def _fail_all(self, failure: type[Exception]) -> None:
        for reply in self._replies:
            if not reply.done():
                reply.set_exception(failure(BROKE))
        self._replies.clear()

    async def _write(self) -> None:
        while True:
            await self._pending.wait()
            self._pending.clear()
            commands, self._commands = self._commands, []
            # The library's type means a tuple of any length.
            packed = [pack_command(command) for command in commands]  # type: ignore[arg-type]
            await self._connection.send_packed_command(packed, check_health=False)

    async def _read(self) -> None:
        while True:
            try:
                answer = await self._connection.read_response()
            except ResponseError as error:
                self._refuse(error)
            else:
                reply = self._replies.popleft()
                if not reply.done():  # the caller may have been cancelled
                    reply.set_result(answer)
            self._replied += 1

    def _refuse(self, error: ResponseError) -> None:
        reply = self._replies.popleft()
        if reply.done():
            return
        reply.set_exception(error)
        if isinstance(error, ReadOnlyError):
            # The primary has become a replica. A new connection to the address may lead to another server.
            raise error

    async def _check(self) -> None:
        """Raise `TimeoutError` if a command has waited for its reply during `CHECKS` checks."""
        replied_at_checks = deque([0] * CHECKS, CHECKS)
        while replied_at_checks[0] <= self._replied:
            replied_at_checks.append(self._replied + len(self._replies))
            await asyncio.sleep(self._reply_seconds / CHECKS)
        raise TimeoutError
