"""The engine as a process of its own: it serves the API until SIGTERM or SIGINT."""

import asyncio
import os
import signal
import sys

import uvloop

from services.common import logs
from services.engine import app
from services.engine.settings import EngineSettings, SettingsError, load

BAD_SETTINGS = 2
ADDRESS_TAKEN = 1


async def serve(settings: EngineSettings) -> None:
    """Serve until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await app.run(settings, stop)


def main() -> int:
    """Return the process's exit code."""
    try:
        settings = load(os.environ)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    logs.configure(settings.log_level, settings.log_format)
    try:
        uvloop.run(serve(settings))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    except OSError as error:
        address = f"{settings.engine_host}:{settings.engine_port}"
        print(f"Cannot listen on {address}: {error.strerror or error}.", file=sys.stderr)
        return ADDRESS_TAKEN
    return 0
