"""Connections: slow ones are closed; lost ones hold no resources and cause no error."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable

import pytest

from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server import connections
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import RunningEngine, captured_logs, running_engine, seat_players
from tests.engine.http.raw_client import assert_safe_response, parse_responses
from tests.waiting import until

HEAD = b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW_BODIES = {
    "of a length": HEAD + b"Content-Length: 99\r\n\r\n{",
    "in chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    "of a call that takes none": HEAD.replace(b"/tables", b"/tables/" + b"B" * 22 + b"/start")
    + b"Content-Length: 99\r\n\r\n ",
}


@pytest.fixture
async def hasty(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    """An engine that allows a tenth of a second for the head of a request, and the same for the body."""
    monkeypatch.setattr(connections, "LINGERING", 0.2)
    async with running_engine(EngineSettings(engine_request_seconds=0.1, engine_streams=1)) as engine:
        yield engine


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection so that the other side receives a TCP reset."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@pytest.mark.parametrize("octets", SLOW_BODIES.values(), ids=SLOW_BODIES.keys())
async def test_a_body_that_does_not_come_gets_a_problem_and_the_connection_is_closed(
    hasty: RunningEngine, octets: bytes
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", hasty.server.port)
    writer.write(octets)
    async with asyncio.timeout(20):
        (reply,) = parse_responses(await reader.read())
    assert reply.status == 408
    assert b'"code":"too_slow"' in reply.body
    assert b"Connection: close" in reply.head
    assert_safe_response(reply)
    writer.close()


async def test_a_body_that_drips_is_cut_all_the_same(hasty: RunningEngine) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", hasty.server.port)
    writer.write(HEAD + b"Content-Length: 1000\r\n\r\n")
    async with asyncio.timeout(20):
        while not reader.at_eof() and b"408" not in await _read_a_little(reader):
            writer.write(b" ")
    writer.close()


async def _read_a_little(reader: asyncio.StreamReader) -> bytes:
    try:
        async with asyncio.timeout(0.02):
            return await reader.read(100)
    except TimeoutError:
        return b""


@pytest.mark.parametrize("octets", [b"G", HEAD, HEAD + b"X: " + b"y" * 500])
async def test_a_head_that_does_not_come_to_its_end_is_cut(hasty: RunningEngine, octets: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", hasty.server.port)
    writer.write(octets)
    async with asyncio.timeout(20):
        assert await reader.read() == b""
    writer.close()


async def test_a_connection_may_rest_longer_between_requests_than_a_head_may_take(hasty: RunningEngine) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", hasty.server.port)
    for _ in range(2):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(20):
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            await reader.readuntil(b'"alive"}')
        await asyncio.sleep(0.3)
    writer.close()


@pytest.mark.parametrize("close", [_reset, asyncio.StreamWriter.close], ids=["reset", "closed"])
async def test_a_stream_whose_connection_is_lost_gives_its_place_back_at_once(
    hasty: RunningEngine, close: Callable[[asyncio.StreamWriter], None]
) -> None:
    """The place must not stay taken until the next event or keep-alive comment, which may come 15 seconds later."""
    path = f"{(await seat_players(hasty, 1)).path}/events"
    tracker = hasty.context.tracker
    for _ in range(3):
        reader, writer = await asyncio.open_connection("127.0.0.1", hasty.server.port)
        writer.write(b"GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n" % path.encode())
        async with asyncio.timeout(20):
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            await reader.readuntil(b"data: ")
        assert tracker.streams == 1
        close(writer)
        await until(lambda: tracker.streams == 0)
    counted = (await hasty.get("/metrics")).body.decode()
    assert 'route="/v1/tables/{table}/events",status="200"} 3' in counted


async def test_a_long_poll_whose_connection_is_lost_ends(engine: RunningEngine) -> None:
    players = await seat_players(engine, 1)
    _, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
    writer.write(b"GET %s?after=9&wait=25 HTTP/1.1\r\nHost: x\r\n\r\n" % players.path.encode())
    held = engine.context.tracker._held
    await until(lambda: len(held) == 1)
    _reset(writer)
    await until(lambda: not held)


async def test_the_kernel_looks_after_clients_that_vanish(engine: RunningEngine) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
    await engine.get("/healthz")
    (connection, *_) = engine.server.runner.server.connections  # type: ignore[union-attr]
    assert connection.transport
    opened = connection.transport.get_extra_info("socket")
    assert opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        assert 0 < opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
    writer.close()


async def test_connections_that_clients_reset_are_no_errors() -> None:
    with captured_logs(level="info") as log:
        async with running_engine() as engine:
            players = await seat_players(engine, 1)
            path = players.path.encode()
            poll = b"GET %s?after=9&wait=25 HTTP/1.1\r\nHost: x\r\n\r\n" % path
            stream = b"GET %s/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n" % path
            many = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 50
            for octets in [*SLOW_BODIES.values(), poll, stream, many, HEAD]:
                _, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
                writer.write(octets)
                await writer.drain()
                await asyncio.sleep(0.1)
                _reset(writer)
            await until(lambda: not engine.context.tracker._held)
            assert (await engine.get("/healthz")).status == 200
    assert '"status":499' in log.getvalue()
    assert '"level":"error"' not in log.getvalue()


@pytest.mark.parametrize("octets", [b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/1.1\r\nHost x\r\n\r\n"])
async def test_what_is_no_http_is_counted_too(engine: RunningEngine, octets: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
    writer.write(octets)
    async with asyncio.timeout(20):
        assert b" 400 " in await reader.readline()
    assert PROBLEM_TYPES["malformed"].status == 400
    assert 'locanda_problems_total{code="malformed"} 1' in (await engine.get("/metrics")).body.decode()
    writer.close()
