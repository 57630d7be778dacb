"""The limits of a client, and their headers (draft-ietf-httpapi-ratelimit-headers-11)."""

import asyncio
import re
from contextlib import AsyncExitStack

import aiohttp
import pytest

from locanda.messages import JsonObject
from services.engine.http.server import admission
from services.engine.http.server.limits import LimitPolicy
from services.engine.service.accounts import group_of
from services.engine.settings import EngineSettings, load
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    captured_logs,
    running_engine,
    seat_players,
)
from tests.redis_server import RedisServer
from tests.waiting import until

OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}
SIT: JsonObject = {"name": "Bruno"}


def _left(answer: ApiResponse) -> tuple[str, int, int | None]:
    """Return the remaining quota from a response: the policy, the remaining amount, and the seconds until the reset."""
    match = re.fullmatch(r'"([a-z]+)";r=([0-9]+)(?:;t=([0-9]+))?', answer.headers["RateLimit"])
    assert match
    return match[1], int(match[2]), int(match[3]) if match[3] else None


def _refused(answer: ApiResponse, policy: str) -> None:
    """Check that the response is a refusal whose headers agree with one another."""
    assert (answer.status, answer.code) == (429, "too_many_requests")
    name, left, until = _left(answer)
    assert answer.headers["RateLimit-Policy"] == policy
    assert policy.startswith(f'"{name}"')
    assert left == 0
    wait = int(answer.headers["Retry-After"])
    assert wait >= 1
    assert until in (None, wait)


@pytest.mark.parametrize("what", ["tables", "seats"])
async def test_tables_and_seats_are_counted_by_the_minute(what: str) -> None:
    settings = EngineSettings(
        engine_tables_per_minute=2 * (what == "tables"), engine_seats_per_minute=2 * (what == "seats")
    )
    async with running_engine(settings) as engine:
        path, body = "/v1/tables", OPEN
        if what == "seats":
            path, body = f"{(await seat_players(engine, 1)).path}/seats", SIT
        policy = f'"{what}";q=2;w=60'
        for left in (1, 0):
            answer = await engine.post(path, body | {"name": f"Ospite {left}"})
            assert (answer.status, answer.headers["RateLimit-Policy"]) == (201, policy)
            name, remaining, until = _left(answer)
            assert (name, remaining) == (what, left)
            assert until
            assert 1 <= until <= 60
        _refused(await engine.post(path, body), policy)


async def test_a_seat_for_a_computer_player_counts_as_one() -> None:
    async with running_engine(EngineSettings(engine_seats_per_minute=1)) as engine:
        players = await seat_players(engine, 1)
        body = {"name": "Zeno", "kind": "computer"}
        answers = [await engine.post(f"{players.path}/seats", body, token=players.tokens[0]) for _ in range(2)]
        assert [answer.status for answer in answers] == [201, 429]


@pytest.mark.parametrize("what", ["tables", "seats"])
async def test_a_repetition_under_its_key_is_answered_though_the_limit_is_spent(what: str) -> None:
    settings = EngineSettings(
        engine_tables_per_minute=1 + (what == "seats"), engine_seats_per_minute=int(what == "seats")
    )
    async with running_engine(settings) as engine:
        path, body = "/v1/tables", OPEN
        if what == "seats":
            path, body = f"{(await seat_players(engine, 1)).path}/seats", SIT
        key = {"Idempotency-Key": "a-key-that-nobody-guesses"}
        first = await engine.post(path, body, headers=key)
        again = await engine.post(path, body, headers=key)
        assert (first.status, again.status, again.json) == (201, 201, first.json)
        assert _left(again)[:2] == (what, 0)
        assert "Retry-After" not in again.headers
        other = {"Idempotency-Key": "another-key-that-nobody-guesses"}
        for refused in (await engine.post(path, body), await engine.post(path, body, headers=other)):
            _refused(refused, f'"{what}";q=1;w=60')


async def test_all_replicas_count_together(redis_server: RedisServer) -> None:
    settings = EngineSettings(redis_url=redis_server.url, engine_tables_per_minute=2)
    async with running_engine(settings) as one, running_engine(settings) as other:
        answers = [await engine.post("/v1/tables", OPEN) for engine in (one, other, one)]
    assert [answer.status for answer in answers] == [201, 201, 429]


