"""The services as separate processes, to be killed and restarted."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Container, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import aiohttp

from services.engine.process import main
from tests import forked
from tests.e2e import bot_process
from tests.emulator import Emulator
from tests.forked import ForkedProcess
from tests.programs import LISTED, program
from tests.redis_server import free_port
from tests.waiting import until

ROOT = Path(__file__).parents[2]


class ServiceProcess:
    """One of our services, started as in the README."""

    def __init__(self, module: str, log: Path, **environment: str) -> None:
        self._module = module
        self._log = log
        self._environment = environment
        self._process: Process | ForkedProcess | None = None

    async def start(self) -> None:
        with await asyncio.to_thread(self._log.open, "ab") as log:
            self._process = await self._launch(log)

    async def _launch(self, log: BinaryIO) -> Process | ForkedProcess:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", self._module, cwd=ROOT, env=self._env(), stdout=log, stderr=log
        )

    def _env(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
        return kept | self._environment

    async def ended(self) -> int:
        """Start a process that ends by itself, and return its exit code."""
        await ServiceProcess.start(self)  # the `start` of an engine would wait until it is ready
        assert self._process is not None
        async with asyncio.timeout(60):
            return await self._process.wait()

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._process is not None
        return self._process.pid

    async def kill(self) -> None:
        """End the process as a power cut would."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask the process to stop, and return its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(how)
        async with asyncio.timeout(60):
            return await self._process.wait()

    async def log(self) -> str:
        """The process's output so far."""
        return await asyncio.to_thread(self._log.read_text)


class EngineProcess(ServiceProcess):
    """An engine on a port of its own."""

    def __init__(self, log: Path, redis_url: str, port: int | None = None, **environment: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        settings = {
            "REDIS_URL": redis_url,
            "ENGINE_PORT": str(self.port),
            "ENGINE_THINK_MS": "20",
            "ENGINE_CLIENT_CPU_MS": "0",
            "ENGINE_WRITES_PER_SECOND": "0",
            "ENGINE_LISTED_TABLES": "0",
            "LOG_FORMAT": "json",
        }
        super().__init__("services.engine", log, **(settings | environment))

    async def start(self) -> None:
        await super().start()
        await ready(self.url)


class ForkedEngine(EngineProcess):
    """An engine forked from a process that has imported it, which takes a fifth of the processor time to start."""

    async def _launch(self, log: BinaryIO) -> ForkedProcess:
        return await fork(main, self._env(), log)


class ForkedService(ServiceProcess):
    """A service, or another function that returns an exit code, forked like `ForkedEngine`."""

    def __init__(self, main: forked.Main, log: Path, **environment: str) -> None:
        super().__init__(main.__module__, log, **environment)
        self._main = main

    async def _launch(self, log: BinaryIO) -> ForkedProcess:
        return await fork(self._main, self._env(), log)


class ForkedBot(ForkedService):
    """The bot, without the rate limits that the real Telegram imposes."""

    def __init__(self, log: Path, telegram: Emulator, engine_url: str, redis_url: str, **environment: str) -> None:
        settings = {
            "TELEGRAM_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
            "ENGINE_URL": engine_url,
            "REDIS_URL": redis_url,
            "LOG_FORMAT": "json",
        }
        super().__init__(bot_process.main, log, **(settings | environment))


async def fork(main: forked.Main, environment: Mapping[str, str], log: BinaryIO) -> ForkedProcess:
    """Run a program in a process that is forked from one that has imported it."""
    with await asyncio.to_thread(open, os.devnull, "rb") as nothing:
        return await forked.start(main, (), environment, (nothing.fileno(), log.fileno(), log.fileno()))


async def ready(url: str) -> None:
    """Wait until the server of a URL reports that it can serve."""
    async with aiohttp.ClientSession() as session:

        async def answered() -> bool:
            with suppress(aiohttp.ClientError):
                async with session.get(f"{url}/readyz") as answer:
                    return answer.status == 200
            return False

        await until(answered)


@asynccontextmanager
async def running(*services: ServiceProcess) -> AsyncIterator[None]:
    """Run services within the context."""
    try:
        for service in services:
            await service.start()
        yield
    finally:
        for service in services:
            await service.kill()


async def output_of(engine_url: str, *command: str, exit_codes: Container[int] = (0,)) -> str:
    """Run a command of a document on the engine of this address, and return its output."""
    for name in LISTED:
        if any(re.search(rf"\b{name}\b", word) for word in command):
            program(name)  # if the program is missing, the test fails with the remedy
    here = [word.replace("http://127.0.0.1:8080", engine_url) for word in command]
    process = await asyncio.create_subprocess_exec(
        *here, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode in exit_codes
    return output.decode()
