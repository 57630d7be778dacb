"""A real redis-server for tests, on a free loopback port with an append-only file. Tests may kill and restart it.

Its methods block, so tests call them before the event loop runs, or in a thread.
"""

import asyncio
import atexit
import resource
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.programs import program
from tests.watch import Watch

TIMEOUT = 30.0
DATABASES = 256
"""The number of databases of the shared server: more than are ever in use at the same time."""
_numbers = count()


class RedisServer:
    """A server process and its directory. The directory outlives the process."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        self.directory = directory
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: Watch | None = None

    def start(self) -> None:
        """Start the server, or restart it on the same port with the data of its file. Return once it serves."""
        process = self.launch()
        deadline = time.monotonic() + TIMEOUT
        while not self._serves():
            if time.monotonic() > deadline:
                pytest.fail(f"redis-server did not start; see {self.directory / 'redis.log'}")
            time.sleep(0.01)
            if process.poll() is not None:  # a connection of another program may have taken the port meanwhile
                time.sleep(0.1)
                process = self.launch()

    @property
    def alive(self) -> bool:
        """Whether the process exists, even if frozen."""
        return self._process is not None and self._process.poll() is None

    def launch(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start the process without waiting until it serves."""
        # Signals that Python ignores stay ignored. So a file that may not grow causes an error, and does not end the
        # process.
        command = [*self._command(), *arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, restore_signals=False)
        self._end_watch()
        self._watch = Watch(self._process.pid)
        return self._process

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """Kill the server with kill -9."""
        self._end_watch()
        self._signal(signal.SIGKILL)
        if self._process:
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Kill the server with kill -9, and start it again."""
        self.kill()
        self.start()

    def freeze(self) -> None:
        """Stop the process with SIGSTOP: it keeps its connections, but answers nothing."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a stopped process continue."""
        self._signal(signal.SIGCONT)

    def fill_disk(self) -> None:
        """Prevent the server's files from growing, until it is restarted."""
        if self._process:
            resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (1, 1))

    def ask(self, command: str) -> str:
        """Return the raw reply to a command."""
        return ask(self.port, command)

    def flush(self) -> None:
        """Delete all data and scripts."""
        assert self.ask("FLUSHALL").startswith("+OK")
        assert self.ask("SCRIPT FLUSH").startswith("+OK")

    def _serves(self) -> bool:
        with suppress(OSError):
            return not self.ask("PING").startswith("-LOADING")
        return False

    def _end_watch(self) -> None:
        if self._watch:
            self._watch.end()
            self._watch = None

    def _signal(self, number: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(number)

    def _command(self) -> list[str]:
        settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.directory),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "logfile": "redis.log",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        return [program("redis-server"), *words, *self._arguments]


@contextmanager
def running_redis(directory: Path, *arguments: str) -> Iterator[RedisServer]:
    """Run a server; `arguments` are those of redis-server's command line."""
    server = RedisServer(directory, *arguments)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@asynccontextmanager
async def empty_database() -> AsyncIterator[str]:
    """Yield the URL of an empty database for one test, for data that is not the test's subject.

    A real server takes less than half of the processor time of the embedded server, which is written in Python.
    """
    server = await asyncio.to_thread(_server_of_databases)
    number = next(_numbers) % DATABASES
    try:
        yield f"redis://127.0.0.1:{server.port}/{number}"
    finally:
        await asyncio.to_thread(server.ask, f"SELECT {number}\r\nFLUSHDB")


@cache
def _server_of_databases() -> RedisServer:
    """Start the server that holds the databases for this process's tests. It ends with the process."""
    stack = ExitStack()
    atexit.register(stack.close)
    directory = Path(stack.enter_context(TemporaryDirectory(prefix="locanda-redis-")))
    return stack.enter_context(running_redis(directory, "--appendonly", "no", "--databases", str(DATABASES)))


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """The server of all tests that do not kill or configure it."""
    with running_redis(tmp_path_factory.mktemp("redis"), "--appendonly", "no") as server:
        yield server


@pytest.fixture
def redis_server(shared_redis: RedisServer) -> RedisServer:
    """An empty server that tests share. Do not kill it."""
    shared_redis.flush()
    return shared_redis


@pytest.fixture
def mortal_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A server for one test, which the test may kill, freeze and configure."""
    with running_redis(tmp_path) as server:
        yield server


def ask(port: int, command: str) -> str:
    """Send a command to the server on a port, and return the raw reply."""
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
        connection.sendall(f"{command}\r\n".encode())
        return connection.recv(65_536).decode()


def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds that depends on several servers."""
    deadline = time.monotonic() + 3 * TIMEOUT
    while not holds():
        if time.monotonic() > deadline:
            pytest.fail("the servers do not come together")
        time.sleep(0.02)


def free_port() -> int:
    """Return a port on which no process listens. The kernel reserves it for a minute."""
    return _reserved(0)


def free_ports(count: int) -> range:
    """Return a range of consecutive free ports, each reserved in the same way."""
    while True:
        first = free_port()
        with suppress(OSError, OverflowError):
            for port in range(first + 1, first + count):
                _reserved(port)
            return range(first, first + count)


def _reserved(port: int) -> int:
    """Reserve a port, and return its number. A port of 0 stands for any free one.

    A closed connection holds it in TIME_WAIT for a minute: a server may still bind it by its number (SO_REUSEADDR), but
    the kernel gives it to no server that asks for any port, and to no client that connects.
    """
    with socket.create_server(("127.0.0.1", port)) as server, socket.create_connection(server.getsockname()) as client:
        server.accept()[0].close()
        reserved: int = client.getpeername()[1]
        return reserved
