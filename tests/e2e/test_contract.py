"""Runs Schemathesis against a live engine to check its answers against the OpenAPI document; see schemathesis.toml."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession
from hypothesis import settings

from services.engine.http.api.handlers import ROUTES
from services.engine.http.document.operations import operation_id
from tests.e2e.processes import ROOT, ForkedEngine, running
from tests.engine.service.test_advice import situation
from tests.redis_server import RedisServer
from tests.sampling import WHOLE
from tests.waiting import until

EXAMPLES = str(max(1, settings().max_examples // 8))

RARE = {
    *("answer_rematch", "come_back", "hint", "proof", "review", "set_level"),
    *("subscribe", "unsubscribe", "test_subscription", "deliveries"),
}
"""Operations that succeed only at a table with a longer history, or that would send requests to invented servers. They
have their own tests.
"""

AT_TABLES_ALONE = r"""
[[operations]]
include-path-regex = '^/v1/(games|admin)/'
phases.coverage.enabled = false
"""
"""Limits the coverage phase (nine of ten cases) to calls at tables. `make test-all` runs the whole phase."""


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    """The configuration of schemathesis."""
    written = tmp_path / "schemathesis.toml"
    config = (ROOT / "schemathesis.toml").read_text("utf-8")
    written.write_text(config if WHOLE else config + AT_TABLES_ALONE, "utf-8")
    return written


@pytest.mark.costly
@pytest.mark.timeout(600)
async def test_every_answer_is_one_that_the_document_promises(
    redis_server: RedisServer, configuration: Path, tmp_path: Path
) -> None:
    engine = ForkedEngine(
        tmp_path / "engine.log", redis_server.url, ENGINE_TABLES_PER_MINUTE="0", ENGINE_SEATS_PER_MINUTE="0"
    )
    options = ["--seed", "1", "--max-examples", EXAMPLES, "--generation-database", "none", "--no-color"]
    async with running(engine):
        await until(lambda: _suggests(engine))  # the first search may time out while its worker process starts
        schemathesis = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("schemathesis")),
            *("--config-file", str(configuration), "run", f"{engine.url}/openapi.json", *options),
            cwd=ROOT,
            env=os.environ | {"HYPOTHESIS_PROFILE": settings.get_current_profile_name()},
            stdout=asyncio.subprocess.PIPE,
        )
        output = (await schemathesis.communicate())[0].decode()
        async with ClientSession() as session, session.get(f"{engine.url}/metrics") as answer:
            metrics = await answer.text()
    assert schemathesis.returncode == 0, output
    assert re.search(r" (\d+) selected / \1 total", output), output
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅  {phase} (in" in output, output
    never = {
        operation_id(route)
        for route in ROUTES
        if f'method="{route.method}",route="{route.path}",status="{route.status}"' not in metrics
    }
    assert never <= RARE, "these never went well"


async def _suggests(engine: ForkedEngine) -> bool:
    """Return whether the engine has suggested a move."""
    view, history = situation("gatto_rosso")
    suggest = f"{engine.url}/v1/games/gatto_rosso/suggest"
    async with ClientSession() as session, session.post(suggest, json={"view": view, "history": history}) as answer:
        return answer.status == 200
