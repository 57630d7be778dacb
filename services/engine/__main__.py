"""`python -m services.engine`: serve the API until SIGTERM or SIGINT.

The processes in which computer players think import this module as well: what serves is imported only where it is run.
"""

import sys
from importlib import import_module

from services.common.processes import require_unix

if __name__ == "__main__":
    require_unix()
    sys.exit(import_module("services.engine.process").main(sys.argv[1:]))
