"""Forks our programs from a process that has imported them, because starting Python takes half a second of a core.

`tests/e2e/test_settings.py`, `test_readme.py` and `test_package.py` start programs as people do.
"""

import asyncio
import fcntl
import multiprocessing
import os
import signal
import sys
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TypeAlias

from services.engine.service import workers

ROOT = Path(__file__).parents[1]

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["services.engine.process", "services.terminal.__main__", "tests.e2e.bot_process"])

Main: TypeAlias = Callable[[list[str]], int]
"""The entry point of a program: a function that takes the arguments and returns the exit code."""


class ForkedProcess:
    """A running program, with the part of `asyncio.subprocess.Process` that tests use."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        self._loop.add_reader(process.sentinel, self._end)

    def _end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        code = self._process.exitcode
        assert code is not None
        self._ended.set_result(code)

    @property
    def pid(self) -> int:
        """The process's id."""
        pid = self._process.pid
        assert pid is not None
        return pid

    @property
    def returncode(self) -> int | None:
        """The exit code, or the negative number of the signal that ended the process. None while it runs."""
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        """Wait for the end of the process, and return `returncode`."""
        return await asyncio.shield(self._ended)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


async def start(
    main: Main,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    streams: tuple[int, int, int],
    *,
    terminal: bool = False,
) -> ForkedProcess:
    """Start a program in the repository. It gets only this environment, and these files as its standard streams.

    With `terminal`, the files are a terminal that the program controls, so that Ctrl-C reaches it.
    """
    connections = tuple(
        Connection(os.dup(number)) for number in streams
    )  # unlike a file number, a connection can be passed to another process
    program = _Program(main, list(arguments), dict(environment), connections, terminal)
    process = SERVER.Process(target=program.run)
    await asyncio.to_thread(process.start)
    for stream in connections:
        stream.close()
    return ForkedProcess(process)


@dataclass
class _Program:
    """The data that turns a forked process into a program."""

    main: Main
    arguments: list[str]
    environment: dict[str, str]
    streams: tuple[Connection, ...]
    terminal: bool

    def run(self) -> None:
        for number, stream in enumerate(self.streams):
            os.dup2(stream.fileno(), number)
            stream.close()
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w", buffering=1), open(2, "w", buffering=1)  # noqa: SIM115
        if self.terminal:
            own_terminal()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(ROOT)
        workers.START_METHOD = SERVER.get_start_method()
        threading.Thread(target=workers._end_with_parent, daemon=True).start()
        sys.exit(self.main(self.arguments))


def own_terminal() -> None:
    """Make the terminal on standard input the controlling one of this process, so that Ctrl-C reaches it.

    Also make SIGINT effective: in a background job the tests ignore it, and processes inherit that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
