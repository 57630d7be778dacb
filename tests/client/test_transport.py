"""The client with servers and networks that misbehave: retries, time limits, resumed streams, errors."""

import asyncio
import time
from contextlib import AsyncExitStack, aclosing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from locanda import errors
from locanda.client import EngineClient, RetryPolicy
from locanda.client.transport import Backoff, retry_after_seconds
from locanda.messages import ChangeTable, EventItem, GiveSeed, OpenTable, SitDown
from tests.client.misbehaving_server import DROP, HANG, answer, misbehaving_server, problem, stream
from tests.stream_server import stream_server

QUICK = RetryPolicy(answer_timeout=5, first_pause=0.01, longest_pause=0.5)
HURRIED = RetryPolicy(answer_timeout=0.1, silence_timeout=0.1, budget=0.3, first_pause=0.01, longest_pause=0.1)
TABLE = "A" * 22
TOKEN = "t" * 43
GAMES = answer(200, {"games": []})
SEATS = [{"seat": 0, "name": "Anna", "kind": "person", "level": None, "away": False}]


def table(version: int) -> dict[str, object]:
    match = {"number": 1, "deal": 0, "points": [0], "result": None, "commitment": "0" * 64}
    match |= {"server_seed": None, "next_commitment": None}
    shown = {"id": TABLE, "game": "ramino", "rules": 1, "options": {}, "status": "open", "version": version, "host": 0}
    rest = {"you": None, "listed": False, "seats": SEATS, "match": match, "deal": None, "turn_seconds": None}
    return shown | rest | {"deadline": None, "moves": [], "events": []}


def event(version: int) -> str:
    return f"id: {version}\nevent: change\ndata: {msgspec.json.encode(table(version)).decode()}\n\n"


@pytest.mark.parametrize(
    "misbehaviour",
    [
        pytest.param(DROP, id="hangs up"),
        pytest.param(b"SMTP ready\r\n\r\n", id="speaks another protocol"),
        pytest.param(GAMES[:-4], id="stops in the middle"),
        pytest.param(problem(503, "store_down", Retry_After="0"), id="store down"),
        pytest.param(answer(502, b"<h1>Bad gateway</h1>", "text/html"), id="a proxy's page"),
        pytest.param(problem(500, "internal"), id="an internal error"),
        pytest.param(problem(429, "too_many_requests", Retry_After="0"), id="too many requests"),
    ],
)
async def test_a_call_without_an_answer_is_tried_again(misbehaviour: bytes) -> None:
    async with (
        misbehaving_server(misbehaviour, misbehaviour, GAMES) as server,
        EngineClient.connect(server.url, retry=QUICK) as me,
    ):
        assert await me.games() == []
        assert len(server.requests) == 3


async def test_every_try_of_a_write_sends_the_same_bytes() -> None:
    seated = answer(201, {"table": table(1), "seat": 0, "token": TOKEN})
    async with misbehaving_server(DROP, DROP, seated) as server, EngineClient.connect(server.url, retry=QUICK) as me:
        assert (await me.open_table(OpenTable("ramino", "Anna"))).token == TOKEN
        first, *others = [(sent.line, sent.headers.items(), sent.body) for sent in server.requests]
        assert others == [first, first]
        assert len(server.requests[0].headers["Idempotency-Key"]) == 36


async def test_every_write_takes_a_key_and_a_version() -> None:
    async with misbehaving_server(problem(409, "not_open")) as server, EngineClient.connect(server.url) as me:
        for call in (
            me.change_table(TABLE, TOKEN, ChangeTable(), version=17, key="a key of my own"),
            me.sit(TABLE, SitDown("Bruno"), TOKEN, version=17, key="a key of my own"),
            me.leave(TABLE, 1, TOKEN, version=17, key="a key of my own"),
            me.give_seed(TABLE, 1, TOKEN, GiveSeed("clover"), version=17, key="a key of my own"),
            me.set_level(TABLE, 1, TOKEN, "hard", version=17, key="a key of my own"),
            me.set_name(TABLE, 1, TOKEN, "Bruna", version=17, key="a key of my own"),
            me.come_back(TABLE, 1, TOKEN, version=17, key="a key of my own"),
            me.start(TABLE, TOKEN, version=17, key="a key of my own"),
            me.play(TABLE, TOKEN, {"type": "pass"}, version=17, key="a key of my own"),
        ):
            with pytest.raises(errors.ConflictError):
                await call
        assert {sent.headers["Idempotency-Key"] for sent in server.requests} == {"a key of my own"}
        assert {sent.headers["If-Match"] for sent in server.requests} == {'"17"'}


