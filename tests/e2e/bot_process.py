"""`python -m tests.e2e.bot_process`: the bot as it is, but for the pauses that the real Telegram would ask of it."""

import asyncio
import os

from services.telegram import app
from services.telegram.outbox.pace import Limits
from services.telegram.settings import load
from shared import logs

if __name__ == "__main__":
    settings = load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    asyncio.run(app.run(settings, asyncio.Event(), limits=Limits.none()))
