"""`python -m tests.e2e.bot_process`: the bot as it is, but for the pauses that the real Telegram would ask of it."""

import asyncio
import os

from services.common import logs
from services.telegram import app
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import load

if __name__ == "__main__":
    settings = load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    asyncio.run(app.run(settings, asyncio.Event(), limits=RateLimits.none()))
