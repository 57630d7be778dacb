"""Connections to one Redis server: multiplexed, made again after a loss, and waiting for replicas where asked to.

One connection carries the commands of all callers at once.

Redis replies in the order of the commands, so a queue of pending replies is all it takes; the commands of one turn of
the event loop go out in one write. A pool, in which each connection waits for its reply, is several times slower
(docs/benchmarks.md). redis-py connects, authenticates, encrypts and parses.

Redis replicates after it has replied. WAIT returns when replicas hold all that its own connection has written, and
keeps that connection busy meanwhile: so there is a second connection for the commands that replicas must hold. All
whose replies came together share one WAIT.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as LostError
from redis.exceptions import ReadOnlyError, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.common.processes import end
from services.engine.store.errors import REPLY_SECONDS

Part = str | bytes | int
Command = tuple[Part, ...]
RedisReply = Any
"""Whatever Redis replies: the caller knows its type."""

BROKE = "the connection broke"
CHECKS = 8
CHECK_SECONDS = REPLY_SECONDS / CHECKS
"""Seconds between two checks; a command without a reply after so many of them has timed out."""


class MultiplexedConnection:
    """A connection that is made when a command needs it, and made again after a loss."""

    def __init__(self, make: Callable[[], AbstractConnection]) -> None:
        self._make = make
        self._live: LiveConnection | None = None
        self._connecting: asyncio.Task[LiveConnection] | None = None

    def send(self, command: Command, mark: str | None = None) -> Awaitable[RedisReply]:  # noqa: ARG002
        """Return the reply. Raises what redis-py raises, and `TimeoutError` where none comes.

        A mark is ignored: there are no replicas to wait for.
        """
        live = self._live
        return self._send_anew(command) if live is None or live.broken else live.send(command)

    async def live(self) -> "LiveConnection":
        """Return the present connection, for commands that must use one and the same. Raises as `send` does."""
        live = self._live
        return await self._connected() if live is None or live.broken else live

    async def close(self) -> None:
        """End the connection."""
        if self._connecting:
            await end(self._connecting)
        if self._live:
            await self._live.close()

    async def _send_anew(self, command: Command) -> RedisReply:
        return await (await self._connected()).send(command)

    async def _connected(self) -> "LiveConnection":
        """Return the connection that is being made: all callers wait for the same one."""
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect(), name="store connecting")
            # The caller may have been cancelled when it fails: nobody else would retrieve the exception.
            self._connecting.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self._connecting)

    async def _connect(self) -> "LiveConnection":
        connection = self._make()
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        self._live = LiveConnection(connection)
        return self._live


class LiveConnection:
    """One connection from its opening to its loss, and the replies that are awaited on it."""

    def __init__(self, connection: AbstractConnection) -> None:
        self.broken = False
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._commands: list[Command] = []
        self._pending = asyncio.Event()
        self._replies: deque[asyncio.Future[RedisReply]] = deque()
        self._replied = 0
        self._task = asyncio.create_task(self._run(), name="store connection")

    def send(self, command: Command) -> asyncio.Future[RedisReply]:
        """Queue a command and return the future of its reply."""
        if self.broken:
            raise LostError(BROKE)
        if not self._commands:
            self._pending.set()
        reply: asyncio.Future[RedisReply] = self._loop.create_future()
        self._commands.append(command)
        self._replies.append(reply)
        return reply

    async def close(self) -> None:
        """End the connection; every caller that still waits for a reply gets an error."""
        await end(self._task)
        with suppress(RedisTimeoutError):  # with TLS, the server takes part in the end
            await self._connection.disconnect()

    async def _run(self) -> None:
        """Write, read and check both until one of them fails."""
        workers = [
            asyncio.create_task(work(), name="store connection") for work in (self._write, self._read, self._check)
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
            # The library's stub means a tuple of any length.
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
            # The primary has become a replica: a new connection to the address may lead to another server.
            raise error

    async def _check(self) -> None:
        """Raise `TimeoutError` once a command has waited for its reply for that many checks."""
        asked = deque([0] * CHECKS, CHECKS)
        while asked[0] <= self._replied:
            asked.append(self._replied + len(self._replies))
            await asyncio.sleep(CHECK_SECONDS)
        raise TimeoutError


REPLICA_MILLISECONDS = 1000
"""How long replicas may take to hold a write."""
MARK_SECONDS = 60


class NotReplicatedError(RedisError):
    """Too few replicas hold a write in time."""


class AcknowledgedConnection:
    """A connection whose replies come once enough replicas hold all that was written before them."""

    def __init__(self, connection: MultiplexedConnection, replicas: int) -> None:
        self._connection = connection
        self._replicas = replicas
        self._wait: tuple[LiveConnection, asyncio.Task[None]] | None = None

    async def send(self, command: Command, mark: str) -> RedisReply:
        """Return the reply once enough replicas hold what it confirms.

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
            # The caller may have been cancelled when it fails: nobody else would retrieve the exception.
            self._wait[1].add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.shield(self._wait[1])

    async def _ask_replicas(self, live: LiveConnection) -> None:
        self._wait = None  # writes from now on come after this WAIT
        if await live.send(("WAIT", self._replicas, REPLICA_MILLISECONDS)) < self._replicas:
            raise NotReplicatedError


class ReplicatedConnection:
    """A server with replicas: one connection for plain commands, another for those whose effects replicas must hold."""

    def __init__(self, connection: Callable[[], MultiplexedConnection], replicas: int) -> None:
        self._commands = connection()
        self._acknowledged = AcknowledgedConnection(connection(), replicas)

    def send(self, command: Command, mark: str | None = None) -> Awaitable[RedisReply]:
        """Return the reply; with a mark, once enough replicas hold what it confirms."""
        return self._acknowledged.send(command, mark) if mark else self._commands.send(command)

    async def close(self) -> None:
        """Close all connections."""
        await self._commands.close()
        await self._acknowledged.close()


ServerConnection = MultiplexedConnection | ReplicatedConnection
"""A connection to a server, without or with replicas that must hold what is confirmed."""
