"""`ENGINE_WORKERS`: several engines at one address, and what happens when one or all of them die."""

import asyncio
import os
import re
import signal
import socket
from pathlib import Path

import aiohttp
import pytest

from locanda.client import EngineClient
from locanda.messages import OpenTable
from tests.e2e.processes import ForkedEngine, running
from tests.redis_server import RedisServer, free_ports
from tests.waiting import until

pytestmark = pytest.mark.slow

COUNT = 2


@pytest.fixture
def metrics_ports() -> range:
    """Return one free port for the metrics of each engine."""
    return free_ports(COUNT)


def engines(log: Path, redis: RedisServer, metrics_ports: range) -> ForkedEngine:
    first = str(metrics_ports[0])
    return ForkedEngine(log, redis.url, ENGINE_WORKERS=str(COUNT), ENGINE_METRICS_PORT=first, ENGINE_THINK_WORKERS="1")


async def serving(ports: range) -> set[int]:
    """Return which of these ports answer requests."""
    served = set()
    async with aiohttp.ClientSession() as session:
        for port in ports:
            try:
                async with session.get(f"http://127.0.0.1:{port}/readyz") as answer:
                    served.add(port if answer.status == 200 else 0)
            except aiohttp.ClientError:
                served.add(0)
    return served


async def workers_of(several: ForkedEngine) -> list[int]:
    listed = Path(f"/proc/{several.pid}/task/{several.pid}/children")
    return [int(child) for child in (await asyncio.to_thread(listed.read_text)).split()]


@pytest.mark.costly
async def test_one_address_leads_to_several_engines_and_one_that_is_killed_is_replaced(
    redis_server: RedisServer, tmp_path: Path, metrics_ports: range
) -> None:
    several = engines(tmp_path / "engine.log", redis_server, metrics_ports)
    async with running(several):

        async def all_serve() -> bool:
            return await serving(metrics_ports) == set(metrics_ports)

        await until(all_serve)
        async with EngineClient.connect(several.url) as client:
            opened = await client.open_table(OpenTable("gatto_rosso", "Anna"))
            killed, *_ = await workers_of(several)
            os.kill(killed, signal.SIGKILL)
            # Opens new connections. One of them waits for the engine that replaces the killed one.
            for _ in range(4 * COUNT):
                async with EngineClient.connect(several.url) as other:
                    assert (await other.table(opened.table.id)).id == opened.table.id
        await until(all_serve)
        assert killed not in await workers_of(several)
        assert len(await workers_of(several)) == COUNT
        assert await several.stop() == 0
    log = await several.log()
    assert log.count('"event":"engine_lost"') == 1
    assert log.count('"event":"stopped"') == COUNT


@pytest.mark.costly
async def test_the_engines_end_with_the_process_that_watches_them(
    redis_server: RedisServer, tmp_path: Path, metrics_ports: range
) -> None:
    several = engines(tmp_path / "engine.log", redis_server, metrics_ports)
    async with running(several):
        left = await workers_of(several)
        assert len(left) == COUNT
        await several.kill()

        async def gone() -> bool:
            return not any([await asyncio.to_thread(Path(f"/proc/{pid}").exists) for pid in left])

        await until(gone)


async def test_several_engines_without_a_common_redis_do_not_start(tmp_path: Path) -> None:
    alone = ForkedEngine(tmp_path / "engine.log", "", ENGINE_WORKERS="2")
    assert await alone.ended() == 2
    assert re.fullmatch(r"REDIS_URL is missing: .*\.\n", await alone.log())


async def test_an_address_that_is_taken_ends_the_start_of_several_engines_too(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        several = ForkedEngine(tmp_path / "engine.log", redis_server.url, port, ENGINE_WORKERS="2")
        assert await several.ended() == 1
    assert (await several.log()).startswith(f"Cannot listen on 127.0.0.1:{port}")
