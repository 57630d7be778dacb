"""Responses that clients do not read: which connections are closed, and which data is kept."""

import asyncio
import socket
import tracemalloc
from contextlib import suppress

import pytest
from msgspec import structs

from services.engine.app import DOCUMENTATION
from services.engine.http.server.unread import UNREAD
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, running_engine
from tests.waiting import until

HEADS = {
    "kept open": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
    "closed after it": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "of HTTP/1.0": b"GET /openapi.json HTTP/1.0\r\nHost: x\r\n\r\n",
}


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> int:
    """Replace a document by one that exceeds the kernel's buffers, and return the length of the new one."""
    document = b" " * 1_000_000
    monkeypatch.setattr(DOCUMENTATION, "openapi", document)
    return len(document)


async def _asks(engine: RunningEngine, head: bytes) -> socket.socket:
    """Request a long response, and read none of it."""
    asking = socket.socket()
    asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    asking.setblocking(False)
    await asyncio.get_running_loop().sock_connect(asking, ("127.0.0.1", engine.server.port))
    await asyncio.get_running_loop().sock_sendall(asking, head)
    return asking


async def _read(asking: socket.socket, whole: int) -> int:
    """Read the rest of the response. Return the number of bytes until the connection or the response ends."""
    octets_read = 0
    with asking, suppress(ConnectionResetError):
        async with asyncio.timeout(20):
            while octets_read < whole and (part := await asyncio.get_running_loop().sock_recv(asking, 65_536)):
                octets_read += len(part)
    return octets_read


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
async def test_a_client_that_takes_nothing_of_a_long_response_is_disconnected(
    engine: RunningEngine, long: int, monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    monkeypatch.setattr(UNREAD, "seconds", 0.2)
    asking = await _asks(engine, head)
    await until(lambda: UNREAD.connections)
    await until(lambda: not UNREAD.connections)
    assert await _read(asking, long) < long


@pytest.mark.parametrize(("bound", "responses"), [("most_of_client", 3), ("most", 4)])
async def test_a_client_whose_unread_responses_take_too_much_loses_the_one_read_longest_and_nobody_else_does(
    long: int, monkeypatch: pytest.MonkeyPatch, bound: str, responses: int
) -> None:
    monkeypatch.setattr(UNREAD, "most_of_client", 100 * long)
    monkeypatch.setattr(UNREAD, bound, responses * long)
    async with running_engine(structs.replace(NO_LIMITS, engine_trusted_proxies="127.0.0.0/8")) as engine:
        other = await _asks(engine, HEADS["kept open"].replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: 192.0.2.2"))
        await until(lambda: len(UNREAD.connections) == 1)
        asking = []
        for reading in (2, 3, 3):
            before = UNREAD.connections
            asking.append(await _asks(engine, HEADS["kept open"]))
            await until(lambda: UNREAD.connections != before and len(UNREAD.connections) == reading)  # noqa: B023
        whole = [await _read(client, long) >= long for client in (other, *asking)]
    assert whole == [True, False, True, True]


async def test_a_connection_that_rests_keeps_nothing_of_its_last_response(engine: RunningEngine, long: int) -> None:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        asking = [await _asks(engine, HEADS["kept open"]) for _ in range(3)]
        for client in asking:
            octets_read = 0
            while octets_read < long:
                octets_read += len(await asyncio.get_running_loop().sock_recv(client, 1_000_000))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    for client in asking:
        client.close()
    assert after - before < long
