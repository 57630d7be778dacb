"""Caddy itself in front of an engine and a bot, with the configuration for docker compose."""

import asyncio
import io
import itertools
import os
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import aiohttp
import pytest
from aiohttp import web

from locanda.client import EngineClient
from locanda.messages import ChangeTable, OpenTable
from services.engine.settings import EngineSettings
from tests.e2e.processes import ROOT, ForkedEngine, running
from tests.engine.http.engine_server import running_engine
from tests.programs import program
from tests.redis_server import RedisServer, free_port, running_redis
from tests.sampling import WHOLE
from tests.waiting import until

pytestmark = pytest.mark.slow

PRIVATE = "10.0.0.0/8,127.0.0.0/8"
REQUESTS_A_SECOND = 200
PROXIES = "127.0.0.0/8"
DYNAMIC = re.compile(r"dynamic a \{.*?\n\t+\}", re.DOTALL)


@asynccontextmanager
async def proxy(folder: Path, engine: int, bot: int, *others: int, trusted: str = "127.0.0.1/32") -> AsyncIterator[str]:
    """Run Caddy in front of servers on these ports of this machine, and yield its address."""
    port, health = free_port(), free_port()
    text = await asyncio.to_thread((ROOT / "deploy" / "Caddyfile").read_text)
    engines = " ".join(f"127.0.0.1:{engine_port}" for engine_port in (engine, *others))
    text, replaced = DYNAMIC.subn(f"to {engines}", text)
    assert replaced == 1, "Docker's name server is not here"
    text = text.replace("telegram:8090", f"127.0.0.1:{bot}").replace("127.0.0.1:8079", f"127.0.0.1:{health}")
    await asyncio.to_thread((folder / "Caddyfile").write_text, text)
    environment = {"SITE": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": trusted, "XDG_CONFIG_HOME": str(folder)}
    process = await asyncio.create_subprocess_exec(
        await asyncio.to_thread(program, "caddy"),
        *("run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")),
        env=os.environ | environment | {"XDG_DATA_HOME": str(folder)},
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with aiohttp.ClientSession() as session:

            async def serves() -> bool:
                try:
                    async with session.get(f"http://127.0.0.1:{health}/") as answer:
                        return answer.status == 204
                except aiohttp.ClientError:
                    return False

            await until(serves)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with running_redis(tmp_path) as server:
        yield server


async def test_events_come_through_as_they_happen(tmp_path: Path) -> None:
    async with (
        running_engine() as engine,
        proxy(tmp_path, engine.server.port or 0, 1) as url,
        EngineClient.connect(url) as client,
        asyncio.timeout(60),
    ):
        opened = await client.open_table(OpenTable("gatto_rosso", "Anna"))
        assert opened.token
        events = client.events(opened.table.id, opened.token)
        assert (await anext(events)).table.version == opened.table.version
        changed = await client.change_table(opened.table.id, opened.token, ChangeTable(hints=True))
        assert (await anext(events)).table.version == changed.version
        await events.aclose()


async def test_operators_questions_are_not_answered_to_everybody(tmp_path: Path) -> None:
    async with (
        running_engine() as engine,
        proxy(tmp_path, engine.server.port or 0, 1) as url,
        aiohttp.ClientSession() as session,
    ):
        for path, status in (("/metrics", 404), ("/readyz", 404), ("/healthz", 200), ("/v1/games", 200)):
            async with session.get(url + path) as answer:
                assert answer.status == status, path


async def test_the_bot_gets_what_telegram_delivers(tmp_path: Path) -> None:
    async def deliver(request: web.Request) -> web.Response:
        return web.Response(text=f"{request.path} {await request.text()}")

    application = web.Application()
    application.router.add_post("/telegram/webhook", deliver)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port := free_port())
    await site.start()
    try:
        async with proxy(tmp_path, 1, port) as url, aiohttp.ClientSession() as session:
            async with session.post(f"{url}/telegram/webhook", data="an update") as answer:
                assert await answer.text() == "/telegram/webhook an update"
            async with session.post(f"{url}/telegram/webhook", data=io.BytesIO(b"x" * (2 << 20))) as answer:
                assert answer.status in {413, 502}  # Caddy answered 502 before version 2.7
    finally:
        await runner.cleanup()