async def test_without_redis_limits_let_pass_and_the_store_is_down(
    mortal_redis: RedisServer,
) -> None:
    mortal_redis.kill()
    async with running_engine(EngineSettings(redis_url=mortal_redis.url, engine_tables_per_minute=1)) as engine:
        answers = [await engine.post("/v1/tables", OPEN) for _ in range(2)]
    assert [answer.code for answer in answers] == ["store_down"] * 2


async def test_streams_are_counted_while_they_last() -> None:
    async with running_engine(EngineSettings(engine_streams=2)) as engine:
        url = engine.url(f"{(await seat_players(engine, 1)).path}/events")
        async with engine.session.get(url) as first:
            assert first.headers["RateLimit-Policy"] == '"streams";q=2;qu="concurrent-requests"'
            assert first.headers["RateLimit"] == '"streams";r=1'
            async with engine.session.get(url) as second:
                assert second.headers["RateLimit"] == '"streams";r=0'
                _refused(await engine.get(url.partition(str(engine.server.port))[2]), first.headers["RateLimit-Policy"])


async def test_a_client_with_too_many_streams_loses_its_oldest_which_is_resumed_without_a_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("services.engine.http.server.connection_tracker.LEAST_SECONDS", 0.0)
    async with running_engine(EngineSettings(engine_streams=2)) as engine, asyncio.timeout(60):
        players = await seat_players(engine, 1)
        url = engine.url(f"{players.path}/events")
        async with engine.session.get(url) as oldest, engine.session.get(url) as older:
            before = await _next_id(oldest)
            async with engine.session.get(url) as newest:
                assert newest.headers["RateLimit"] == '"streams";r=0'
                await oldest.content.read()
                assert engine.context.tracker.streams == 2
                await engine.post(f"{players.path}/seats", SIT)
                assert [await _next_id(older) for _ in range(2)] == [before, before + 1]
                assert await _next_id(newest) == before
                async with engine.session.get(url, headers={"Last-Event-ID": str(before)}) as resumed:
                    assert await _next_id(resumed) == before + 1
                    assert engine.context.tracker.streams == 2
        await until(lambda: not engine.context.tracker.streams)


async def test_streams_that_nobody_reads_keep_no_client_from_following_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("services.engine.http.server.connection_tracker.LEAST_SECONDS", 0.0)
    async with running_engine(EngineSettings(engine_streams=3)) as engine, asyncio.timeout(60):
        path = f"{(await seat_players(engine, 1)).path}/events"
        gone = [await asyncio.open_connection("127.0.0.1", engine.server.port) for _ in range(3)]
        for _, writer in gone:
            writer.write(b"GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n" % path.encode())
        await until(lambda: engine.context.tracker.streams == 3)
        async with AsyncExitStack() as stack:
            again = [await stack.enter_async_context(engine.session.get(engine.url(path))) for _ in range(3)]
            assert [answer.status for answer in again] == [200, 200, 200]
            for answer in again:
                await _next_id(answer)
            for reader, writer in gone:
                await reader.readuntil(b"\r\n0\r\n\r\n")
                writer.close()
            assert engine.context.tracker.streams == 3


async def _next_id(stream: aiohttp.ClientResponse) -> int:
    """Return the id of a stream's next event."""
    while not (line := await stream.content.readline()).startswith(b"id: "):
        assert line
    return int(line.removeprefix(b"id: "))


async def test_long_polls_count_as_streams_while_they_wait() -> None:
    async with running_engine(EngineSettings(engine_streams=1)) as engine:
        table = await seat_players(engine, 1)
        poll = f"{table.path}?after={(await engine.get(table.path)).json['version']}&wait=20"
        polling = asyncio.create_task(engine.get(poll))
        await until(lambda: engine.context.tracker.streams == 1)
        _refused(await engine.get(poll), '"streams";q=1;qu="concurrent-requests"')
        assert (await engine.get(table.path)).status == 200
        polling.cancel()
        await until(lambda: not engine.context.tracker.streams)


