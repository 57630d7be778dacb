"""The Telegram bot."""

import os

# This setting makes python-telegram-bot return `RetryAfter.retry_after` as a timedelta, as later versions will.
os.environ.setdefault("PTB_TIMEDELTA", "true")
