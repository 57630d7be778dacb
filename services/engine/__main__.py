"""`python -m services.engine`: serve the API until SIGTERM or SIGINT.

The worker processes of the computer players import this module too. So the server is imported only inside the function
that starts it.
"""

import sys
from importlib import import_module

from services.common.processes import exit_with, require_unix

if __name__ == "__main__":
    require_unix()
    exit_with(lambda: int(import_module("services.engine.process").main(sys.argv[1:])))
