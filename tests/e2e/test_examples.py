"""The programs in examples/ run."""

import asyncio
import re
import sys

import pytest

from locanda.games.registry import GAME_NAMES
from tests.e2e.processes import ROOT
from tests.engine.http.engine_server import running_engine


@pytest.mark.parametrize("game", GAME_NAMES)
async def test_a_client_of_the_api_alone_plays_a_match_to_its_end(game: str) -> None:
    async with running_engine() as engine:
        script = (sys.executable, "-m", "examples.play_a_match", game, "--url", engine.url("/"))
        process = await asyncio.create_subprocess_exec(*script, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        output, _ = await asyncio.wait_for(process.communicate(), 90)
    assert process.returncode == 0
    lines = output.decode().splitlines()
    assert re.fullmatch(r"1\. .*(Anna|Bruno) \(\d+\)", lines[0])
    deals = [line for line in lines if line.startswith("Deal ")]
    assert deals
    assert all(line.endswith("dealt as committed") for line in deals)
