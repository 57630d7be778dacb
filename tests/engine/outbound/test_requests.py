"""Requests to real servers, most of them hostile."""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from ipaddress import ip_network
from itertools import repeat
from typing import Any

import pytest
from aiohttp import AsyncResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from services.engine.outbound.answers import OutboundError, ServerAnswer
from services.engine.outbound.requests import Outbound
from tests.engine.outbound.name_server import name_server
from tests.stream_server import stream_server
from tests.waiting import until

LOOPBACK = (ip_network("127.0.0.1/32"),)
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"


class Resolver(AbstractResolver):
    """Resolves each name that it is asked for to the next of these lists of addresses."""

    def __init__(self, addresses: Iterator[tuple[str, ...]]) -> None:
        self._addresses = addresses

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[ResolveResult]:
        """Return the addresses of a name."""
        return [
            ResolveResult(hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0)
            for address in next(self._addresses)
        ]

    async def close(self) -> None:
        """Do nothing, because nothing is open."""


def leading_to(*addresses: str) -> Callable[[], Resolver]:
    """Return a factory of resolvers that resolve every name to these addresses."""
    return lambda: Resolver(repeat(addresses))


@pytest.fixture
async def outbound() -> AsyncIterator[Outbound]:
    outbound = Outbound(LOOPBACK)
    yield outbound
    await outbound.close()


async def post(outbound: Outbound, url: str, *, seconds: float = 60, most_bytes: int = 1000) -> ServerAnswer:
    return await outbound.post(url, b'{"asked": 1}', {"webhook-id": "1"}, seconds=seconds, most_bytes=most_bytes)


async def failure(outbound: Outbound, url: str, *, seconds: float = 60) -> str:
    with pytest.raises(OutboundError) as raised:
        await post(outbound, url, seconds=seconds)
    assert str(raised.value) == raised.value.failure
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None
    return raised.value.failure


async def request_of(reader: StreamReader) -> bytes:
    return await reader.readuntil(b'{"asked": 1}')


def answering(*parts: bytes, then: Callable[[], Awaitable[object]] | None = None) -> Callable[..., Any]:
    """Return a server that answers with these bytes, and closes the connection once `then` has finished."""

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        await request_of(reader)
        for part in parts:
            writer.write(part)
        await writer.drain()
        if then is not None:
            await then()

    return serve


async def forever() -> None:
    await asyncio.Event().wait()


