"""Attacks on the bot by people and groups, through Telegram's emulator: `python -m tests.bench.bot_attacks`."""
