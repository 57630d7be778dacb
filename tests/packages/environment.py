"""A new environment with Locanda and games installed from wheels built here, without a network.

A path makes Locanda's dependencies available from the tests' environment. Locanda itself is installed from its wheel.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.example_games import GAMES
from tests.forked import ROOT


def fresh_environment(folder: Path, *games: str) -> Path:
    """Build the wheels of Locanda and of these example games, install them, and return the path of the interpreter."""
    wheels, environment = folder / "wheels", folder / "environment"
    for project in (ROOT, *(GAMES / game for game in games)):
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels), cwd=project)
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment), cwd=folder)
    python = environment / "bin" / "python"
    install = ("install", "--quiet", "--no-index", "--no-deps", *map(str, wheels.iterdir()))
    _run(sys.executable, "-m", "pip", "--python", str(python), *install, cwd=folder)
    site = next(environment.glob("lib/python*/site-packages"))
    (site / "of_the_tests.pth").write_text(sysconfig.get_path("purelib"))
    return python


def _run(*command: str, cwd: Path) -> None:
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
