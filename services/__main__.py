"""`make run`: the engine and, where there is a Telegram token, the bot, in one process on a Redis of their own.

The processes in which computer players think import this module as well: what serves is imported only where it is run.
"""

import sys
from importlib import import_module

from services.common.processes import require_unix

if __name__ == "__main__":
    require_unix()
    sys.exit(import_module("services.local_services").main())
