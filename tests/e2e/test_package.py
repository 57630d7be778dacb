"""The wheel holds all that it needs, and is built without a network."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests.e2e.processes import ROOT


def run(*command: str, cwd: Path, **environment: str) -> str:
    """Run a command; it must succeed."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LC_ALL": "C.UTF-8"} | environment
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_brings_the_client_the_commands_and_the_rules(tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    rooms = (path for room in ("services", "shared") for path in (ROOT / room).rglob("*.*"))
    needed = {path.relative_to(ROOT).as_posix() for path in rooms if "__pycache__" not in path.parts}
    assert needed - names == set()
    assert not any(name.startswith(("tests/", "examples/")) for name in names)

    site = tmp_path / "site"
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    run(sys.executable, *install, cwd=tmp_path)
    here = {"PYTHONPATH": str(site)}
    asking = (
        "import shared.client, services.engine.catalogue as told; print(shared.__file__, told.details('ramino').name)"
    )
    assert run(sys.executable, "-c", asking, cwd=tmp_path, **here).startswith(str(site))
    assert run(str(site / "bin/locanda"), "--version", cwd=tmp_path, **here).startswith("locanda 0.")
