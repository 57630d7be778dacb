"""The number of connections that each client may hold."""

import asyncio

import pytest
from msgspec import structs

from services.engine.http.server import client_connections
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, running_engine, seat_players
from tests.waiting import until


async def _opened(engine: RunningEngine, count: int) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open connections that send nothing, and return them once the engine has accepted all."""
    return [await asyncio.open_connection("127.0.0.1", engine.server.port) for _ in range(count)]


async def test_a_client_that_opens_too_many_connections_loses_the_oldest_idle_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_connections, "CONNECTIONS", 3)
    async with running_engine(EngineSettings(engine_streams=1)) as engine:
        players = await seat_players(engine, 2)
        following = await asyncio.open_connection("127.0.0.1", engine.server.port)
        head = b"GET %s/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
        following[1].write(head % players.path.encode())
        await until(lambda: engine.context.tracker.streams == 1)
        silent = await _opened(engine, 4)
        async with asyncio.timeout(20):
            assert await silent[0][0].read() == b""
            reader, writer = silent[-1]
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b" 200 " in await reader.readline()
        assert engine.context.tracker.streams == 1, "a request that is under way keeps its connection"
        for _, writer in (following, *silent):
            writer.close()


async def test_the_connections_of_a_trusted_proxy_have_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_connections, "CONNECTIONS", 3)
    async with running_engine(
        structs.replace(NO_LIMITS, engine_trusted_proxies="127.0.0.0/8", engine_streams=1)
    ) as engine:
        for reader, writer in await _opened(engine, 8):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            async with asyncio.timeout(20):
                assert b" 200 " in await reader.readline()
            writer.close()
