"""The engine as a process, or several: serves the API until SIGTERM or SIGINT.

With `ENGINE_WORKERS`, a supervisor runs several engines behind one address, and replaces an engine that dies. The
supervisor keeps all listening sockets open. So while an engine is replaced, new connections wait in its socket's queue,
and no connection is lost.
"""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

import structlog

from services.common import logs, processes
from services.engine import app
from services.engine.settings import EngineSettings, SettingsError, load

# --- a process

BAD_SETTINGS = 2
ADDRESS_TAKEN = 1


async def run(
    settings: EngineSettings,
    environment: Mapping[str, str],
    stop: asyncio.Event,
    listening: Callable[[], None] = lambda: None,
) -> None:
    """Serve until `stop` is set, in one process or several. Raises `CannotListenError` and `SettingsError`."""
    if settings.engine_workers > 1:
        await supervise(settings, environment, stop, listening)
    else:
        await app.run(settings, stop, listening)


async def _serve(settings: EngineSettings, sockets: str | None) -> None:
    """Serve until SIGTERM or SIGINT or, with sockets from a supervisor, until the supervisor dies."""
    stop = asyncio.Event()
    processes.set_on_signals(stop)
    if sockets is None:
        await run(settings, os.environ, stop)
        return
    stop_with_parent(stop)
    await app.run(settings, stop, sockets=inherited(sockets))


def main(arguments: list[str]) -> int:
    """Run the engine (with `--sockets` for the sockets that a supervisor passes), and return the exit code."""
    try:
        settings = load(os.environ)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    logs.configure(settings.log_level, settings.log_format)
    try:
        processes.run(_serve(settings, arguments[1] if arguments[:1] == ["--sockets"] else None))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    except processes.CannotListenError as error:
        print(error, file=sys.stderr)
        return ADDRESS_TAKEN
    return 0


# --- several engines behind one address

PAUSE_SECONDS = 1.0
"""Seconds to wait before an engine that died is restarted, so that an engine that always dies at start does not use up
the processor.
"""
BACKLOG = 1024
"""Maximum number of connections waiting in a socket's queue."""

log = structlog.stdlib.get_logger("engine.supervisor")


async def supervise(
    settings: EngineSettings, environment: Mapping[str, str], stop: asyncio.Event, listening: Callable[[], None]
) -> None:
    """Run `ENGINE_WORKERS` engines until `stop` is set. Calls `listening` once connections are accepted.

    Raises `SettingsError` without a Redis URL, since the engines must share one store. Raises `CannotListenError` if
    the port is taken, for example.
    """
    if not settings.redis_url:
        raise SettingsError("REDIS_URL is missing: the engines of ENGINE_WORKERS need one Redis for all of them.")
    count = settings.engine_workers
    cores = max(1, ((os.cpu_count() or 1) - 1) // count)
    own_settings = {"ENGINE_THINK_WORKERS": str(settings.engine_think_workers or cores)}
    with ExitStack() as opened:
        host, port = settings.engine_host, settings.engine_port
        with processes.listening_at(host, port, "ENGINE_HOST", "ENGINE_PORT"):
            shared = listen_on(opened, host, port, count)
        own = _metrics_sockets(opened, settings, count)
        log.info("supervising", engines=count)
        listening()
        async with asyncio.TaskGroup() as running:
            for number in range(count):
                sockets = [shared[number], *own[number : number + 1]]
                running.create_task(_keep_running(sockets, {**environment, **own_settings}, stop))


def listen_on(opened: ExitStack, host: str, port: int, count: int) -> list[socket.socket]:
    """Return a socket for each engine, all at one address; `opened` closes them.

    Raises `OSError` if the address is in use. Linux spreads new connections evenly over sockets with SO_REUSEPORT.
    Other systems do not, so there all engines share one socket.
    """
    first = processes.listening_socket(host, port, backlog=BACKLOG)
    if sys.platform != "linux" or count == 1:
        opened.enter_context(first)
        return [first, *(opened.enter_context(first.dup()) for _ in range(count - 1))]
    bound = first.getsockname()[1]
    first.close()  # this socket only checked that the address is free: with SO_REUSEPORT, bind never fails
    return [
        opened.enter_context(processes.listening_socket(host, bound, backlog=BACKLOG, reuse_port=True))
        for _ in range(count)
    ]


def _metrics_sockets(opened: ExitStack, settings: EngineSettings, count: int) -> list[socket.socket]:
    """Return a metrics socket for each engine, on ports from ENGINE_METRICS_PORT; empty if that is 0."""
    sockets: list[socket.socket] = []
    host, first = settings.engine_host, settings.engine_metrics_port
    for port in range(first, first + count) if first else ():
        with processes.listening_at(host, port, "ENGINE_HOST", "ENGINE_METRICS_PORT"):
            sockets.append(opened.enter_context(processes.listening_socket(host, port, backlog=BACKLOG)))
    return sockets


async def _keep_running(sockets: Sequence[socket.socket], environment: Mapping[str, str], stop: asyncio.Event) -> None:
    """Run an engine, and restart it when it ends, until `stop` is set."""
    stopping = asyncio.create_task(stop.wait())
    try:
        while not stop.is_set():
            code = await _run(sockets, environment, stopping)
            if not stop.is_set():
                log.warning("engine_lost", code=code)
                await asyncio.wait([stopping], timeout=PAUSE_SECONDS)
    finally:
        stopping.cancel()


async def _run(
    sockets: Sequence[socket.socket], environment: Mapping[str, str], stopping: "asyncio.Task[bool]"
) -> int | None:
    """Run an engine until it ends, and return its exit code."""
    numbers = [listener.fileno() for listener in sockets]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "services.engine", "--sockets", ",".join(map(str, numbers))),
        env=environment,
        stdin=PIPE,  # the pipe ends when this process dies, which tells the engine to stop
        stdout=DEVNULL,
        pass_fds=numbers,
    )
    ended = asyncio.create_task(process.wait())
    try:
        await asyncio.wait([ended, stopping], return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            process.terminate()
        return await ended
    except asyncio.CancelledError:
        process.kill()
        await ended
        raise


def inherited(numbers: str) -> list[socket.socket]:
    """Return the sockets that the supervisor opened, given their file descriptors, separated by commas."""
    return [socket.socket(fileno=int(number)) for number in numbers.split(",")]


def stop_with_parent(stop: asyncio.Event) -> None:
    """Set an event when the parent process has ended."""
    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        if not os.read(number, 64):
            loop.remove_reader(number)
            stop.set()

    loop.add_reader(number, read)
