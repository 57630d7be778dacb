"""The security and caching headers of all responses, including those without a handler."""

import asyncio
import re
from collections.abc import Mapping
from http.client import HTTPResponse
from io import BytesIO
from itertools import pairwise
from typing import Any, cast

import msgspec
import pytest

from services.engine import app
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import RunningEngine, captured_logs, seat_players
from tests.waiting import until

STRICT = {
    "Server": "locanda",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def assert_strict(headers: Mapping[str, str]) -> None:
    assert {name: headers.get(name) for name in STRICT} == STRICT
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert not {"Set-Cookie", "X-Powered-By"} & set(headers)


@pytest.mark.parametrize(
    "path", ["/v1/games", "/v1/tables", "/docs", "/problems", "/problems/busy", "/openapi.json", "/healthz", "/metrics"]
)
async def test_every_answer_has_strict_headers(engine: RunningEngine, path: str) -> None:
    for method in ("GET", "HEAD"):
        answer = await engine.ask(method, path)
        assert answer.status == 200
        assert_strict(answer.headers)


async def test_request_ids_are_drawn_and_not_counted(engine: RunningEngine) -> None:
    ids = [(await engine.get("/healthz")).headers["X-Request-ID"] for _ in range(4)]
    assert len(set(ids)) == 4
    for one, other in pairwise(ids):
        assert re.fullmatch(r"[0-9a-f]{32}", one)
        assert sum(a == b for a, b in zip(one, other, strict=True)) < 16
        assert abs(int(one, 16) - int(other, 16)) > 2**64


async def test_a_stream_has_strict_headers(engine: RunningEngine) -> None:
    async with engine.session.get(engine.url(f"{(await seat_players(engine, 1)).path}/events")) as stream:
        assert_strict(stream.headers)
        assert stream.headers["Cache-Control"] == "no-store"


class _Socket:
    """A socket with fixed content, in the form that `http.client` expects."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self._octets)


async def _send(port: int | None, octets: bytes) -> HTTPResponse:
    """Send these bytes unchanged, and return the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(octets)
    async with asyncio.timeout(30):
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
async def test_what_is_no_http_gets_a_problem_with_strict_headers(engine: RunningEngine, kind: str) -> None:
    with captured_logs():
        answer = await _send(engine.server.port, NO_HTTP[kind])
    assert answer.status == 400
    assert_strict(dict(answer.getheaders()))
    assert answer.getheader("Content-Type") == "application/problem+json"
    assert answer.getheader("Cache-Control") == "no-store"
    body = answer.read()
    assert msgspec.json.decode(body) == {
        "type": "/problems/malformed",
        "title": PROBLEM_TYPES["malformed"].title,
        "status": 400,
        "code": "malformed",
        "detail": "the request is not well-formed HTTP",
    }
    assert b"sec" not in body


async def test_the_engine_as_it_is_started_does_so_too(unused_tcp_port: int) -> None:
    stop = asyncio.Event()
    with captured_logs() as text:
        running = asyncio.create_task(app.run(EngineSettings(engine_port=unused_tcp_port), stop))
        await until(lambda: "listening" in text.getvalue())
        answer = await _send(unused_tcp_port, NO_HTTP["words"])
        stop.set()
        await running
    assert_strict(dict(answer.getheaders()))


EXPECTING = b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
UNKNOWN = EXPECTING.replace(b"/v1/tables", b"/nowhere")


@pytest.mark.parametrize(
    ("octets", "status"), [(EXPECTING, 415), (UNKNOWN, 404), (b"GET /nowhere HTTP/1.0\r\n\r\n", 404)]
)
async def test_an_unknown_expectation_is_refused_strictly(engine: RunningEngine, octets: bytes, status: int) -> None:
    answer = await _send(engine.server.port, octets)
    assert answer.status == status
    assert_strict(dict(answer.getheaders()))


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/ramino", "/v1/games/ramino?words=true"])
async def test_a_browser_keeps_what_changes_only_with_a_release(engine: RunningEngine, path: str) -> None:
    italian = {"Accept-Language": "it"}
    first = await engine.get(path, headers=italian | {"Accept-Encoding": "identity"})

    again = await engine.get(path, headers=italian | {"If-None-Match": first.headers["ETag"]})

    assert (again.status, again.body) == (304, b"")
    for answer in (first, again):
        assert answer.headers["Cache-Control"] == "public, max-age=60"
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert ("Accept-Language" in answer.headers["Vary"]) == path.endswith("words=true")
    assert (await engine.get(path, headers={"If-None-Match": '"0000"'})).json


async def test_a_game_comes_compressed_to_who_accepts_it(engine: RunningEngine) -> None:
    path = engine.url("/v1/games/ramino?words=true")
    sizes = {}
    for encoding in ("gzip", "identity"):
        async with engine.session.get(path, headers={"Accept-Encoding": encoding}) as answer:
            sizes[encoding] = int(answer.headers["Content-Length"])
            assert (await answer.json())["game"] == "ramino"

    assert sizes["gzip"] < sizes["identity"] / 2
