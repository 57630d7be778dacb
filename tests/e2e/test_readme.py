"""What the README tells a newcomer to type does what it says."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.processes import ROOT, Engine, running
from tests.redis_server import RedisServer
from tests.terminal.person import terminal

README = (ROOT / "README.md").read_text("utf-8")
CURLS_TIME_IS_UP = 28
TERMINAL, CURL, PYTHON = re.findall(r"```(?:sh|python)\n(.*?)```", README, re.DOTALL)


@pytest.fixture
async def engine(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Engine]:
    engine = Engine(tmp_path / "engine.log", redis_server.url)
    async with running(engine):
        yield engine


async def output_of(engine: Engine, *command: str) -> str:
    """Run a command of the README's on this engine; it must succeed."""
    here = [word.replace("http://127.0.0.1:8080", engine.url) for word in command]
    process = await asyncio.create_subprocess_exec(
        *here, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode in {0, CURLS_TIME_IS_UP}
    return told.decode()


async def test_the_command_plays_in_a_terminal(engine: Engine, tmp_path: Path) -> None:
    script = f'locanda() {{ "{sys.executable}" -m services.terminal "$@"; }}\n{TERMINAL}'
    async with terminal(tmp_path, "bash", "-c", script, LOCANDA_SERVER=engine.url) as anna:
        assert "Anna (you)" in await anna.is_asked()
        anna.types("q")
        assert await anna.leaves() == 0


async def test_the_five_minutes_with_curl_show_a_table_its_moves_and_its_events(engine: Engine) -> None:
    script = f"set -e\n{CURL}".replace("--max-time 5 $api", "--max-time 1 $api").replace("events\n", "events || true\n")
    told = await output_of(engine, "bash", "-c", script)
    seen, _, rest = told.partition("\n}\n")
    table = json.loads(seen + "}")
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Bruno", "Carla"]
    assert len(table["deal"]["hand"]) == 4
    assert '"moves"' in rest
    assert "event: change" in rest


async def test_the_python_snippet_plays_a_deal_to_its_end(engine: Engine) -> None:
    told = await output_of(engine, sys.executable, "-c", PYTHON)
    assert re.fullmatch(r"Captured: \(\d+, \d+, \d+\)\n", told)
