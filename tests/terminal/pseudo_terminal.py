"""Runs the real command on a pseudo-terminal, types into it and reads its screen; or runs it with pipes."""

import asyncio
import codecs
import fcntl
import os
import pty
import random
import re
import signal
import struct
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from services.terminal.__main__ import main
from tests import forked
from tests.forked import ROOT, ForkedProcess, own_terminal

TIMEOUT = 120.0
COLUMNS = 80
CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\][0-9];[^\x07]*\x07|\x07")
"""Control sequences of the terminal: colours, cursor movements, window titles, and the bell."""
LISTED_MOVE = re.compile(r"(?:^|\s)(\d+)\) ")
LOCANDA = (sys.executable, "-m", "services.terminal")
Program: TypeAlias = Process | ForkedProcess


class PseudoTerminal:
    """A process on a pseudo-terminal, from its user's side."""

    def __init__(self, process: Program, screen: int) -> None:
        self.process = process
        self.raw = ""
        self._screen = screen
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # the bytes of a letter may arrive in two parts
        self._recent_from = 0
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(screen, self._read)

    def _read(self) -> None:
        try:
            octets = os.read(self._screen, 65_536)
        except OSError:  # the other side of the terminal is closed
            octets = b""
        if not octets:
            asyncio.get_running_loop().remove_reader(self._screen)
        self.raw = (self.raw + self._decoder.decode(octets)).replace("\r\n", "\n")
        self._changed.set()

    @property
    def recent(self) -> str:
        """The output since the last line was typed, without colours."""
        return CONTROL.sub("", self.raw[self._recent_from :])

    async def wait_for(self, *patterns: str) -> str:
        """Wait until one of the patterns appears. Return the output since the last typed line."""
        wanted = re.compile("|".join(patterns), re.MULTILINE)
        try:
            async with asyncio.timeout(TIMEOUT):
                while not wanted.search(self.recent):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{patterns} did not appear, but: {self.recent}") from None
        return self.recent

    async def wait_for_prompt(self) -> str:
        """Wait for the prompt; return the output before it."""
        return await self.wait_for("^› $")

    def type_line(self, line: str) -> None:
        """Type a line. From then on, `recent` holds only the output since this line."""
        self.press(f"{line}\n")

    def press(self, keys: str) -> None:
        """Press keys. From then on, `recent` holds only the output since these keys."""
        self._recent_from = len(self.raw)
        os.write(self._screen, keys.encode())

    @property
    def echoes_lines(self) -> bool:
        """Whether the terminal echoes input and passes it on line by line, as a shell expects."""
        flags: int = termios.tcgetattr(self._screen)[3]
        return bool(flags & termios.ECHO and flags & termios.ICANON and flags & termios.ISIG)

    async def play(self, moves: int = 1_000_000) -> str:
        """Type the numbers of random listed moves until enough are played or the match is over.

        Return the last output.
        """
        for _ in range(moves):
            screen = await self.wait_for_prompt()
            if "Enter: play another match" in screen:
                return screen
            self.type_line(random.choice(LISTED_MOVE.findall(re.split("Your turn|Which one", screen)[-1])))
        return await self.wait_for_prompt()

    def resize(self, columns: int, lines: int = 40) -> None:
        """Set the size of the window."""
        _resize(self._screen, columns, lines)

    def press_ctrl_c(self) -> None:
        """Type Ctrl-C, which sends SIGINT."""
        os.write(self._screen, b"\x03")

    async def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self.process.kill()
        await self.process.wait()

    async def wait_for_exit(self) -> int:
        """Wait for the process to end; return its exit code."""
        async with asyncio.timeout(TIMEOUT):
            return await self.process.wait()

    async def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._screen)
        if self.process.returncode is None:
            await self.kill()
        os.close(self._screen)


def _resize(file: int, columns: int, lines: int = 40) -> None:
    fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return environment variables with this home directory and an English locale."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm"} | more


def run_locanda(home: Path, *arguments: str, **more: str) -> AbstractAsyncContextManager[PseudoTerminal]:
    """Run the command `locanda` on a pseudo-terminal of 80 columns."""

    async def start(keyboard: int) -> ForkedProcess:
        return await forked.start(main, arguments, environment(home, **more), (keyboard,) * 3, terminal=True)

    return _on_terminal(start)


def run_on_terminal(home: Path, *command: str, **more: str) -> AbstractAsyncContextManager[PseudoTerminal]:
    """Run any command on a pseudo-terminal of 80 columns."""

    async def start(keyboard: int) -> Process:
        return await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            env=environment(home, **more),
            stdin=keyboard,
            stdout=keyboard,
            stderr=keyboard,
            preexec_fn=own_terminal,
        )

    return _on_terminal(start)


@asynccontextmanager
async def _on_terminal(start: Callable[[int], Awaitable[Program]]) -> AsyncIterator[PseudoTerminal]:
    screen, keyboard = pty.openpty()
    os.set_blocking(screen, False)
    _resize(keyboard, COLUMNS)
    process = await start(keyboard)
    os.close(keyboard)
    terminal = PseudoTerminal(process, screen)
    try:
        yield terminal
    finally:
        await terminal.close()


async def run_piped(home: Path, *arguments: str, typed: str = "", **more: str) -> tuple[int, str, str]:
    """Run the command `locanda` with pipes; return its exit code, standard output and standard error."""
    process = await asyncio.create_subprocess_exec(
        *LOCANDA,
        *arguments,
        cwd=ROOT,
        env=environment(home, **more),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(TIMEOUT):
        output, errors = await process.communicate(typed.encode())
    assert process.returncode is not None
    assert process.returncode >= 0, signal.Signals(-process.returncode)
    return process.returncode, output.decode(), errors.decode()
