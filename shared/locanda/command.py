"""Entry points of the console scripts `locanda` and `locanda-mcp`."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper

from locanda import __version__, admin

TERMINAL_PACKAGES = ("locanda.terminal", "services.terminal")
"""Import names of the terminal client's package: in an installed wheel, and in a source tree."""
DOCTOR = "services.doctor"
NO_DOCTOR = (
    "locanda doctor looks at an installation of the services, from their folder: make doctor there; "
    "with docker compose, docker compose exec telegram python -m services.doctor."
)
MISSING = "{} is missing: it comes with the extra `{}` of this package. docs/python.md says how to install that."
USAGE = "usage: locanda [-h] [--version] play | watch | verify | export | doctor | admin"


def main() -> int:
    """Run the command `locanda`: a subcommand or, by default, the terminal client. Return the exit code."""
    if sys.argv[1:2] == ["doctor"]:
        return examine_installation()
    if sys.argv[1:2] == ["admin"]:
        return admin.main(sys.argv[2:])
    if sys.argv[1:2] == ["export"]:
        return _main_with_extra("locanda.export", "terminal", sys.argv[2:])
    package = next(filter(_exists, TERMINAL_PACKAGES), TERMINAL_PACKAGES[0])
    try:
        terminal = import_module(f"{package}.__main__")
    except ModuleNotFoundError as error:
        return _main_without_terminal(MISSING.format(error.name, "terminal"))
    exit_code: int = terminal.main()
    return exit_code


def serve_agent() -> int:
    """Run the command `locanda-mcp`; return the exit code."""
    return _main_with_extra("locanda.mcp", "mcp")


def print_what_the_encoding_lacks() -> None:
    """Print escapes such as `\\u2665` for characters that standard output cannot encode, as in a file on Windows."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def examine_installation() -> int:
    """Run the services' doctor, which only a clone of the repository has; return the exit code."""
    if not _exists(DOCTOR):
        print(NO_DOCTOR, file=sys.stderr)
        return 1
    exit_code: int = import_module(f"{DOCTOR}.__main__").main()
    return exit_code


def _main_with_extra(module: str, extra: str, arguments: Sequence[str] | None = None) -> int:
    """Run the `main` of a module that needs an optional extra; if a package is missing, say which extra to install."""
    try:
        main_module = import_module(module)
    except ModuleNotFoundError as error:
        print(MISSING.format(error.name, extra), file=sys.stderr)
        return 1
    exit_code: int = main_module.main(arguments)
    return exit_code


def _main_without_terminal(missing: str) -> int:
    """Answer `--version` and `--help` if the terminal client is not installed; otherwise print what is missing."""
    match sys.argv[1:]:
        case ["--version", *_]:
            print(f"locanda {__version__}")
        case ["-h" | "--help", *_]:
            print(f"{USAGE}\n\n{missing}")
        case _:
            print(missing, file=sys.stderr)
            return 1
    return 0


def _exists(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the parent package does not exist
        return False
