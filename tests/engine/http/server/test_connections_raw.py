"""Any bytes get a documented response in time, and the engine goes on serving all other clients."""

import asyncio
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine
from tests.engine.http.raw_client import RawResponse, assert_safe_response, send_bytes
from tests.waiting import until

shared = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
"""Settings for tests that use one engine for all examples. The engine must survive each example."""

NAMES = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Connection", "Content-Encoding"),
    *("Content-Length", "Content-Type", "Cookie", "Expect", "Forwarded", "Host", "Idempotency-Key", "If-Match"),
    *("If-None-Match", "Keep-Alive", "Last-Event-ID", "Origin", "Range", "TE", "Trailer", "Transfer-Encoding"),
    *("Upgrade", "X-API-Key", "X-Forwarded-For", "X-Request-ID"),
]
SHORT = [b"", b"*", b",", b'"', b'W/"', b"Bearer", b"Bearer  x", b"chunked", b"gzip", b"0", b"-1", b"1e9", b"h2c"]
LONG = [b"9" * 400, b"text/event-stream;q=x", b"*/*;q=0", b"a" * 9_000, b"100-continue", b"websocket", b"\xff\xfe"]
VALUES = st.binary(max_size=64) | st.text(max_size=32).map(str.encode) | st.sampled_from([*SHORT, *LONG])
HEADERS = st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=4)
READS = [("GET", ""), ("GET", "/events"), ("GET", "/moves")]
WRITES = [("POST", "/moves"), ("POST", "/start"), ("PATCH", ""), ("DELETE", "/seats/0")]
BODIES = st.sampled_from([b"", b"{}", b'{"move":{}}'])

METHODS = [b"GET", b"HEAD", b"POST", b"OPTIONS"]
UNUSUAL_METHODS = [b"TRACE", b"CONNECT", b"get", b"PRI", b"M-SEARCH", b"X" * 99, b"\x00"]
WORDS = [b"v1", b"tables", b"games", b"gatto_rosso"]
UNUSUAL_WORDS = [b"..", b".", b"", b"%2e%2e", b"%2f", b"%00", b"%", b"%zz", b"%ff", b"\xc3\xa0", b";a=b"]
SEGMENTS = st.sampled_from([*WORDS, *UNUSUAL_WORDS]) | st.binary(max_size=12)
UNUSUAL_PATHS = [b"a" * 9_000, b"http://elsewhere/v1/games", b"*", b"//"]
PATHS = st.lists(SEGMENTS, max_size=7).map(b"/".join) | st.sampled_from(UNUSUAL_PATHS)
QUERIES = st.sampled_from([b"", b"?", b"?a=b", b"?after=1&after=2", b"?%00", b"?" + b"&" * 99])


LAST = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def _request(
    method: bytes, path: bytes, headers: list[tuple[str, bytes]], body: bytes = b"", *, stays: bool = False
) -> bytes:
    """Return a request that ends its connection.

    With `stays`, the connection stays open, and a last request follows.
    """
    ending = [] if stays else [b"Connection: close"]
    lines = [b"Host: x", *ending, *(name.encode() + b": " + value for name, value in headers)]
    if body:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join([method + b" " + path + b" HTTP/1.1", *lines, b"", body]) + (LAST if stays else b"")


async def _alive(engine: RunningEngine) -> None:
    assert (await engine.get("/healthz")).status == 200


@shared
@given(
    call=st.sampled_from([*READS, *WRITES]), headers=HEADERS, repeated=st.booleans(), body=BODIES, stays=st.booleans()
)
async def test_unusual_headers_get_documented_responses(
    playing: SeatedPlayers,
    call: tuple[str, str],
    headers: list[tuple[str, bytes]],
    repeated: bool,
    body: bytes,
    stays: bool,
) -> None:
    method, path = call
    sent = headers * 2 if repeated else headers
    names = {name for name, _ in sent}
    stays = stays and not names & {"Connection", "Upgrade"}
    octets = _request(method.encode(), f"{playing.path}{path}".encode(), sent, body, stays=stays)
    if path == "/events" or {"Content-Length", "Transfer-Encoding"} & names:
        # The response may be a stream, or the engine may wait for the rest of the body, so the client goes away.
        _, writer = await asyncio.open_connection("127.0.0.1", playing.engine.server.port)
        writer.write(octets)
        await asyncio.sleep(0.01)
        writer.close()
    else:
        for reply in await send_bytes(playing.engine, octets):
            if reply.status != 100:
                assert_safe_response(reply)
    await _alive(playing.engine)


