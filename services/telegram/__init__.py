"""The Telegram bot."""

import os

# With this setting of python-telegram-bot, `RetryAfter.retry_after` is a timedelta, as in all its next versions.
os.environ.setdefault("PTB_TIMEDELTA", "true")