@pytest.mark.costly
async def test_a_client_that_repeats_nothing_gets_every_answer_from_an_engine_while_engines_stop_and_start(
    tmp_path: Path, redis: RedisServer
) -> None:
    """Two engines that share a Redis are replaced in turn, under 200 requests per second.

    Half of the requests have a body.
    """
    answers: Counter[str] = Counter()

    async def ask(session: aiohttp.ClientSession, url: str, number: int) -> None:
        body = {"game": "gatto_rosso", "name": "Anna", "table": "unknown"}
        if number % 2:
            request = session.post(f"{url}/v1/tables", json=body, headers={"Idempotency-Key": uuid4().hex})
        else:
            request = session.get(f"{url}/v1/games")
        async with request as answer:
            answers[f"{answer.method} {answer.status}" if "X-Request-ID" in answer.headers else "of the proxy"] += 1

    engines = [
        ForkedEngine(tmp_path / f"engine-{number}.log", redis.url, ENGINE_TRUSTED_PROXIES=PROXIES)
        for number in range(2)
    ]
    async with (
        running(*engines),
        proxy(tmp_path, engines[0].port, 1, engines[1].port) as url,
        aiohttp.ClientSession() as session,
        asyncio.TaskGroup() as load,
    ):
        replacing = load.create_task(_replaced(engines))
        for number in itertools.count():
            load.create_task(ask(session, url, number))
            await asyncio.sleep(1 / REQUESTS_A_SECOND)
            if replacing.done():
                break
    assert set(answers) == {"GET 200", "POST 400"}, answers


async def test_an_engine_that_takes_no_connections_any_more_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    """Until it ends, a stopping engine has the fewest connections, so the proxy would choose it."""
    async with (
        running_engine() as engine,
        proxy(tmp_path, free_port(), 1, engine.server.port or 0) as url,
        EngineClient.connect(url) as client,
        asyncio.timeout(60),
    ):
        opened = await client.open_table(OpenTable("gatto_rosso", "Anna"))
        events = client.events(opened.table.id, opened.token)
        await anext(events)
        async with aiohttp.ClientSession() as session:
            for _ in range(10):
                async with session.get(f"{url}/v1/games") as answer:
                    assert answer.status == 200
        await events.aclose()


async def test_a_proxys_request_on_a_connection_that_was_idle_is_answered_while_the_engine_stops(
    tmp_path: Path, redis: RedisServer
) -> None:
    engine = ForkedEngine(tmp_path / "engine.log", redis.url, ENGINE_TRUSTED_PROXIES=PROXIES)
    async with running(engine), asyncio.timeout(60):
        reader, writer = await asyncio.open_connection("127.0.0.1", engine.port)
        stopping = asyncio.create_task(engine.stop())
        await until(lambda: _refuses(engine.port))
        writer.write(b"POST /v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
        answer = await reader.read()
        writer.close()
        assert await stopping == 0
    assert answer.startswith(b"HTTP/1.1 415 ")
    assert b"Connection: close\r\n" in answer


async def _refuses(port: int) -> bool:
    """Return whether no server accepts new connections at a port of this machine."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return True
    writer.close()
    return False


async def _replaced(services: list[ForkedEngine]) -> None:
    for service in services * (3 if WHOLE else 1):
        await service.stop()
        await service.start()


@pytest.mark.parametrize(("trusted", "seats"), [("127.0.0.0/8", 4), ("10.9.8.7/32", 2)])
async def test_a_client_is_who_the_proxy_says_and_not_who_it_says_itself(
    tmp_path: Path, trusted: str, seats: int
) -> None:
    """Two invented addresses of one client count as two clients only if that client is a trusted proxy."""
    settings = EngineSettings(engine_trusted_proxies=PRIVATE, engine_tables_per_minute=2)
    async with (
        running_engine(settings) as engine,
        proxy(tmp_path, engine.server.port or 0, 1, trusted=trusted) as url,
        aiohttp.ClientSession() as session,
    ):
        opened = 0
        for client in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"):
            body = {"game": "gatto_rosso", "name": "Anna"}
            async with session.post(f"{url}/v1/tables", json=body, headers={"X-Forwarded-For": client}) as answer:
                opened += answer.status == 201
    assert opened == seats
