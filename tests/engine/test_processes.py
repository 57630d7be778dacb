"""The event loop of the services, and systems on which they do not run."""

import asyncio
import subprocess
import sys

import pytest

from services.common import processes
from tests.e2e.processes import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("module", ["services", "services.engine", "services.telegram"])
def test_on_windows_a_service_says_in_one_sentence_how_to_start_it_there(module: str) -> None:
    libraries = "import runpy, sys, asyncio, services.telegram.app"
    start = f"{libraries}; sys.platform = 'win32'; runpy.run_module({module!r}, run_name='__main__')"
    command = [sys.executable, "-c", start]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.rstrip("\n") == processes.NOT_ON_WINDOWS


@pytest.mark.parametrize("installed", [True, False])
def test_a_service_runs_with_uvloop_and_without(monkeypatch: pytest.MonkeyPatch, *, installed: bool) -> None:
    async def loop() -> str:
        return type(asyncio.get_running_loop()).__module__

    if not installed:
        monkeypatch.setitem(sys.modules, "uvloop", None)
    assert processes.run(loop()).startswith("uvloop" if installed else "asyncio")