async def test_after_its_budget_of_seconds_a_call_fails() -> None:
    for script in (GAMES[:-4], HANG):
        async with misbehaving_server(script) as server, EngineClient.connect(server.url, retry=HURRIED) as me:
            began = time.monotonic()
            with pytest.raises(errors.UnavailableError, match="unreachable"):
                await me.games()
            assert len(server.requests) > 1
            assert time.monotonic() - began < 30


async def test_by_default_calls_outlast_a_restart_of_the_engine() -> None:
    policy = RetryPolicy()
    backoff, waited = Backoff(policy), 0.0
    while waited < 30:
        waited += backoff.next_pause()
    assert waited < policy.budget - policy.answer_timeout


async def test_a_call_without_a_budget_is_tried_once() -> None:
    once = RetryPolicy(budget=0)
    async with misbehaving_server(GAMES[:-4]) as server, EngineClient.connect(server.url, retry=once) as me:
        with pytest.raises(errors.UnavailableError, match=f"unreachable: no answer from {server.url}") as failed:
            await me.games()
        assert failed.value.__suppress_context__  # users see one sentence, not sixty lines of traceback
        assert len(server.requests) == 1


async def test_retry_after_sets_the_pause_before_the_next_try() -> None:
    soon = problem(503, "closing", Retry_After="1")
    retry = RetryPolicy(first_pause=0.01, longest_pause=2)
    async with misbehaving_server(soon, GAMES) as server, EngineClient.connect(server.url, retry=retry) as me:
        began = time.monotonic()
        await me.games()
        assert time.monotonic() - began >= 1


@pytest.mark.parametrize("code", [429, 503])
async def test_a_long_retry_after_is_left_to_the_caller(code: int) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    async with (
        misbehaving_server(problem(code, "x", Retry_After=later)) as server,
        EngineClient.connect(server.url) as me,
    ):
        with pytest.raises((errors.TooManyRequestsError, errors.UnavailableError)) as raised:
            await me.games()
        assert 3500 < (raised.value.retry_after or 0) <= 3600
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "nonsense",
    [
        pytest.param(answer(200, b"<html>Log in to the airport's network</html>", "text/html"), id="a portal"),
        pytest.param(answer(200, b'{"games": 3}'), id="another shape"),
        pytest.param(answer(200, b'"\xff\xfe"'), id="no UTF-8"),
        pytest.param(answer(200), id="nothing"),
        pytest.param(answer(301, Location="https://elsewhere.example/"), id="a redirection"),
        pytest.param(answer(304), id="not modified, though nothing was known"),
    ],
)
async def test_an_answer_that_is_not_of_this_api_raises_its_own_error(nonsense: bytes) -> None:
    async with misbehaving_server(nonsense) as server, EngineClient.connect(server.url, retry=QUICK) as me:
        with pytest.raises(errors.BadAnswerError) as raised:
            await me.games()
        assert raised.value.code == "bad_answer"
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "family"),
    [
        (400, "bad_header", errors.MalformedError),
        (401, "wrong_token", errors.UnauthorizedError),
        (403, "not_host", errors.ForbiddenError),
        (404, "no_such_table", errors.NotFoundError),
        (409, "table_full", errors.ConflictError),
        (412, "stale", errors.StaleError),
        (415, "unsupported_media_type", errors.MalformedError),
        (422, "key_reused", errors.KeyReusedError),
        (422, "impossible", errors.MalformedError),
        (422, "must_beat", errors.IllegalMoveError),
        (418, "no_code_that_we_know", errors.MalformedError),
    ],
)
async def test_each_family_of_problems_has_its_class(status: int, code: str, family: type[errors.EngineError]) -> None:
    async with misbehaving_server(problem(status, code)) as server, EngineClient.connect(server.url) as me:
        with pytest.raises(errors.EngineError) as raised:
            await me.games()
        assert type(raised.value) is family
        assert raised.value.code == code
        assert len(server.requests) == 1


