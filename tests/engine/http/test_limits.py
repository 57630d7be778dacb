"""What one client may do, and how an answer tells it (draft-ietf-httpapi-ratelimit-headers-11)."""

import re

import pytest

from services.engine.http.policies import Policy
from services.engine.settings import Settings
from tests.engine.http.house import FREE, Answer, House, JsonObject, gather, house
from tests.redis_server import RedisServer

OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}
SIT: JsonObject = {"name": "Bruno"}


def _left(answer: Answer) -> tuple[str, int, int | None]:
    """What an answer says is left: of which policy, how much, and until when."""
    found = re.fullmatch(r'"([a-z]+)";r=([0-9]+)(?:;t=([0-9]+))?', answer.headers["RateLimit"])
    assert found
    return found[1], int(found[2]), int(found[3]) if found[3] else None


def _refused(answer: Answer, policy: str) -> None:
    """The answer is a refusal whose headers agree with one another."""
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
    settings = Settings(engine_tables_per_minute=2 * (what == "tables"), engine_seats_per_minute=2 * (what == "seats"))
    async with house(settings) as engine:
        path, body = "/v1/tables", OPEN
        if what == "seats":
            path, body = f"{(await gather(engine, 1)).path}/seats", SIT
        policy = f'"{what}";q=2;w=60'
        for left in (1, 0):
            answer = await engine.post(path, body)
            assert (answer.status, answer.headers["RateLimit-Policy"]) == (201, policy)
            name, told, until = _left(answer)
            assert (name, told) == (what, left)
            assert until
            assert 1 <= until <= 60
        _refused(await engine.post(path, body), policy)


async def test_a_seat_for_a_computer_player_counts_as_one() -> None:
    async with house(Settings(engine_seats_per_minute=1)) as engine:
        players = await gather(engine, 1)
        body = {"name": "Zeno", "kind": "computer"}
        answers = [await engine.post(f"{players.path}/seats", body, token=players.tokens[0]) for _ in range(2)]
        assert [answer.status for answer in answers] == [201, 429]


async def test_all_replicas_count_together(redis_server: RedisServer) -> None:
    settings = Settings(redis_url=redis_server.url, engine_tables_per_minute=2)
    async with house(settings) as one, house(settings) as other:
        answers = [await engine.post("/v1/tables", OPEN) for engine in (one, other, one)]
    assert [answer.status for answer in answers] == [201, 201, 429]


async def test_limits_that_cannot_count_let_pass_and_the_store_itself_says_that_it_is_down(
    mortal_redis: RedisServer,
) -> None:
    mortal_redis.kill()
    async with house(Settings(redis_url=mortal_redis.url, engine_tables_per_minute=1)) as engine:
        answers = [await engine.post("/v1/tables", OPEN) for _ in range(2)]
    assert [answer.code for answer in answers] == ["store_down"] * 2


async def test_streams_are_counted_while_they_last() -> None:
    async with house(Settings(engine_streams=2)) as engine:
        url = engine.url(f"{(await gather(engine, 1)).path}/events")
        async with engine.session.get(url) as first:
            assert first.headers["RateLimit-Policy"] == '"streams";q=2;qu="concurrent-requests"'
            assert first.headers["RateLimit"] == '"streams";r=1'
            async with engine.session.get(url) as second:
                assert second.headers["RateLimit"] == '"streams";r=0'
                _refused(await engine.get(url.partition(str(engine.server.port))[2]), first.headers["RateLimit-Policy"])


async def test_requests_are_counted_by_the_second() -> None:
    async with house(Settings(engine_requests_per_second=3)) as engine:
        answers = [await engine.get("/v1/games") for _ in range(8)]
        refused = [answer for answer in answers if answer.status == 429]
        assert refused
        for answer in refused:
            _refused(answer, '"requests";q=3;w=1')
        assert (await engine.get("/healthz")).status == 200


async def test_without_limits_no_answer_tells_any(engine: House) -> None:
    assert not FREE.engine_tables_per_minute
    answer = await engine.post("/v1/tables", OPEN)
    assert not {"RateLimit", "RateLimit-Policy"} & answer.headers.keys()


def test_a_policy_is_told_as_the_draft_writes_it() -> None:
    assert Policy("tables", 300, "", 60).told(299, 42) == {
        "RateLimit-Policy": '"tables";q=300;w=60',
        "RateLimit": '"tables";r=299;t=42',
    }
