"""`make run`: the engine and, if there is a Telegram token, the bot, in one process with a Redis of their own.

The processes in which computer players think import this module too, so the services are imported only where they are
run.
"""

from importlib import import_module

from services.common.processes import exit_with, require_unix

if __name__ == "__main__":
    require_unix()
    exit_with(lambda: int(import_module("services.local_services").main()))
