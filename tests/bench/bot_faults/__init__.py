"""Matches in chats while Telegram fails and processes are killed: `python -m tests.bench.bot_faults`."""
