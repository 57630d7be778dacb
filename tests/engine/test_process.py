"""The engine as a process: starting and stopping."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession

from locanda.client import EngineClient, transport
from locanda.messages import OpenTable
from tests.e2e.processes import ForkedEngine

pytestmark = pytest.mark.slow


@asynccontextmanager
async def process(**environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `python -m services.engine`."""
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.engine",
        env={"PATH": os.environ["PATH"], "LOG_FORMAT": "json"} | environment,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()


async def until(running: asyncio.subprocess.Process, event: str) -> list[str]:
    """Read the log up to the line of an event."""
    assert running.stderr
    lines: list[str] = []
    async with asyncio.timeout(60):
        while not any(f'"event":"{event}"' in line for line in lines):
            line = (await running.stderr.readline()).decode()
            assert line, "".join(lines)
            lines.append(line)
    return lines


async def finish(running: asyncio.subprocess.Process) -> tuple[int, str]:
    """Return the exit code and the rest of the output."""
    async with asyncio.timeout(60):
        _, said = await running.communicate()
    assert running.returncode is not None
    return running.returncode, said.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_streams_orderly_and_the_process_soon(number: signal.Signals, unused_tcp_port: int) -> None:
    base = f"http://127.0.0.1:{unused_tcp_port}"
    async with process(ENGINE_PORT=str(unused_tcp_port)) as running, ClientSession() as session:
        lines = await until(running, "listening")
        assert len([line for line in lines if "games end with this process" in line]) == 1
        seated = await EngineClient(base, session).open_table(OpenTable("gatto_rosso", "Anna"))
        async with session.get(f"{base}/v1/tables/{seated.table.id}/events") as stream:
            events = transport.parse_events(stream.content)
            await anext(events)
            began = time.monotonic()
            running.send_signal(number)
            async with asyncio.timeout(30):
                assert [event async for event in events] == []
        code, said = await finish(running)
    assert code == 0
    assert '"event":"stopped"' in said
    assert time.monotonic() - began < 15
    assert seated.token
    assert seated.token not in "".join(lines) + said
    assert "error" not in said


async def test_a_bad_setting_ends_the_start_with_one_sentence(tmp_path: Path) -> None:
    engine = ForkedEngine(tmp_path / "engine.log", "", ENGINE_PORT="door")
    assert await engine.ended() == 2
    assert await engine.log() == "ENGINE_PORT must be a port from 0 to 65535.\n"


async def test_an_address_that_is_taken_ends_the_start_with_one_sentence(tmp_path: Path, unused_tcp_port: int) -> None:
    server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", unused_tcp_port)
    async with server:
        engine = ForkedEngine(tmp_path / "engine.log", "", unused_tcp_port, LOG_LEVEL="error")
        assert await engine.ended() == 1
    taken = (
        f"Cannot listen on 127.0.0.1:{unused_tcp_port}: another program has the port. Set ENGINE_PORT to another one."
    )
    assert (await engine.log()).splitlines() == [taken]
