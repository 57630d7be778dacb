"""Reads what is typed into the queue: key by key on a terminal, where arrow keys choose; else line by line."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.keys import Keys

from .input import EndOfInput, InputQueue, TypedLine
from .line_editor import LineEditor
from .output import Output


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
