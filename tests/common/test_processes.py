"""The event loop of the services, and systems on which they do not run."""

import asyncio
import runpy
import sys
from importlib import import_module

import pytest

from services.common import processes


@pytest.mark.parametrize("module", ["services", "services.engine", "services.telegram"])
def test_on_windows_a_service_says_in_one_sentence_how_to_start_it_there(
    monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    import_module("services.telegram.app")  # the import comes first, because libraries check the system on import
    monkeypatch.setattr(sys, "platform", "win32")
    # the module runs again, even if other tests have imported it
    monkeypatch.delitem(sys.modules, f"{module}.__main__", raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__")
    assert ended.value.code == processes.NOT_ON_WINDOWS


@pytest.mark.parametrize("installed", [True, False])
def test_a_service_runs_with_uvloop_and_without(monkeypatch: pytest.MonkeyPatch, *, installed: bool) -> None:
    async def loop() -> str:
        return type(asyncio.get_running_loop()).__module__

    if not installed:
        monkeypatch.setitem(sys.modules, "uvloop", None)
    assert processes.run(loop()).startswith("uvloop" if installed else "asyncio")
