"""The API keeps to its own document, whatever it is asked: schemathesis asks a live engine."""

import asyncio
import sys
from pathlib import Path

from tests.e2e.processes import Engine, running
from tests.redis_server import RedisServer

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


async def test_every_answer_is_one_that_the_document_promises(redis_server: RedisServer, tmp_path: Path) -> None:
    engine = Engine(
        tmp_path / "engine.log", redis_server.url, ENGINE_TABLES_PER_MINUTE="0", ENGINE_SEATS_PER_MINUTE="0"
    )
    options = {
        "--checks": ",".join(CHECKS),
        "--phases": "examples,fuzzing",
        "--exclude-path": "/v1/tables/{table}/events",  # a stream has no end to wait for
        "--max-examples": "12",
        "--seed": "1",
    }
    words = [word for option in options.items() for word in option]
    async with running(engine):
        schemathesis = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            f"{engine.url}/openapi.json",
            *words,
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
        )
        told, _ = await schemathesis.communicate()
    assert schemathesis.returncode == 0, told.decode()
