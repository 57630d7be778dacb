"""What `locanda` runs: the command line, or a word on how to install what it needs."""

import sys


def main() -> int:
    """Return the exit code of the process."""
    try:
        from services.terminal.__main__ import main as run  # noqa: PLC0415  (the libraries may be missing)
    except ModuleNotFoundError as error:
        print(f"{error.name} is missing: pip install 'locanda[terminal]' brings it.", file=sys.stderr)
        return 1
    return run()
