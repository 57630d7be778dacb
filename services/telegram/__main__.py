"""Starts the bot: ``python -m services.telegram``."""

import asyncio
import os
import signal
import sys

from telegram.error import InvalidToken

from services.telegram.app import run
from services.telegram.settings import Settings, SettingsError, load
from shared import logs


def main() -> int:
    """Run the bot until it is told to stop; return the exit code."""
    try:
        settings = load(os.environ)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    logs.configure(settings.log_level, settings.log_format)
    try:
        asyncio.run(_until_signalled(settings))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    except InvalidToken:
        print("TELEGRAM_TOKEN is unknown to Telegram: get a valid one from BotFather.", file=sys.stderr)
        return 2
    return 0


async def _until_signalled(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    await run(settings, stop)


if __name__ == "__main__":
    sys.exit(main())
