"""The programs of docs/api-guide.md run as they are printed, and each plays a match to its end."""

import asyncio
import re
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.processes import ROOT, EngineProcess, running
from tests.redis_server import RedisServer

GUIDE = (ROOT / "docs/api-guide.md").read_text("utf-8")
NODE = shutil.which("node")
CURL, PYTHON, JAVASCRIPT = re.findall(r"```(?:sh|python|js)\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture
async def engine(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[EngineProcess]:
    engine = EngineProcess(tmp_path / "engine.log", redis_server.url)
    async with running(engine):
        yield engine


async def output_of(engine: EngineProcess, *command: str) -> str:
    """Run a program of the guide on this engine; it must succeed."""
    here = [word.replace("http://127.0.0.1:8080", engine.url) for word in command]
    process = await asyncio.create_subprocess_exec(
        *here, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0
    return output.decode()


async def test_the_commands_show_a_table_and_its_events(engine: EngineProcess) -> None:
    output = await output_of(engine, "bash", "-c", f"set -e\n{CURL}")
    assert '"Pozzo"' in output
    assert '"words":{"language":"it"' in output
    assert "event: change" in output


async def test_the_python_program_plays_a_match(engine: EngineProcess) -> None:
    output = await output_of(engine, sys.executable, "-c", PYTHON)
    assert "Anna cala" in output
    assert re.search(r"🥇 (Anna|Bruno) · \d+ cart", output)


async def test_the_javascript_program_plays_a_match(engine: EngineProcess) -> None:
    assert NODE, "the examples in JavaScript need Node 18 or newer"
    output = await output_of(engine, NODE, "--input-type=module", "-e", JAVASCRIPT)
    assert "Anna cala" in output
    assert re.search(r"🥇 (Anna|Bruno) · \d+ cart", output)
