"""One connection to a server, on which everybody's commands travel at once.

Redis replies in the order in which it was asked, so that a queue of those who wait is all it takes; what is asked in
one turn of the event loop goes out in one write. A pool, in which each connection waits for its reply, is several times
slower (docs/benchmarks.md). How to connect, greet, encrypt and parse stays redis-py's business.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as LostError
from redis.exceptions import ReadOnlyError, ResponseError

from services.engine.store.errors import REPLY_SECONDS
from shared.tasks import end

Part = str | bytes | int
Command = tuple[Part, ...]
Reply = Any
"""Whatever Redis replies: who asked knows what that is."""

BROKE = "the connection broke"
LOOKS = 8
LOOK_EVERY = REPLY_SECONDS / LOOKS
"""Seconds between two looks at how much was asked, and whether what was asked so many looks ago is answered."""


class Multiplexed:
    """A connection that is made when it is needed, and made again after it broke."""

    def __init__(self, make: Callable[[], AbstractConnection]) -> None:
        self._make = make
        self._line: Line | None = None
        self._connecting: asyncio.Task[Line] | None = None

    def send(self, command: Command, mark: str | None = None) -> Awaitable[Reply]:  # noqa: ARG002
        """Return the reply; raises what redis-py raises, and `TimeoutError` where none comes.

        There are no replicas to wait for, so a mark means nothing.
        """
        line = self._line
        return self._send_anew(command) if line is None or line.broken else line.send(command)

    async def line(self) -> "Line":
        """Return the connection as it is now, for commands that must travel on one and the same; raises as `send`."""
        line = self._line
        return await self._connected() if line is None or line.broken else line

    async def close(self) -> None:
        """End the connection."""
        if self._connecting:
            await end(self._connecting)
        if self._line:
            await self._line.close()

    async def _send_anew(self, command: Command) -> Reply:
        return await (await self._connected()).send(command)

    async def _connected(self) -> "Line":
        """Return the connection that is being made: all who need it wait for the same one."""
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect(), name="store connecting")
            # Whoever asked may be gone when it fails.
            self._connecting.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self._connecting)

    async def _connect(self) -> "Line":
        connection = self._make()
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        self._line = Line(connection)
        return self._line


class Line:
    """A connection while it lasts, and who waits for a reply on it."""

    def __init__(self, connection: AbstractConnection) -> None:
        self.broken = False
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._asked: list[Command] = []
        self._asking = asyncio.Event()
        self._waiting: deque[asyncio.Future[Reply]] = deque()
        self._answered = 0
        self._task = asyncio.create_task(self._run(), name="store connection")

    def send(self, command: Command) -> asyncio.Future[Reply]:
        """Ask; the reply comes in the future."""
        if self.broken:
            raise LostError(BROKE)
        if not self._asked:
            self._asking.set()
        reply: asyncio.Future[Reply] = self._loop.create_future()
        self._asked.append(command)
        self._waiting.append(reply)
        return reply

    async def close(self) -> None:
        """End the connection; whoever still waits is told."""
        await end(self._task)

    async def _run(self) -> None:
        """Write, read and look after both until one of them fails."""
        workers = [
            asyncio.create_task(work(), name="store connection") for work in (self._write, self._read, self._look)
        ]
        failure: BaseException | None = None
        try:
            ended, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_COMPLETED)
            failure = ended.pop().exception()
        finally:
            self.broken = True
            self._give_up(TimeoutError if isinstance(failure, TimeoutError) else LostError)
            try:
                await end(*workers)
            finally:
                await self._connection.disconnect(nowait=True)

    def _give_up(self, failure: type[Exception]) -> None:
        for reply in self._waiting:
            if not reply.done():
                reply.set_exception(failure(BROKE))
        self._waiting.clear()

    async def _write(self) -> None:
        while True:
            await self._asking.wait()
            self._asking.clear()
            asked, self._asked = self._asked, []
            # The library's stub means a tuple of any length.
            packed = [pack_command(command) for command in asked]  # type: ignore[arg-type]
            await self._connection.send_packed_command(packed, check_health=False)

    async def _read(self) -> None:
        while True:
            try:
                answer = await self._connection.read_response()
            except ResponseError as error:
                self._refuse(error)
            else:
                reply = self._waiting.popleft()
                if not reply.done():  # whoever asked may wait no longer
                    reply.set_result(answer)
            self._answered += 1

    def _refuse(self, error: ResponseError) -> None:
        reply = self._waiting.popleft()
        if reply.done():
            return
        reply.set_exception(error)
        if isinstance(error, ReadOnlyError):
            # The primary has become a replica: the same address may lead to another one now.
            raise error

    async def _look(self) -> None:
        """Fail once a question is so many looks old."""
        asked = deque([0] * LOOKS, LOOKS)
        while asked[0] <= self._answered:
            asked.append(self._answered + len(self._waiting))
            await asyncio.sleep(LOOK_EVERY)
        raise TimeoutError