async def test_the_status_of_a_problem_is_that_of_the_answer() -> None:
    contradiction = answer(404, {"type": "about:blank", "title": "Fine", "status": 200, "code": "fine"})
    async with misbehaving_server(contradiction) as server, EngineClient.connect(server.url) as me:
        with pytest.raises(errors.NotFoundError):
            await me.games()


async def test_every_call_sends_key_language_and_request_id() -> None:
    ids = iter(["first", None, "third"])
    async with (
        misbehaving_server(GAMES) as server,
        EngineClient.connect(server.url, api_key="sesame", language="it", request_id=lambda: next(ids)) as me,
    ):
        for _ in range(3):
            await me.games()
        sent = [request.headers for request in server.requests]
        assert {(headers["X-API-Key"], headers["Accept-Language"]) for headers in sent} == {("sesame", "it")}
        assert [headers["X-Request-ID"] for headers in sent] == ["first", None, "third"]


async def test_a_path_segment_is_quoted() -> None:
    async with misbehaving_server(problem(404, "no_such_table")) as server, EngineClient.connect(server.url) as me:
        with pytest.raises(errors.NotFoundError):
            await me.table("../games?x=1#y")
        assert server.requests[0].line == "GET /v1/tables/..%2Fgames%3Fx=1%23y HTTP/1.1"


@pytest.mark.parametrize("address", ["127.0.0.1:8080", "localhost", "", "ftp://inn.example", "http://"])
async def test_an_invalid_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(ValueError, match="an engine's address looks like"):
        async with EngineClient.connect(address):
            pass


@given(st.one_of(st.text(), st.from_regex(r"\A\w{3}, \d+ \w{3} \d+ \d+:\d+:\d+ [+-]?\w+\Z"), st.integers().map(str)))
@example("9" * 400)
@example("Thu, 01 Jan 0001 00:00:00 +2359")
@example("Fri, 31 Dec 9999 23:59:59 -2359")
def test_any_retry_after_gives_a_pause_or_none(header: str) -> None:
    pause = retry_after_seconds(header)
    assert pause is None or pause >= 0


# --- streams


async def following(url: str, most: int, retry: RetryPolicy = QUICK) -> tuple[list[EventItem], list[str]]:
    """Follow a table for a number of events; return these, and each connection and loss of the stream."""
    items: list[EventItem] = []
    changes: list[str] = []

    def lost(error: errors.EngineError | None) -> None:
        changes.append("the end" if error is None else error.code)

    def connected() -> None:
        changes.append("connected")

    async with (
        EngineClient.connect(url, retry=retry) as me,
        aclosing(me.events(TABLE, connected=connected, lost=lost)) as stream,
    ):
        async for item in stream:
            items.append(item)
            if len(items) == most:
                break
    return items, changes


async def test_a_stream_resumes_after_the_last_event_received() -> None:
    half = event(3)[:-5]
    scripts = (
        stream(event(1), event(2), half),
        b"SMTP ready\r\n\r\n",
        problem(503, "store_down", Retry_After="0"),
        problem(429, "too_many_requests", Retry_After="0"),
        stream(": keep-alive\n\n"),
        stream("retry: 1000\n\n", event(3), event(4)),
    )
    async with misbehaving_server(*scripts) as server:
        items, changes = await following(server.url, 4)
        assert [item.id for item in items] == [1, 2, 3, 4]
        assert [item.table.version for item in items] == [1, 2, 3, 4]
        came = [loss for loss in changes if loss != "connected"]
        assert came == ["the end", "unreachable", "store_down", "too_many_requests", "the end"]
        assert changes.count("connected") == 3
        assert [request.headers["Last-Event-ID"] for request in server.requests] == [None, "2", "2", "2", "2", "2"]


