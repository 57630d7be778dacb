"""Reads a terminal key by key: arrow keys select from a list, other keys edit a line."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.keys import Keys

from .input import EndOfInput, InputQueue, Resized, TypedLine
from .output import ChoiceGrid, Output

SUBMIT = (Keys.ControlM, Keys.ControlJ)
STEPS = {Keys.Up: (0, -1), Keys.Down: (0, 1), Keys.Left: (-1, 0), Keys.Right: (1, 0)}
"""Number of columns and rows that an arrow key moves the selection."""
SETTLED = 0.1
"""Seconds after the last change of the window's size before the screen is redrawn."""


class LineEditor:
    """A line that is edited at its end, or a selection from a list: beginning one ends the other."""

    def __init__(self) -> None:
        self.text = ""
        self.chosen: int | None = None
        """Index of the selected list item, from 0."""

    @property
    def empty(self) -> bool:
        """Whether nothing is typed or selected."""
        return not self.text and self.chosen is None

    def press(self, key: Keys | str, grid: ChoiceGrid) -> str | None:
        """Handle a key. If the key submits the line, return the typed text or the number of the selected item."""
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
        """Clear the selection, since the list has changed."""
        self.chosen = None

    def _move(self, chosen: int | None) -> None:
        if chosen is not None:
            self.text, self.chosen = "", chosen


@contextmanager
def reading_keys(queue: InputQueue, output: Output) -> Iterator[None]:
    """Put typed lines into the queue while the context lasts. Shows each line while it is typed."""
    keys = create_input()
    keyboard = Keyboard(keys, queue, output)
    output.edits_lines()
    with _interrupted_by_sigterm(), _noting_sizes(queue), keys.raw_mode(), keys.attach(keyboard.read):
        yield


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C. Its default action would leave the terminal without echo."""
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _noting_sizes(queue: InputQueue) -> Iterator[None]:
    """Put `Resized` into the queue when the window's size has changed."""
    if sys.platform == "win32":
        yield
        return
    loop, due = asyncio.get_running_loop(), list[asyncio.TimerHandle]()

    def resized() -> None:
        while due:
            due.pop().cancel()
        due.append(loop.call_later(SETTLED, queue.put, Resized()))

    loop.add_signal_handler(signal.SIGWINCH, resized)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGWINCH)


class Keyboard:
    """Reads keys from a terminal in raw mode, and turns them into lines."""

    def __init__(self, keys: Input, queue: InputQueue, output: Output) -> None:
        self._keys = keys
        self._queue = queue
        self._output = output
        self._editor = LineEditor()

    def read(self) -> None:
        """Handle the available keys."""
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
        if self._editor.chosen != self._output.chosen:  # the list has changed since the selection
            self._editor.forget_choice()
        line = self._editor.press(key, self._output.grid)
        if line is not None:
            self._output.enter_line()
            self._queue.put(TypedLine(line.strip()))
        else:
            self._output.show_typed(self._editor.text, self._editor.chosen)

    def _suspend(self) -> None:
        """Suspend the process until the shell continues it (Ctrl-Z), as a terminal does outside raw mode."""
        if sys.platform != "win32":
            with self._keys.cooked_mode():
                os.kill(0, signal.SIGTSTP)
            self._output.show_typed(self._editor.text, self._editor.chosen)
