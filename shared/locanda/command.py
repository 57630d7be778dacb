"""The entry point of the console script `locanda`: finds the terminal client and runs it."""

import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

TERMINAL_PACKAGES = ("locanda.terminal", "services.terminal")
"""The terminal client's package: its name in an installed wheel, then its name in a source tree."""
USAGE = "usage: locanda [-h] [--version] play | watch | verify"


def main() -> int:
    """Run the terminal client; return the exit code of the process."""
    package = next(filter(_exists, TERMINAL_PACKAGES), TERMINAL_PACKAGES[0])
    try:
        terminal = import_module(f"{package}.__main__")
    except ModuleNotFoundError as error:
        return _main_without_terminal(f"{error.name} is missing: pip install 'locanda[terminal]' brings it.")
    exit_code: int = terminal.main()
    return exit_code


def _main_without_terminal(missing: str) -> int:
    """Answer `--version` and `--help` without the terminal client; print what is missing for all else."""
    match sys.argv[1:]:
        case ["--version", *_]:
            print(f"locanda {installed_version()}")
        case ["-h" | "--help", *_]:
            print(f"{USAGE}\n\n{missing}")
        case _:
            print(missing, file=sys.stderr)
            return 1
    return 0


def installed_version() -> str:
    """Return the version of the installed package; `0` in a source tree that is not installed."""
    try:
        return version("locanda")
    except PackageNotFoundError:
        return "0"


def _exists(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of its parent
        return False
