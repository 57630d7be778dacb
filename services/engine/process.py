"""The engine as a process of its own: it serves the API until SIGTERM or SIGINT."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping

from services.common import logs, processes
from services.engine import app
from services.engine.settings import EngineSettings, SettingsError, load
from services.engine.supervisor import inherited, stop_with_parent, supervise

BAD_SETTINGS = 2
ADDRESS_TAKEN = 1


async def run(
    settings: EngineSettings,
    environment: Mapping[str, str],
    stop: asyncio.Event,
    listening: Callable[[], None] = lambda: None,
) -> None:
    """Serve until `stop` is set, in this process or in several. Raises `OSError` or `SettingsError`."""
    if settings.engine_workers > 1:
        await supervise(settings, environment, stop, listening)
    else:
        await app.run(settings, stop, listening)


async def _serve(settings: EngineSettings, sockets: str | None) -> None:
    """Serve until SIGTERM or SIGINT; on the sockets of a supervisor, where there is one, no longer than it lives."""
    stop = asyncio.Event()
    processes.set_on_signals(stop)
    if sockets is None:
        await run(settings, os.environ, stop)
        return
    stop_with_parent(stop)
    await app.run(settings, stop, sockets=inherited(sockets))


def main(arguments: list[str]) -> int:
    """Return the process's exit code. A supervisor gives `--sockets` and the numbers of the files of its sockets."""
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
    except OSError as error:
        address = f"{settings.engine_host}:{settings.engine_port}"
        print(f"Cannot listen on {address}: {error.strerror or error}.", file=sys.stderr)
        return ADDRESS_TAKEN
    return 0
