"""What every answer tells browsers and caches, also where no handler was reached."""

import asyncio
from collections.abc import Mapping
from http.client import HTTPResponse
from io import BytesIO, StringIO
from typing import Any, cast

import msgspec
import pytest

from services.engine import app
from services.engine.http.kinds import KINDS
from services.engine.settings import Settings
from tests.engine.http.house import House, gather, written
from tests.engine.http.provocations import PROVOCATIONS

STRICT = {
    "Server": "locanda",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _strict(headers: Mapping[str, str]) -> None:
    assert {name: headers.get(name) for name in STRICT} == STRICT
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert not {"Set-Cookie", "X-Powered-By"} & set(headers)


@pytest.mark.parametrize(
    "path", ["/v1/games", "/v1/tables", "/docs", "/problems", "/problems/busy", "/openapi.json", "/healthz", "/metrics"]
)
async def test_every_answer_has_strict_headers(engine: House, path: str) -> None:
    for method in ("GET", "HEAD"):
        answer = await engine.ask(method, path)
        assert answer.status == 200
        _strict(answer.headers)


@pytest.mark.parametrize("code", PROVOCATIONS)
async def test_every_problem_has_strict_headers(engine: House, code: str) -> None:
    _strict((await PROVOCATIONS[code](engine)).headers)


async def test_a_stream_has_strict_headers(engine: House) -> None:
    async with engine.session.get(engine.url(f"{(await gather(engine, 1)).path}/events")) as stream:
        _strict(stream.headers)
        assert stream.headers["Cache-Control"] == "no-store"


class _Socket:
    """Bytes as `http.client` wants them."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self._octets)


async def _send(port: int | None, octets: bytes) -> HTTPResponse:
    """Send bytes as they are, and return the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(octets)
    async with asyncio.timeout(5):
        answer = HTTPResponse(cast("Any", _Socket(await reader.read())))
    writer.close()
    answer.begin()
    return answer


NO_HTTP = {
    "words": b"hello, is anybody there?\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03secret\r\n\r\n",
    "another version": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "a bad header": b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sec\x00ret\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\nHost: x\r\n: secret\r\n\r\n",
    "a long line": b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    "two lengths": b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length and chunks": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "a negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\n{}",
}


@pytest.mark.parametrize("kind", NO_HTTP)
async def test_what_is_no_http_gets_a_problem_with_strict_headers(engine: House, kind: str) -> None:
    with written():
        answer = await _send(engine.server.port, NO_HTTP[kind])
    assert answer.status == 400
    _strict(dict(answer.getheaders()))
    assert answer.getheader("Content-Type") == "application/problem+json"
    assert answer.getheader("Cache-Control") == "no-store"
    body = answer.read()
    assert msgspec.json.decode(body) == {
        "type": "/problems/malformed",
        "title": KINDS["malformed"].en.title,
        "status": 400,
        "code": "malformed",
        "detail": "the request is not well-formed HTTP",
    }
    assert b"sec" not in body


async def _listening(log: StringIO) -> None:
    for _ in range(1000):
        if "listening" in log.getvalue():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(log.getvalue())


async def test_the_engine_as_it_is_started_does_so_too(unused_tcp_port: int) -> None:
    stop = asyncio.Event()
    with written() as text:
        running = asyncio.create_task(app.run(Settings(engine_port=unused_tcp_port), stop))
        await _listening(text)
        answer = await _send(unused_tcp_port, NO_HTTP["words"])
        stop.set()
        await running
    _strict(dict(answer.getheaders()))


EXPECTING = b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
UNKNOWN = EXPECTING.replace(b"/v1/tables", b"/nowhere")


@pytest.mark.parametrize(
    ("octets", "status"), [(EXPECTING, 415), (UNKNOWN, 404), (b"GET /nowhere HTTP/1.0\r\n\r\n", 404)]
)
async def test_what_is_expected_of_the_house_in_vain_is_refused_strictly(
    engine: House, octets: bytes, status: int
) -> None:
    answer = await _send(engine.server.port, octets)
    assert answer.status == status
    _strict(dict(answer.getheaders()))