async def test_what_further_seats_see_comes_whole_however_often_the_stream_breaks() -> None:
    def seat(version: int | None) -> str:
        return f"event: seat\ndata: {msgspec.json.encode(version and table(version)).decode()}\n\n"

    scripts = (
        stream(seat(1), seat(None), seat(1), event(1), seat(2)),
        stream(seat(2), seat(2), seat(2), event(2)),
    )
    seen: list[tuple[str, int]] = []
    tokens = ("anna", "nobody", "carla")
    async with misbehaving_server(*scripts) as server, EngineClient.connect(server.url, retry=QUICK) as me:
        following_it = me.events(TABLE, seats=tokens, seen=lambda token, view: seen.append((token, view.version)))
        async with aclosing(following_it) as events:
            assert [(await anext(events)).id for _ in range(2)] == [1, 2]
        assert {request.headers["Seat-Tokens"] for request in server.requests} == {"anna,nobody,carla"}
    assert seen == [("anna", 1), ("carla", 1), ("anna", 2), ("anna", 2), ("nobody", 2), ("carla", 2)]


async def test_however_many_streams_are_open_a_call_is_answered() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        following_it = b"/events" in await reader.readuntil(b"\r\n\r\n")
        writer.write(stream(event(1)) if following_it else answer(200, table(1)))
        await writer.drain()
        if following_it:
            await reader.read()

    async with (
        stream_server(serve) as port,
        EngineClient.connect(f"http://127.0.0.1:{port}", retry=QUICK) as me,
        AsyncExitStack() as streams,
    ):
        for _ in range(101):
            await anext(await streams.enter_async_context(aclosing(me.events(TABLE))))
        assert (await me.table(TABLE)).version == 1


async def test_a_silent_stream_is_requested_again() -> None:
    async with misbehaving_server(HANG, stream(event(1))) as server:
        items, changes = await following(server.url, 1, HURRIED)
        assert [item.id for item in items] == [1]
        assert changes == ["unreachable", "connected"]


@pytest.mark.parametrize(
    "nonsense",
    [
        pytest.param(answer(200, b"<html></html>", "text/html"), id="a page"),
        pytest.param(stream("data: 17\n\n"), id="no id"),
        pytest.param(stream("id: 1\ndata: {}\n\n"), id="no table"),
        pytest.param(stream("event: seat\ndata: null\n\n"), id="more seats than were asked for"),
        pytest.param(stream(event(1))[:-40] + b"\xff\n\n", id="no UTF-8"),
        pytest.param(stream(f"data: {'x' * 1_000_000}\n\n"), id="endless"),
    ],
)
async def test_a_stream_that_is_not_of_this_api_raises_its_own_error(nonsense: bytes) -> None:
    async with misbehaving_server(nonsense) as server:
        with pytest.raises(errors.BadAnswerError):
            await following(server.url, 1)


async def test_a_stream_of_a_table_that_is_gone_ends() -> None:
    async with misbehaving_server(stream(event(1)), problem(404, "no_such_table")) as server:
        with pytest.raises(errors.NotFoundError):
            await following(server.url, 2)


@given(cuts=st.lists(st.integers(0, 3000), min_size=1, max_size=4))
async def test_wherever_a_stream_is_cut_no_event_is_lost_or_repeated(cuts: list[int]) -> None:
    """The server resumes after the client's last event id, and cuts each connection after a number of bytes."""
    events = [event(version) for version in range(1, 5)]
    async with misbehaving_server(*_script(events, cuts)) as server:
        items, _ = await following(server.url, len(events))
        assert [item.id for item in items] == [1, 2, 3, 4]


def _script(events: list[str], cuts: list[int]) -> list[bytes]:
    """Return an engine's answers to a client that resumes; each connection is cut after a number of bytes."""
    done, answers = 0, []
    for cut in cuts:
        whole = stream(*events[done:])
        answers.append(whole[:cut])
        done += sum(len(stream(*events[done : end + 1])) <= cut for end in range(done, len(events)))
    return [*answers, stream(*events[done:])]


async def test_an_exception_says_which_part_of_the_request_is_invalid() -> None:
    malformed = answer(
        400,
        {"type": "/problems/malformed", "title": "Invalid", "status": 400, "code": "malformed"}
        | {"detail": "too long", "field": "name"},
    )
    async with misbehaving_server(malformed) as server, EngineClient.connect(server.url) as me:
        with pytest.raises(errors.MalformedError, match="malformed in `name`: too long"):
            await me.open_table(OpenTable("ramino", "Anna"))
