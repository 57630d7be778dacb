"""`python -m tests.e2e.bot_process`: the bot without the pauses that the real Telegram would require."""

import asyncio
import os
import sys

from services.common import logs, processes
from services.telegram import app
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import BotSettings, load


async def run_until_signal(settings: BotSettings) -> None:
    """Run the bot until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    processes.set_on_signals(stop)
    await app.run(settings, stop, limits=RateLimits.none())


def main(_: list[str]) -> int:
    """Run the bot; return the exit code."""
    settings = load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    processes.run(run_until_signal(settings))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
