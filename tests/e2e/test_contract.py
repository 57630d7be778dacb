"""The API keeps to its own document, whatever it is asked: schemathesis asks a live engine, as its settings say."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession
from hypothesis import settings

from services.engine.http.operations import operation_id
from services.engine.http.routes import ROUTES
from tests.e2e.processes import ROOT, Engine, running
from tests.redis_server import RedisServer

EXAMPLES = str(settings().max_examples // 12)

RARE = ("come_back", "proof")
"""Calls that only a table with a longer past grants."""


@pytest.mark.timeout(600)
async def test_every_answer_is_one_that_the_document_promises(redis_server: RedisServer, tmp_path: Path) -> None:
    engine = Engine(
        tmp_path / "engine.log", redis_server.url, ENGINE_TABLES_PER_MINUTE="0", ENGINE_SEATS_PER_MINUTE="0"
    )
    words = ["--seed", "1", "--max-examples", EXAMPLES, "--generation-database", "none", "--no-color"]
    async with running(engine):
        schemathesis = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("schemathesis")),
            *("run", f"{engine.url}/openapi.json", *words),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
        )
        told = (await schemathesis.communicate())[0].decode()
        async with ClientSession() as session, session.get(f"{engine.url}/metrics") as answer:
            metrics = await answer.text()
    assert schemathesis.returncode == 0, told
    assert re.search(r" (\d+) selected / \1 total", told), told
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅  {phase} (in" in told, told
    for route in ROUTES:
        counted = f'method="{route.method}",route="{route.path}",status="{route.status}"'
        assert counted in metrics or operation_id(route) in RARE, f"{route.method} {route.path} never went well"
