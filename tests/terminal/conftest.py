import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.terminal.__main__ import main
from tests.engine.http.engine_server import captured_logs, quicken_clocks, running_engine


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of an engine whose computer players move almost immediately."""
    quicken_clocks(monkeypatch, tick=0.04)
    async with running_engine() as running:
        yield running.url("/").rstrip("/")


class Command:
    """The command `locanda`, run in this process, because starting Python would take a hundred times as long."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capture = capture

    async def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        """Run the command. Return its exit code, standard output and standard error."""
        self._capture.readouterr()
        with self._patch.context() as patch, captured_logs():  # the captured log is the engine's
            for name, value in environment.items():
                patch.setenv(name, value)
            code = await asyncio.to_thread(main, arguments)
        return code, *self._capture.readouterr()

    async def error(self, *arguments: str, **environment: str) -> str:
        """Run a command that must fail, and return its error message, which is one line."""
        code, _, error = await self.run(*arguments, **environment)
        assert code == 1
        assert len(error.splitlines()) == 1, error
        return error.strip()


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command `locanda` for a user with an empty home directory and English texts."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return Command(monkeypatch, capsys)
