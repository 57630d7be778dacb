"""Entry point of ``python -m services.telegram``: runs the bot with settings from the environment."""

import asyncio
import os
import sys

from services.common import logs, processes
from services.telegram.app import run
from services.telegram.settings import BotSettings, SettingsError, load


def main() -> int:
    """Run the bot until SIGINT or SIGTERM; return the exit code."""
    processes.require_unix()
    try:
        settings = load(os.environ)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    logs.configure(settings.log_level, settings.log_format)
    try:
        processes.run(_run_until_signal(settings))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        ports = f"{settings.telegram_webhook_port} or {settings.telegram_health_port}"
        print(f"Cannot listen on {settings.telegram_webhook_host}:{ports}: {error.strerror or error}.", file=sys.stderr)
        return 1
    return 0


async def _run_until_signal(settings: BotSettings) -> None:
    stop = asyncio.Event()
    processes.set_on_signals(stop)
    await run(settings, stop)


if __name__ == "__main__":
    sys.exit(main())
