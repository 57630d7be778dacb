"""Setup of service processes: event loop, tasks, signals, garbage collection, error messages for operators."""

import asyncio
import errno
import gc
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar

import structlog

log = structlog.get_logger(__name__)

T = TypeVar("T")

NOT_ON_WINDOWS = (
    "The services of Locanda run on Linux and macOS; on Windows start them with docker compose. "
    "The terminal, `pip install '.[terminal]'`, runs on Windows, too."
)

INTERRUPTED = 130
"""Exit code after Ctrl-C, as in shells."""
CANCEL_AGAIN_AFTER = 0.1
"""Seconds before a task is cancelled again. The reason: before Python 3.12, `asyncio.wait_for`, which commands to Redis
use, can lose a cancellation.
"""
YOUNG, SURVIVED = 2_000, 100
"""Thresholds of the garbage collector: allocations between collections of the youngest generation, and number of such
collections between collections of the next generation. A collection blocks the event loop. With 12,000 listeners of an
engine that kept eight versions of each table, a collection of the youngest generation took 5 ms (50 ms with a threshold
of 20,000), of the next generation 100 ms.
"""


def require_unix() -> None:
    """Exit with an explanation on Windows, which lacks signals and limits that the services need."""
    if sys.platform == "win32":
        sys.exit(NOT_ON_WINDOWS)


class CannotListenError(Exception):
    """A service cannot listen at its address. The message says why, and what to do."""


def listening_socket(host: str, port: int, *, backlog: int = 128, reuse_port: bool = False) -> socket.socket:
    """Return a listening socket. `::` means IPv6 and IPv4, or only IPv4 if the machine has no IPv6."""
    both = host == "::" and socket.has_dualstack_ipv6()
    address = ("0.0.0.0" if host == "::" and not both else host, port)  # noqa: S104 - set by the operator
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    return socket.create_server(address, family=family, backlog=backlog, reuse_port=reuse_port, dualstack_ipv6=both)


@contextmanager
def listening_at(host: str, port: int, host_setting: str, port_setting: str) -> Iterator[None]:
    """Raise `CannotListenError` for an `OSError` in the context. Its message names the settings of host and port."""
    try:
        yield
    except OSError as error:
        reason = _why_not(error, host_setting, port_setting)
        raise CannotListenError(f"Cannot listen on {host}:{port}: {reason}.") from None


def _why_not(error: OSError, host_setting: str, port_setting: str) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host_setting} must be an address of this machine"
    if error.errno == errno.EADDRINUSE:
        return f"another program has the port. Set {port_setting} to another one"
    if error.errno == errno.EACCES:
        return f"this user may not take the port. Set {port_setting} to another one, from 1024 on"
    return error.strerror or str(error)


def exit_with(main: Callable[[], int]) -> NoReturn:
    """Exit with the code that `main` returns. On Ctrl-C, exit without a traceback."""
    try:
        code = main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def run(main: Coroutine[object, object, T]) -> T:
    """Run a coroutine on uvloop or, if that is not installed, on asyncio's event loop."""
    try:
        from uvloop import run as run_on_uvloop  # noqa: PLC0415  (optional dependency)
    except ImportError:
        return asyncio.run(main)
    return run_on_uvloop(main)


def set_on_signals(stop: asyncio.Event) -> None:
    """Let SIGTERM and SIGINT set an event of the running loop."""
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)


def tune_garbage_collector() -> None:
    """Exclude existing objects from garbage collection, and collect less often, since requests leave few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, SURVIVED)


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks repeatedly (`CANCEL_AGAIN_AFTER`) until they have ended."""
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=CANCEL_AGAIN_AFTER)
    await asyncio.gather(*tasks, return_exceptions=True)


async def repeat(
    act: Callable[[], Awaitable[None]],
    seconds: float,
    failed: str,
    expected: tuple[type[Exception], ...],
    *,
    after: float = 0.0,
) -> None:
    """Repeat a job forever, with a pause of `seconds` in between, after an initial pause of `after` seconds.

    Errors are logged as the event `failed`: `expected` errors with their type only, other errors with a traceback.
    """
    await asyncio.sleep(after)
    while True:
        try:
            await act()
        except expected as error:
            log.warning(failed, reason=type(error).__name__)
        except Exception:
            log.exception(failed)
        await asyncio.sleep(seconds)


class BackgroundTasks:
    """Tasks that run in the background. When the context ends, the tasks still running are cancelled."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Start a task. If it fails, its error is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("background_task_failed", exc_info=task.exception())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await end(*self._tasks)
