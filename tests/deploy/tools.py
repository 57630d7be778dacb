"""Programs for the tests of deploy/ and scripts/: of this machine, of the virtual environment, or of `make tools`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.processes import ROOT

UNPACKED = ROOT / ".venv" / "tools" / "usr" / "bin"


def tool(name: str) -> str:
    """Return the path of a program."""
    folders = [str(Path(sys.executable).parent), os.environ["PATH"], str(UNPACKED)]
    found = shutil.which(name, path=os.pathsep.join(folders))
    assert found, f"{name} is missing: make tools"
    return found


def run(name: str, *arguments: str, **environment: str) -> str:
    """Run a program in the repository; it must succeed. Return what it writes."""
    command, given = [tool(name), *arguments], os.environ | environment
    ended = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
