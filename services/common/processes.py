"""Setup of every service process: event loop, tasks, signals, garbage collection, errors for the operator."""

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
"""The exit code after Ctrl-C, as of a shell."""
CANCEL_AGAIN_AFTER = 0.1
"""Seconds: before Python 3.12 `asyncio.wait_for`, through which commands to Redis pass, can lose a cancellation."""
YOUNG, SURVIVED = 2_000, 100
"""Thresholds of the garbage collector: net allocations between collections of the youngest generation, and how many of
those between collections of the next one. A collection blocks the event loop: with 12,000 listeners of an engine that
kept eight versions of each table, for 5 ms in the youngest generation (50 ms with a threshold of 20,000), and for
100 ms in the next.
"""


def require_unix() -> None:
    """End the process with an explanation on a system without the signals and limits that the services need."""
    if sys.platform == "win32":
        sys.exit(NOT_ON_WINDOWS)


class CannotListenError(Exception):
    """A service cannot listen at its address; the message says why, and what to do."""


def listening_socket(host: str, port: int, *, backlog: int = 128, reuse_port: bool = False) -> socket.socket:
    """Return a socket that listens; `::` stands for both families, and for IPv4 alone on a machine without IPv6."""
    both = host == "::" and socket.has_dualstack_ipv6()
    address = ("0.0.0.0" if host == "::" and not both else host, port)  # noqa: S104 - the operator has asked for it
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    return socket.create_server(address, family=family, backlog=backlog, reuse_port=reuse_port, dualstack_ipv6=both)


@contextmanager
def listening_at(host: str, port: int, host_setting: str, port_setting: str) -> Iterator[None]:
    """Raise `CannotListenError` instead of an `OSError`; the settings are the names of host and port."""
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
    """End the process with the exit code that a function returns; on Ctrl-C, before or in it, without a traceback."""
    try:
        code = main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def run(main: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end on uvloop; on asyncio's own event loop if uvloop is not installed."""
    try:
        from uvloop import run as run_on_uvloop  # noqa: PLC0415  (it need not be there)
    except ImportError:
        return asyncio.run(main)
    return run_on_uvloop(main)


def set_on_signals(stop: asyncio.Event) -> None:
    """Let SIGTERM and SIGINT set an event of the running loop."""
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)


def tune_garbage_collector() -> None:
    """Exclude existing objects from garbage collection, and collect less often: requests leave few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, SURVIVED)


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, and wait until they are done.

    A task is cancelled again until it ends (`CANCEL_AGAIN_AFTER`).
    """
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
    """Repeat a job with pauses, the first one of `after` seconds; log its errors under the name `failed`.

    An expected error is logged by its type alone, any other with its traceback.
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
    """Tasks that nothing waits for; those still running at the end of the context are cancelled."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Start a task; if it fails, log its error."""
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