@shared
@given(method=st.sampled_from([*METHODS, *UNUSUAL_METHODS]), path=PATHS, query=QUERIES, stays=st.booleans())
async def test_unusual_methods_and_paths_get_documented_responses(
    engine: RunningEngine, method: bytes, path: bytes, query: bytes, stays: bool
) -> None:
    stays = stays and method in (b"GET", b"POST", b"OPTIONS")
    for target in (path, b"/" + path, b"/v1/tables/" + path):
        for reply in await send_bytes(engine, _request(method, target + query, [], stays=stays)):
            assert_safe_response(reply)


@shared
@given(octets=st.binary(max_size=300).filter(lambda octets: octets.strip(b"\r\n")))
async def test_garbage(engine: RunningEngine, octets: bytes) -> None:
    """Empty lines are an exception: after them, the engine still waits for a request (RFC 9112, section 2.2)."""
    for reply in await send_bytes(engine, octets + b"\r\n\r\n\r\n\r\n"):
        assert_safe_response(reply)


GET = b"GET /v1/games HTTP/1.1\r\nHost: x\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
POST = b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "octets",
    [
        POST + b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        POST + b"Content-Length: 5\r\nContent-Length: 0\r\n\r\n" + SMUGGLED,
        POST + b"Content-Length: +5\r\n\r\n12345" + SMUGGLED,
        POST + b"Content-Length: 0x5\r\n\r\n12345" + SMUGGLED,
        POST + b"Content-Length : 5\r\n\r\n12345" + SMUGGLED,
        POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + SMUGGLED,
        POST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n0\r\n\r\n" + SMUGGLED,
        POST + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n0\r\n\r\n" + SMUGGLED,
        POST + b" Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        GET + b"X: a\r\n b\r\nContent-Length: 9\r\n\r\n" + SMUGGLED,
        GET + b"\x00: a\r\n\r\n" + SMUGGLED,
        GET[:-2] + b"\n\r\n" + SMUGGLED,
    ],
)
async def test_a_request_of_doubtful_length_ends_the_connection(engine: RunningEngine, octets: bytes) -> None:
    """The bytes after the request must not be read as another request (RFC 9112, section 11.2)."""
    answers = await send_bytes(engine, octets)
    for reply in answers:
        assert_safe_response(reply)
    assert [reply.status for reply in answers] == [400]
    await _alive(engine)


@pytest.mark.parametrize(("expected", "statuses"), [(b"100-continue", [100, 200]), (b"the-unexpected", [200])])
async def test_expect_100_continue_is_answered(engine: RunningEngine, expected: bytes, statuses: list[int]) -> None:
    answers = await send_bytes(engine, GET + b"Connection: close\r\nExpect: " + expected + b"\r\n\r\n")
    assert [reply.status for reply in answers] == statuses


PAGES = (b"/docs", b"/openapi.json", b"/problems", b"/problems/stale", b"/healthz")
CALLS = (b"/v1/games", b"/v1/games/ramino", b"/v1/tables", b"/v1/tables/x", b"/v1/games?a=b", b"/nowhere")
ONCE_AND_AGAIN = [
    *(b"GET " + path for path in (*PAGES, *CALLS)),
    *(method + b" /v1/games/gatto_rosso/deals" for method in (b"GET", b"POST", b"OPTIONS", b"PUT")),
]
ORIGINS = EngineSettings(
    engine_cors_origins="https://example.org",
    engine_client_cpu_ms=0,
    engine_writes_per_second=0,
    engine_listed_tables=0,
    engine_client_mb=0,
)


