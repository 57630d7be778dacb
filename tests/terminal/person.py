"""A person at a terminal of his own: the real command on a pty, its screen and his keyboard."""

import asyncio
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
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0
COLUMNS = 80
CONTROL = re.compile(r"\x1b\[[0-9;]*m")
OFFER = re.compile(r"(?:^|\s)(\d+)\) ")
LOCANDA = (sys.executable, "-m", "services.terminal")


class Person:
    """What is on the screen since he typed last, and what he types next."""

    def __init__(self, process: Process, screen: int) -> None:
        self.process = process
        self.raw = ""
        self._screen = screen
        self._read_up_to = 0
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(screen, self._look)

    def _look(self) -> None:
        try:
            octets = os.read(self._screen, 65_536)
        except OSError:  # the other side is closed
            octets = b""
        if not octets:
            asyncio.get_running_loop().remove_reader(self._screen)
        self.raw += octets.decode(errors="replace").replace("\r\n", "\n")
        self._changed.set()

    @property
    def news(self) -> str:
        """What has come to the screen since he typed last, its colours left aside."""
        return CONTROL.sub("", self.raw[self._read_up_to :])

    async def sees(self, *patterns: str) -> str:
        """Wait for one of these to appear, and return what came."""
        wanted = re.compile("|".join(patterns), re.MULTILINE)
        try:
            async with asyncio.timeout(PATIENCE):
                while not wanted.search(self.news):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{patterns} did not appear, but: {self.news}") from None
        return self.news

    async def is_asked(self) -> str:
        """Wait for the prompt, and return what is before it."""
        return await self.sees("^› $")

    def types(self, line: str) -> None:
        """Type a line; what was on the screen before it is forgotten."""
        self._read_up_to = len(self.raw)
        os.write(self._screen, f"{line}\n".encode())

    async def plays(self, moves: int = 1_000_000) -> str:
        """Type any number that the screen offers, so often or until the match is over; return the last screen."""
        for _ in range(moves):
            screen = await self.is_asked()
            if "Enter plays a rematch" in screen:
                return screen
            self.types(random.choice(OFFER.findall(screen.split("Your turn")[-1])))
        return await self.is_asked()

    def interrupts(self) -> None:
        """Press Ctrl-C."""
        os.write(self._screen, b"\x03")

    async def kill(self) -> None:
        """Kill -9."""
        self.process.kill()
        await self.process.wait()

    async def leaves(self) -> int:
        """Wait for the command to end, and return its exit code."""
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    async def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._screen)
        if self.process.returncode is None:
            await self.kill()
        os.close(self._screen)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of somebody who reads English and lives here."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm"} | more


def locanda(home: Path, *arguments: str, **more: str) -> AbstractAsyncContextManager[Person]:
    """Run the command on a terminal."""
    return terminal(home, *LOCANDA, *arguments, **more)


@asynccontextmanager
async def terminal(home: Path, *command: str, **more: str) -> AsyncIterator[Person]:
    """Run any command on a terminal of 80 columns."""
    screen, keyboard = pty.openpty()
    os.set_blocking(screen, False)
    fcntl.ioctl(keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        env=environment(home, **more),
        stdin=keyboard,
        stdout=keyboard,
        stderr=keyboard,
        preexec_fn=_own_terminal,
    )
    os.close(keyboard)
    person = Person(process, screen)
    try:
        yield person
    finally:
        await person.close()


def _own_terminal() -> None:
    """Make the terminal the process's own, so that Ctrl-C reaches it."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


async def piped(home: Path, *arguments: str, typed: str = "", **more: str) -> tuple[int, str, str]:
    """Run the command without a terminal; return its exit code, what it said and what it complained of."""
    process = await asyncio.create_subprocess_exec(
        *LOCANDA,
        *arguments,
        cwd=ROOT,
        env=environment(home, **more),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        said, complained = await process.communicate(typed.encode())
    assert process.returncode is not None
    assert process.returncode >= 0, signal.Signals(-process.returncode)
    return process.returncode, said.decode(), complained.decode()
