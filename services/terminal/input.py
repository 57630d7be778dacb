"""Input of the terminal client: typed lines, table events and connection changes, in one queue.

This module reads whole lines; on an interactive terminal, `keys.py` reads them key by key.
"""

import asyncio
import os
import sys
import threading
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import EventItem, SaidRemark

from .output import Output


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line."""

    text: str


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """Standard input has ended."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The event stream broke. The client tries to resume it."""


@dataclass(frozen=True, slots=True)
class ConnectionMade:
    """The event stream was opened or resumed."""


@dataclass(frozen=True, slots=True)
class Resized:
    """The size of the terminal window has changed."""


InputItem: TypeAlias = (
    TypedLine | EndOfInput | Resized | ConnectionLost | ConnectionMade | EventItem | SaidRemark | EngineError
)


class InputQueue:
    """Queue of input items, in order of arrival."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[InputItem] = asyncio.Queue()

    def put(self, item: InputItem) -> None:
        """Append an item."""
        self._queue.put_nowait(item)

    async def next(self) -> InputItem:
        """Wait for the next item, and return it."""
        return await self._queue.get()

    @property
    def empty(self) -> bool:
        """Whether the queue is empty."""
        return self._queue.empty()

    def read_lines(self) -> None:
        """Read standard input in a thread, since reading from a terminal or file would block the event loop."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=_read_lines, args=(loop, self), daemon=True).start()

    @asynccontextmanager
    async def following(self, engine: EngineClient, table: str, token: str | None) -> AsyncIterator[None]:
        """Put the events of a table into the queue while the context lasts.

        If the stream ends, for example because the table is gone, the last item is its `EngineError`.
        """
        task = asyncio.create_task(self._follow(engine, table, token))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _follow(self, engine: EngineClient, table: str, token: str | None) -> None:
        def connected() -> None:
            self.put(ConnectionMade())

        def lost(_: EngineError | None) -> None:
            self.put(ConnectionLost())

        try:
            events = engine.events(table, token, heard=self.put, connected=connected, lost=lost)
            async with aclosing(events) as stream:
                async for item in stream:
                    self.put(item)
        except EngineError as error:
            self.put(error)


def _read_lines(loop: asyncio.AbstractEventLoop, queue: InputQueue) -> None:
    """Read lines from the file descriptor. A thread that uses `sys.stdin` would keep the interpreter from exiting."""
    decoder = getincrementaldecoder("utf-8")("replace")
    rest = ""
    while octets := _octets():
        *lines, rest = (rest + decoder.decode(octets)).split("\n")
        for line in lines:
            _put(loop, queue, TypedLine(line.strip()))
    if rest.strip():
        _put(loop, queue, TypedLine(rest.strip()))
    _put(loop, queue, EndOfInput())


def _octets() -> bytes:
    try:
        return os.read(sys.stdin.fileno(), 4096)
    except (OSError, ValueError):
        return b""


def _put(loop: asyncio.AbstractEventLoop, queue: InputQueue, item: InputItem) -> None:
    try:
        loop.call_soon_threadsafe(queue.put, item)
    except RuntimeError:  # the event loop has ended
        return


def reading(queue: InputQueue, output: Output) -> AbstractContextManager[None]:
    """Put typed lines into the queue while the context lasts, and then restore the terminal's mode."""
    if output.interactive and sys.stdin.isatty():
        from .keys import reading_keys  # noqa: PLC0415  (a third of a command's start time)

        return reading_keys(queue, output)
    queue.read_lines()
    return nullcontext()
