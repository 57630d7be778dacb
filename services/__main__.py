"""`make run`: the engine and, if there is a Telegram token, the bot, in one process with a Redis of their own.

The processes in which computer players think import this module too, so the services are imported only where they are
run.
"""

import sys
from importlib import import_module

from services.common.processes import require_unix

if __name__ == "__main__":
    require_unix()
    sys.exit(import_module("services.local_services").main())