async def test_a_request_arrives_with_its_headers_and_the_answer_comes_back(
    outbound: Outbound, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = b""

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        nonlocal seen
        seen = await request_of(reader)
        writer.write(HEAD % 4 + b"done")

    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with stream_server(serve) as port:
        assert await post(outbound, f"http://127.0.0.1:{port}/play") == ServerAnswer(200, b"done")
    assert seen.startswith(b"POST /play HTTP/1.1\r\n")
    assert b"webhook-id: 1\r\n" in seen
    assert b"Accept-Encoding: identity\r\n" in seen


async def test_a_redirection_is_not_followed(outbound: Outbound) -> None:
    reached = []

    async def elsewhere(reader: StreamReader, writer: StreamWriter) -> None:
        reached.append(writer)

    async with stream_server(elsewhere) as target:
        moved = b"HTTP/1.1 307 Moved\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:%d/\r\n\r\n" % target
        async with stream_server(answering(moved)) as port:
            assert await post(outbound, f"http://127.0.0.1:{port}/") == ServerAnswer(307, b"")
    assert not reached


@pytest.mark.parametrize(
    "answer",
    [
        HEAD % 100 + b"half",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhalf",
        b"HTTP/1.1 200",
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
    ],
)
async def test_a_server_that_dies_in_mid_answer_or_speaks_no_http_is_broken(outbound: Outbound, answer: bytes) -> None:
    async with stream_server(answering(answer)) as port:
        assert await failure(outbound, f"http://127.0.0.1:{port}/") == "broken"


async def test_an_answer_that_is_too_large_is_not_read_to_its_end(outbound: Outbound) -> None:
    sent = 0

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        nonlocal sent
        await request_of(reader)
        writer.write(HEAD % 10**12)
        while True:
            writer.write(b"x" * 65_536)
            sent += 65_536
            await writer.drain()

    async with stream_server(serve) as port:
        assert await failure(outbound, f"http://127.0.0.1:{port}/") == "too_big"
    assert sent < 100_000_000


async def test_a_small_answer_that_unpacks_to_a_large_one_stays_packed(outbound: Outbound) -> None:
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00"
    async with stream_server(answering(packed)) as port:
        assert await post(outbound, f"http://127.0.0.1:{port}/") == ServerAnswer(200, b"\x1f\x8b\x08\x00")


async def test_a_server_that_sends_a_byte_now_and_then_is_late(outbound: Outbound) -> None:
    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        await request_of(reader)
        writer.write(HEAD % 1000)
        while True:
            writer.write(b"x")
            await asyncio.sleep(0.01)

    async with stream_server(serve) as port:
        assert await failure(outbound, f"http://127.0.0.1:{port}/", seconds=0.3) == "late"


async def test_a_server_that_takes_the_request_and_says_nothing_is_late(outbound: Outbound) -> None:
    async with stream_server(answering(then=forever)) as port:
        assert await failure(outbound, f"http://127.0.0.1:{port}/", seconds=0.3) == "late"


async def test_names_that_are_looked_up_slowly_are_late_and_hold_up_no_other() -> None:
    async with name_server() as names, stream_server(answering(CLOSING)) as port:
        outbound = Outbound(LOOPBACK, partial(AsyncResolver, nameservers=[names.address]))
        slow = [
            asyncio.create_task(failure(outbound, f"http://slow{number}.example/", seconds=600)) for number in range(40)
        ]
        await until(lambda: len(names.held) == 40)
        assert (await post(outbound, f"http://quick.example:{port}/")).status == 200
        assert not any(task.done() for task in slow)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert await failure(outbound, "http://slow.example/", seconds=0.3) == "late"
        await outbound.close()


async def test_names_of_the_hosts_file_need_no_name_server() -> None:
    async with name_server() as names, stream_server(answering(CLOSING)) as port:
        outbound = Outbound(LOOPBACK, partial(AsyncResolver, nameservers=[names.address]))
        assert (await post(outbound, f"http://localhost:{port}/")).status == 200
        assert not names.asked
        await outbound.close()


async def test_where_nobody_listens_or_no_name_is_the_server_is_unreachable(outbound: Outbound) -> None:
    async with stream_server(answering()) as port:
        pass
    assert await failure(outbound, f"http://127.0.0.1:{port}/") == "unreachable"
    assert await failure(outbound, f"https://127.0.0.1:{port}/") == "unreachable"

    async with name_server() as names:
        nameless = Outbound(LOOPBACK, partial(AsyncResolver, nameservers=[names.address]))
        assert await failure(nameless, "https://nobody.example/") == "unreachable"
        await nameless.close()


async def test_a_server_without_tls_is_not_spoken_to_by_https(outbound: Outbound) -> None:
    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(HEAD % 0)

    async with stream_server(serve) as port:
        assert await failure(outbound, f"https://127.0.0.1:{port}/") == "unreachable"


@pytest.mark.parametrize("host", ["127.0.0.2", "[::1]", "10.0.0.1", "[::ffff:127.0.0.2]", "8.8.8.8"])
@pytest.mark.parametrize("named", [False, True])
async def test_no_connection_is_made_to_an_address_that_is_not_admitted(host: str, *, named: bool) -> None:
    async def reached(reader: StreamReader, writer: StreamWriter) -> None:
        raise AssertionError

    outbound = Outbound(LOOPBACK, leading_to(host.strip("[]")))
    async with stream_server(reached) as port:
        assert await failure(outbound, f"http://{'name.example' if named else host}:{port}/") == "refused"
    await outbound.close()


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "127.1", "0177.0.0.1"])
async def test_an_address_in_a_form_of_old_reaches_nothing(host: str) -> None:
    outbound = Outbound(())
    assert await failure(outbound, f"https://{host}:9/") in ("refused", "unreachable")
    await outbound.close()


async def test_a_name_that_leads_elsewhere_the_next_time_is_checked_each_time() -> None:
    outbound = Outbound(LOOPBACK, lambda: Resolver(iter([("127.0.0.1",), ("127.0.0.2",)])))
    async with stream_server(answering(CLOSING)) as port:
        assert (await post(outbound, f"http://name.example:{port}/")).status == 200
        for session in outbound._sessions.values():
            connector: Any = session.connector
            connector.clear_dns_cache()
        assert await failure(outbound, f"http://name.example:{port}/") == "refused"
    await outbound.close()


async def test_of_several_addresses_of_a_name_only_those_admitted_are_connected_to() -> None:
    outbound = Outbound(LOOPBACK, leading_to("127.0.0.2", "10.0.0.1", "127.0.0.1"))
    async with stream_server(answering(HEAD % 2 + b"ok")) as port:
        assert await post(outbound, f"http://name.example:{port}/") == ServerAnswer(200, b"ok")
    await outbound.close()


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1/", "file:///etc/passwd", "http://", "127.0.0.1", "https:///x", "http://[::1"]
)
async def test_what_is_no_url_of_http_is_no_request(outbound: Outbound, url: str) -> None:
    assert await failure(outbound, url) in ("unreachable", "broken")


async def test_a_request_that_is_given_up_ends_its_connection(outbound: Outbound) -> None:
    ended = asyncio.Event()

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        await request_of(reader)
        assert await reader.read() == b""
        ended.set()

    async with stream_server(serve) as port:
        asking = asyncio.create_task(failure(outbound, f"http://127.0.0.1:{port}/", seconds=0.3))
        assert await asking == "late"
        await asyncio.wait_for(ended.wait(), 60)
