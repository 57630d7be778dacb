"""What is typed, in one queue with the events of the table and the state of the connection.

On a terminal what is typed is read key by key, so that arrow keys choose; else line by line.
"""

import asyncio
import os
import signal
import sys
import threading
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.keys import Keys

from locanda.client import EngineClient
from locanda.errors import EngineError
from locanda.messages import EventItem

from .output import ChoiceGrid, Output

# --- the queue


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """Standard input has ended: no line follows."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The stream of events broke; the client keeps trying to resume it."""


@dataclass(frozen=True, slots=True)
class ConnectionMade:
    """The stream of events is open, for the first time or again."""


InputItem: TypeAlias = TypedLine | EndOfInput | ConnectionLost | ConnectionMade | EventItem | EngineError


class InputQueue:
    """Input items in the order in which they came."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[InputItem] = asyncio.Queue()

    def put(self, item: InputItem) -> None:
        """Append an item."""
        self._queue.put_nowait(item)

    async def next(self) -> InputItem:
        """Wait for the next item and return it."""
        return await self._queue.get()

    @property
    def empty(self) -> bool:
        """Is there no item to be handled now?"""
        return self._queue.empty()

    def read_lines(self) -> None:
        """Start to read standard input, in a thread: reading a terminal or a file would block the event loop."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=_read_lines, args=(loop, self), daemon=True).start()

    @asynccontextmanager
    async def following(self, engine: EngineClient, table: str, token: str | None) -> AsyncIterator[None]:
        """Put the events of a table into the queue for as long as the context lasts.

        A last item is the `EngineError` that ended the stream, where there is nothing to follow any more.
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
            async with aclosing(engine.events(table, token, connected=connected, lost=lost)) as stream:
                async for item in stream:
                    self.put(item)
        except EngineError as error:
            self.put(error)


def _read_lines(loop: asyncio.AbstractEventLoop, queue: InputQueue) -> None:
    """Read from the bare descriptor: a thread that held `sys.stdin` would keep the interpreter from ending."""
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
    except RuntimeError:  # the loop has ended: nobody reads the queue any more
        return


# --- keys

SUBMIT = (Keys.ControlM, Keys.ControlJ)
STEPS = {Keys.Up: (0, -1), Keys.Down: (0, 1), Keys.Left: (-1, 0), Keys.Right: (1, 0)}
"""Columns and lines."""


class LineEditor:
    """A line that grows at its end. What is typed replaces a choice, and a choice what was typed."""

    def __init__(self) -> None:
        self.text = ""
        self.chosen: int | None = None
        """Of the list, counted from 0."""

    @property
    def empty(self) -> bool:
        """Is nothing typed or chosen?"""
        return not self.text and self.chosen is None

    def press(self, key: Keys | str, grid: ChoiceGrid) -> str | None:
        """Handle a key; return the line where it submits one: what was typed, or the number of the choice."""
        if key in SUBMIT:
            line = self.text if self.chosen is None else str(self.chosen + 1)
            self.text, self.chosen = "", None
            return line
        if key in STEPS:
            self._move(grid.step(self.chosen, *STEPS[Keys(key)]))
        elif key in (Keys.ControlH, Keys.Delete):
            self.text, self.chosen = self.text[:-1], None
        elif key == Keys.ControlW:
            self.text, self.chosen = self.text.rstrip().rpartition(" ")[0], None
        elif key in (Keys.ControlU, Keys.Escape):
            self.text, self.chosen = "", None
        elif not isinstance(key, Keys) and key.isprintable():
            self.text, self.chosen = self.text + key, None
        return None

    def forget_choice(self) -> None:
        """Leave the list: another one has taken its place."""
        self.chosen = None

    def _move(self, chosen: int | None) -> None:
        if chosen is not None:
            self.text, self.chosen = "", chosen


def reading(queue: InputQueue, output: Output) -> AbstractContextManager[None]:
    """Put what is typed into the queue for as long as the context lasts; then the terminal is as it was before."""
    if output.interactive and sys.stdin.isatty():
        return _reading_keys(queue, output)
    queue.read_lines()
    return nullcontext()


@contextmanager
def _reading_keys(queue: InputQueue, output: Output) -> Iterator[None]:
    keys = create_input()
    keyboard = Keyboard(keys, queue, output)
    output.edits_lines()
    with _interrupted_by_sigterm(), keys.raw_mode(), keys.attach(keyboard.read):
        yield


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Let SIGTERM do as Ctrl-C does: its default would leave the terminal without an echo."""
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Keyboard:
    """The keys of a terminal in raw mode: makes lines of them, and shows each as it grows."""

    def __init__(self, keys: Input, queue: InputQueue, output: Output) -> None:
        self._keys = keys
        self._queue = queue
        self._output = output
        self._editor = LineEditor()

    def read(self) -> None:
        """Handle the keys that have come."""
        for pressed in self._keys.read_keys():
            self._press(pressed.key)
        if self._keys.closed:
            self._queue.put(EndOfInput())

    def _press(self, key: Keys | str) -> None:
        if key == Keys.ControlC:
            signal.raise_signal(signal.SIGINT)
        elif key == Keys.ControlZ:
            self._suspend()
        elif key == Keys.ControlD:
            if self._editor.empty:
                self._queue.put(EndOfInput())
        else:
            self._edit(key)

    def _edit(self, key: Keys | str) -> None:
        if self._editor.chosen != self._output.chosen:  # the list is another one
            self._editor.forget_choice()
        line = self._editor.press(key, self._output.grid)
        if line is not None:
            self._output.enter_line()
            self._queue.put(TypedLine(line.strip()))
        else:
            self._output.show_typed(self._editor.text, self._editor.chosen)

    def _suspend(self) -> None:
        """Stop until the shell continues this job, as the terminal would by itself outside raw mode."""
        if sys.platform != "win32":
            with self._keys.cooked_mode():
                os.kill(0, signal.SIGTSTP)
            self._output.show_typed(self._editor.text, self._editor.chosen)
