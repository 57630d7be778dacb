"""Programs that tests call, from scripts/programs.txt or the virtual environment."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNPACKED = ROOT / ".venv" / "tools" / "usr"
FOLDERS = [Path(sys.executable).parent, *os.get_exec_path(), "/usr/sbin", UNPACKED / "bin", UNPACKED / "sbin"]


def listed() -> Iterator[tuple[list[str], str]]:
    """Yield for each program its alternative names, and the Debian package of the first one."""
    for line in (ROOT / "scripts" / "programs.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            names, _, package, _ = line.split()
            yield names.split("|"), package.split("|")[0].removeprefix("*")


def path_of(*names: str) -> str | None:
    """Return the path of the first of these programs that is installed."""
    search = os.pathsep.join(map(str, FOLDERS))
    return next((path for name in names if (path := shutil.which(name, path=search))), None)


LISTED = {names[0]: (path_of(*names), package) for names, package in listed()}
"""Path (None if missing) and package of each program. Read on import, because tests ask within event loops."""


def program(name: str) -> str:
    """Return the path of a program or of an alternative. If it is missing, the test fails and names the package."""
    path, package = LISTED.get(name) or (path_of(name), "")
    if path is None:
        how = f"apt-get install {package}" if package else "make .venv/.dev"
        pytest.fail(f"{name} is missing: {how}", pytrace=False)
    return path
