"""What a person types, and all else that there is to hear, in one queue."""

import asyncio
import os
import sys
import threading
from codecs import getincrementaldecoder
from dataclasses import dataclass
from typing import TypeAlias

from shared.errors import EngineError
from shared.messages import EventItem


@dataclass(frozen=True, slots=True)
class Line:
    """A line was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing more will be typed."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection to the engine was lost; it is being made again."""


@dataclass(frozen=True, slots=True)
class Found:
    """The connection is there."""


Heard: TypeAlias = Line | Closed | Lost | Found | EventItem | EngineError


class Ears:
    """Everything that happens to a person at a table, one thing after the other."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Heard] = asyncio.Queue()

    def hear(self, what: Heard) -> None:
        """Take in what happened."""
        self._queue.put_nowait(what)

    async def next(self) -> Heard:
        """Return what happened next."""
        return await self._queue.get()

    @property
    def idle(self) -> bool:
        """Is there nothing more to be told first?"""
        return self._queue.empty()

    def listen(self) -> None:
        """Begin to hear what is typed; a thread waits for it, since a file or a terminal may block the loop."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=_read, args=(loop, self), daemon=True).start()


def _read(loop: asyncio.AbstractEventLoop, ears: Ears) -> None:
    """Read from the bare descriptor: a thread that held `sys.stdin` would keep the interpreter from ending."""
    decoder = getincrementaldecoder("utf-8")("replace")
    rest = ""
    while octets := _octets():
        *lines, rest = (rest + decoder.decode(octets)).split("\n")
        for line in lines:
            _pass_on(loop, ears, Line(line.strip()))
    if rest.strip():
        _pass_on(loop, ears, Line(rest.strip()))
    _pass_on(loop, ears, Closed())


def _octets() -> bytes:
    try:
        return os.read(sys.stdin.fileno(), 4096)
    except (OSError, ValueError):
        return b""


def _pass_on(loop: asyncio.AbstractEventLoop, ears: Ears, what: Heard) -> None:
    try:
        loop.call_soon_threadsafe(ears.hear, what)
    except RuntimeError:  # the loop has ended: nobody listens any more
        return
