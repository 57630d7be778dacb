"""The Telegram bot."""

import os

# python-telegram-bot then gives a flood's length as a timedelta, as all its next versions will (its own setting).
os.environ.setdefault("PTB_TIMEDELTA", "true")
