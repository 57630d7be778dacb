"""`make run`: starts the engine with a local Redis and, if there is a Telegram token, the bot, all in one process.

The worker processes of the computer players import this module too. So the services are imported only inside the
function that starts them.
"""

from importlib import import_module

from services.common.processes import exit_with, require_unix

if __name__ == "__main__":
    require_unix()
    exit_with(lambda: int(import_module("services.local_services").main()))
