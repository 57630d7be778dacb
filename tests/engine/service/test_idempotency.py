"""Repeated requests with an `Idempotency-Key`."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import structs

from locanda.messages import JsonObject
from services.engine.store import connect
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players

KEY = {"Idempotency-Key": "a-key-that-nobody-guesses"}
OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}


@pytest.fixture
async def engine(redis_url: str | None) -> AsyncIterator[RunningEngine]:
    """An engine on each kind of store."""
    async with running_engine(NO_LIMITS, await connect(redis_url)) as running:
        yield running


async def test_opening_again_with_the_same_key_gives_the_same_table_and_token(engine: RunningEngine) -> None:
    first, second = [await engine.post("/v1/tables", OPEN, headers=KEY) for _ in range(2)]
    assert (first.status, second.status) == (201, 201)
    assert first.body == second.body
    assert first.headers["Location"] == second.headers["Location"]
    assert (await engine.get(first.headers["Location"], token=second.json["token"])).json["you"] == 0


async def test_a_repeated_answer_says_that_it_is_one(engine: RunningEngine) -> None:
    body, headers = {"game": "gatto_rosso", "name": "Anna"}, {"Idempotency-Key": "a-key-that-nobody-guesses"}
    first, again = [await engine.post("/v1/tables?words=true", body, headers=headers) for _ in range(2)]
    assert again.body == first.body
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"


async def test_sitting_again_with_the_same_key_gives_the_same_seat_and_token(engine: RunningEngine) -> None:
    players = await seat_players(engine, 1)
    path = f"{players.path}/seats"
    first, second = [await engine.post(path, {"name": "Bruno"}, headers=KEY) for _ in range(2)]
    assert first.body == second.body
    assert len((await players.see())["seats"]) == 2
    assert (await engine.get(players.path, token=second.json["token"])).json["you"] == 1


async def test_who_takes_seats_again_and_again_takes_nobodys_answer_away() -> None:
    settings = structs.replace(NO_LIMITS, engine_trusted_proxies="127.0.0.1")
    async with running_engine(settings) as engine:
        players = await seat_players(engine, 1)
        path = f"{players.path}/seats"

        async def sit(key: str, client: str) -> Any:
            headers = {"Idempotency-Key": key, "X-Forwarded-For": client}
            answer = await engine.post(path, {"name": client}, headers=headers)
            assert answer.status == 201
            return answer.json

        first = await sit("of-a-person-who-waits", "192.0.2.1")
        for number in range(20):
            seat = await sit(f"of-a-stranger-{number:08}", "192.0.2.2")
            await engine.ask("DELETE", f"{path}/{seat['seat']}", token=seat["token"])
        assert (await sit("of-a-person-who-waits", "192.0.2.1"))["token"] == first["token"]


async def test_a_repeated_move_is_played_once_even_when_sent_many_times_at_once(engine: RunningEngine) -> None:
    players = await seat_players(engine)
    await players.start()
    turn = await players.turn()
    move = (await players.see(turn))["moves"][0]

    async def play() -> bytes:
        body = {"move": move}
        answer = await engine.post(f"{players.path}/moves", body, token=players.tokens[turn], headers=KEY)
        assert answer.status == 200
        return answer.body

    bodies = await asyncio.gather(*(play() for _ in range(8)))
    assert len(set(bodies)) == 1
    assert (await players.see())["version"] == 5


async def test_many_who_open_at_once_with_one_key_get_one_table(engine: RunningEngine) -> None:
    answers = await asyncio.gather(*(engine.post("/v1/tables", OPEN, headers=KEY) for _ in range(8)))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body for answer in answers}) == 1


async def test_a_repetition_succeeds_although_the_table_has_moved_on(playing: SeatedPlayers) -> None:
    turn, version = await playing.turn(), (await playing.see())["version"]
    headers = KEY | {"If-Match": f'"{version}"'}
    body = {"move": (await playing.see(turn))["moves"][0]}
    ask = (f"{playing.path}/moves", body)
    first = await playing.engine.post(*ask, token=playing.tokens[turn], headers=headers)
    await playing.play()
    again = await playing.engine.post(*ask, token=playing.tokens[turn], headers=headers)
    assert (again.status, again.body) == (200, first.body)


async def test_a_key_is_good_for_one_request_only(engine: RunningEngine) -> None:
    assert (await engine.post("/v1/tables", OPEN, headers=KEY)).status == 201
    other = await engine.post("/v1/tables", OPEN | {"name": "Bruno"}, headers=KEY)
    assert (other.status, other.code) == (422, "key_reused")


async def test_a_key_used_for_one_path_is_not_good_for_another(players: SeatedPlayers) -> None:
    host = players.tokens[0]
    assert (await players.engine.post(f"{players.path}/start", token=host, headers=KEY)).status == 200
    other = await players.engine.post(f"{players.path}/seats/0/return", token=host, headers=KEY)
    assert (other.status, other.code) == (422, "key_reused")


async def test_the_same_key_of_two_callers_is_two_keys(playing: SeatedPlayers) -> None:
    first, second = await playing.play(headers=KEY), await playing.play(headers=KEY)
    assert (first.status, second.status) == (200, 200)
    assert first.body != second.body


async def test_a_refusal_is_not_kept_under_the_key(players: SeatedPlayers) -> None:
    path = f"{players.path}/moves"
    before = await players.engine.post(path, {"move": {"type": "pass"}}, token=players.tokens[0], headers=KEY)
    assert before.code == "not_playing"
    await players.start()
    after = await players.engine.post(path, {"move": {"type": "pass"}}, token=players.tokens[0], headers=KEY)
    assert after.code in ("not_your_turn", "must_lead")


@pytest.mark.parametrize("key", ["", "x" * 129, "chiàve-lunga-abbastanza", "short-key"])
async def test_a_bad_key_is_refused_before_anything_happens(engine: RunningEngine, key: str) -> None:
    answer = await engine.post("/v1/tables", OPEN, headers={"Idempotency-Key": key})
    assert (answer.status, answer.code, answer.json["field"]) == (400, "bad_header", "Idempotency-Key")


async def test_a_short_key_is_enough_where_no_token_comes_from_it(players: SeatedPlayers) -> None:
    path, key = f"{players.path}/start", {"Idempotency-Key": "1"}
    assert (await players.engine.post(path, token=players.tokens[0], headers=key)).status == 200