@pytest.mark.parametrize("path", ["/v1/games", "/healthz", "/metrics", "/nowhere"])
async def test_a_client_over_the_account_is_refused_and_no_other(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.engine.app.BURST", 0.002)
    settings = EngineSettings(engine_client_cpu_ms=1, engine_trusted_proxies="127.0.0.0/8")
    async with running_engine(settings) as engine:
        attacker, other = ({"X-Forwarded-For": address} for address in ("192.0.2.1", "192.0.2.2"))
        answer = await engine.get(path, headers=attacker)
        assert answer.status != 429
        while answer.status != 429:
            answer = await engine.get(path, headers=attacker)
        _refused(answer, '"processor";q=1;w=1')
        assert (await engine.get("/v1/games", headers=other)).status == 200


async def test_whoever_is_refused_may_go_on_after_the_time_that_the_answer_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("services.engine.app.BURST", 0.002)
    async with running_engine(EngineSettings(engine_client_cpu_ms=50)) as engine:
        while (answer := await engine.get("/v1/games")).status != 429:
            pass
        await asyncio.sleep(int(answer.headers["Retry-After"]))
        assert (await engine.get("/v1/games")).status == 200


def test_an_engine_whose_settings_still_limit_requests_starts() -> None:
    assert load({"ENGINE_REQUESTS_PER_SECOND": "1000"}) == EngineSettings()


async def test_the_writes_of_a_seat_are_counted_by_the_second_and_nobody_elses() -> None:
    async with running_engine(EngineSettings(engine_writes_per_second=3)) as engine:
        players = await seat_players(engine)
        seed = {"client_seed": "a"}
        path = f"{players.path}/seats/0/seed"
        answers = [await engine.ask("PUT", path, seed, token=players.tokens[0]) for _ in range(8)]
        refused = [answer for answer in answers if answer.status == 429]
        assert refused
        for answer in refused:
            _refused(answer, '"writes";q=3;w=1')
        for _ in range(8):
            await engine.ask("PUT", path, seed, token="A" * 43)
        other = await engine.ask("PUT", f"{players.path}/seats/1/seed", seed, token=players.tokens[1])
        assert other.status == 200
        assert (await engine.get(players.path, token=players.tokens[0])).status == 200


async def test_a_client_has_so_many_tables_in_the_list_at_a_time() -> None:
    async with running_engine(EngineSettings(engine_listed_tables=2, engine_writes_per_second=0)) as engine:
        listed = {"listed": True}
        first, _ = [await seat_players(engine, listed=True) for _ in range(2)]
        key = {"Idempotency-Key": "a-key-that-nobody-knows"}
        refused = await engine.post("/v1/tables", OPEN | listed, headers=key)
        assert (refused.status, refused.code) == (429, "too_many_requests")
        assert refused.headers["RateLimit-Policy"] == '"listed";q=2;qu="concurrent-requests"'
        unlisted = await seat_players(engine)
        change = ("PATCH", unlisted.path, listed)
        assert (await engine.ask(*change, token=unlisted.tokens[0])).status == 429
        assert (await engine.ask("PATCH", first.path, listed, token=first.tokens[0])).status == 200
        await first.start()
        assert (await engine.post("/v1/tables", OPEN | listed, headers=key)).status == 429
        await first.play_out()
        assert (await engine.post("/v1/tables", OPEN | listed, headers=key)).status == 201
        assert (await engine.post("/v1/tables", OPEN | listed, headers=key)).status == 201
        many = await asyncio.gather(*(engine.post("/v1/tables", OPEN | listed) for _ in range(4)))
        assert {answer.status for answer in many} == {429}


async def test_without_limits_no_response_has_their_headers(engine: RunningEngine) -> None:
    assert not NO_LIMITS.engine_tables_per_minute
    answer = await engine.post("/v1/tables", OPEN)
    assert not {"RateLimit", "RateLimit-Policy"} & answer.headers.keys()


def test_the_headers_of_a_policy_are_those_of_the_draft() -> None:
    assert LimitPolicy("tables", 300, "", 60).headers(299, 42) == {
        "RateLimit-Policy": '"tables";q=300;w=60',
        "RateLimit": '"tables";r=299;t=42',
    }


async def test_the_requests_of_a_client_have_so_many_log_lines_a_second_and_refused_ones_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admission, "LINES", 3)
    async with running_engine(EngineSettings(engine_client_cpu_ms=1000)) as engine:
        monkeypatch.setattr(engine.context.admission._lines, "_seconds", 3600)
        with captured_logs() as log:
            for _ in range(8):
                await engine.get("/v1/games")
        assert log.getvalue().count('"event":"request"') == 3
        assert not engine.context.admission.logs(group_of("127.0.0.1"), admitted=False)
        assert [engine.context.admission.logs(group_of("x"), admitted=False) for _ in range(3)] == [True, False, False]