@pytest.mark.parametrize("settings_", [NO_LIMITS, ORIGINS], ids=["closed", "open"])
@pytest.mark.parametrize("request_line", ONCE_AND_AGAIN, ids=bytes.decode)
async def test_a_response_is_the_same_whether_its_connection_stays_or_ends(
    request_line: bytes, settings_: EngineSettings
) -> None:
    method, path = request_line.split(b" ")
    headers = [("X-Request-ID", b"abc"), ("Origin", b"https://example.org"), ("Accept-Language", b"it")]
    async with running_engine(settings_) as engine:
        stayed, _ = await send_bytes(engine, _request(method, path, headers, stays=True))
        (ended,) = await send_bytes(engine, _request(method, path, headers))
    assert (stayed.status, stayed.body) == (ended.status, ended.body)
    assert _head_of(stayed) == _head_of(ended) - {b"connection: close"}


def _head_of(reply: RawResponse) -> set[bytes]:
    """Return the head of a response without the headers for its date and request id."""
    return {line.lower() for line in reply.head.splitlines() if not line.lower().startswith(b"date:")}


async def test_a_client_that_reads_no_responses_is_served_no_further_until_it_reads(engine: RunningEngine) -> None:
    requests = 1500
    reader, writer = await asyncio.open_connection("127.0.0.1", engine.server.port, limit=1024)
    writer.write((GET + b"\r\n") * requests + LAST)
    served = [0.0]
    while served[-1] == 0 or len(set(served[-UNCHANGED:])) > 1 or len(served) < UNCHANGED:
        served.append(await _served(engine))
    assert served[-1] < requests
    async with asyncio.timeout(60):
        octets = await reader.read()
    writer.close()
    assert octets.count(b"HTTP/1.1 200 OK\r\n") == requests + 1


UNCHANGED = 20
"""After this number of equal counts in a row, from separate requests, no more requests are expected to be served."""


async def _served(engine: RunningEngine) -> float:
    text = (await engine.get("/metrics")).body.decode()
    match = re.search(r'locanda_requests_total\{method="GET",route="/v1/games",status="200"\} (.+)', text)
    return float(match[1]) if match else 0.0


async def test_requests_sent_at_once_are_answered_in_order(engine: RunningEngine) -> None:
    last = GET + b"Connection: close\r\n\r\n"
    answers = await send_bytes(engine, (GET + b"\r\n") * 20 + b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n" + last)
    assert [reply.status for reply in answers] == [200] * 20 + [404, 200]


async def test_a_body_in_chunks_is_read(engine: RunningEngine) -> None:
    body = b'{"game": "gatto_rosso", "name": "Anna"}'
    chunks = b"".join(b"1\r\n" + body[at : at + 1] + b"\r\n" for at in range(len(body)))
    octets = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"
    (reply,) = await send_bytes(engine, octets)
    assert reply.status == 201


@pytest.mark.parametrize("length", [b"70000", b"99999999999999999999"])
async def test_a_body_announced_as_too_large_is_refused(engine: RunningEngine, length: bytes) -> None:
    sent = POST + b"Content-Length: " + length + b"\r\n\r\n" + b"x" * 70_000
    (reply,) = await send_bytes(engine, sent)
    assert reply.status in (400, 413)
    assert_safe_response(reply)


async def test_half_a_request_blocks_no_other_and_is_dropped(engine: RunningEngine) -> None:
    chunk = POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"
    halves = [GET, GET[:30], b"G", POST + b"Content-Length: 9\r\n\r\n{", chunk]
    await engine.ready()
    before = len(asyncio.all_tasks())
    writers = []
    for half in halves * 40:
        _, writer = await asyncio.open_connection("127.0.0.1", engine.server.port)
        writer.write(half)
        writers.append(writer)
    async with asyncio.timeout(60):
        await _alive(engine)
    for writer in writers:
        writer.close()
    await until(lambda: len(asyncio.all_tasks()) <= before + 2)
    await _alive(engine)
