"""Versions of tables: `ETag`, `If-Match`, `If-None-Match`, and simultaneous writes."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.engine.settings import EngineSettings
from services.engine.store import connect
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players
from tests.redis_server import RedisServer

KEY = {"Idempotency-Key": "a-key-that-nobody-guesses"}


@pytest.fixture
async def engine(redis_url: str | None) -> AsyncIterator[RunningEngine]:
    """An engine on each kind of store."""
    async with running_engine(NO_LIMITS, await connect(redis_url)) as running:
        yield running


async def test_the_version_is_the_entity_tag(players: SeatedPlayers) -> None:
    answer = await players.engine.get(players.path)
    assert answer.headers["ETag"] == f'"{answer.json["version"]}"'


@pytest.mark.parametrize("tag", ['"3"', 'W/"3"', '"1", "3"', "*"])
async def test_a_known_version_is_not_sent_again(players: SeatedPlayers, tag: str) -> None:
    answer = await players.engine.get(players.path, headers={"If-None-Match": tag})
    assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", '"3"')


@pytest.mark.parametrize("tag", ['"2"', '"33"', "3", "nonsense", '"3-it"'])
async def test_another_version_is_sent(players: SeatedPlayers, tag: str) -> None:
    assert (await players.engine.get(players.path, headers={"If-None-Match": tag})).status == 200


@pytest.mark.parametrize("tag", ['"2"', '"4"', '"x"', '"03"'])
async def test_a_write_for_another_version_is_stale(players: SeatedPlayers, tag: str) -> None:
    path, host = f"{players.path}/start", players.tokens[0]
    answer = await players.engine.post(path, token=host, headers={"If-Match": tag})
    assert (answer.status, answer.code, answer.json["version"]) == (412, "stale", 3)
    assert answer.headers["ETag"] == '"3"'
    assert (await players.see())["version"] == 3


async def test_an_answer_in_words_is_known_in_its_language_alone(players: SeatedPlayers) -> None:
    async def look(language: str, tag: str) -> int:
        headers = {"Accept-Language": language, "If-None-Match": tag}
        answer = await players.engine.get(f"{players.path}?words=true", headers=headers)
        assert answer.headers["ETag"] == f'"3-{language}"'
        return answer.status

    assert [await look("it", tag) for tag in ('"3-it"', 'W/"3-it"', '"3-en"', '"3"')] == [304, 304, 200, 200]
    assert await look("en", '"3-it"') == 200
    plain = await players.engine.get(players.path, headers={"If-None-Match": '"3-it"'})
    assert (plain.status, plain.headers["ETag"]) == (200, '"3"')


@pytest.mark.parametrize("tag", ['"3"', "*", '"3-it"'])
async def test_a_write_for_this_version_is_taken(players: SeatedPlayers, tag: str) -> None:
    answer = await players.engine.post(f"{players.path}/start", token=players.tokens[0], headers={"If-Match": tag})
    assert (answer.status, answer.headers["ETag"]) == (200, '"4"')


async def test_a_move_is_compared_with_the_cards_that_its_player_saw(players: SeatedPlayers) -> None:
    await players.start()
    seen = await players.see()
    turn = seen["deal"]["turn"]
    leaver = next(seat for seat in range(3) if seat != turn)
    await players.engine.ask("DELETE", f"{players.path}/seats/{leaver}", token=players.tokens[leaver])
    mover = players.tokens[turn]
    moves = (await players.engine.get(f"{players.path}/moves", token=mover)).json["moves"]
    seen_then = {"If-Match": f'"{seen["version"]}"'}
    played = await players.engine.post(f"{players.path}/moves", {"move": moves[0]}, token=mover, headers=seen_then)
    assert played.status == 200
    again = await players.engine.post(f"{players.path}/moves", {"move": moves[0]}, token=mover, headers=seen_then)
    assert (again.status, again.code) == (412, "stale")


async def test_a_start_is_compared_with_the_seats_and_settings_that_the_host_saw(players: SeatedPlayers) -> None:
    seen = {"If-Match": f'"{(await players.see())["version"]}"'}
    for name in ("Bice", "Berta"):
        await players.engine.ask("PUT", f"{players.path}/seats/1/name", {"name": name}, token=players.tokens[1])
    await players.engine.ask("PUT", f"{players.path}/seats/2/seed", {"client_seed": "a seed"}, token=players.tokens[2])
    assert (await players.engine.post(f"{players.path}/start", token=players.tokens[0], headers=seen)).status == 200


async def test_a_name_and_a_seed_that_a_seat_has_already_change_nothing(players: SeatedPlayers) -> None:
    path, token = f"{players.path}/seats/1", players.tokens[1]
    await players.engine.ask("PUT", f"{path}/seed", {"client_seed": "a seed"}, token=token)
    before = await players.see()
    for change, body in (("name", {"name": before["seats"][1]["name"]}), ("seed", {"client_seed": "a seed"})):
        answer = await players.engine.ask("PUT", f"{path}/{change}", body, token=token)
        assert (answer.status, answer.json["version"]) == (200, before["version"])
    assert await players.see() == before


async def test_a_start_for_other_seats_or_settings_is_stale(players: SeatedPlayers) -> None:
    seen = {"If-Match": f'"{(await players.see())["version"]}"'}
    await players.engine.ask("PATCH", players.path, {"turn_seconds": 30}, token=players.tokens[0])
    answer = await players.engine.post(f"{players.path}/start", token=players.tokens[0], headers=seen)
    assert (answer.status, answer.code) == (412, "stale")


async def test_a_weak_tag_is_refused_with_the_reason(players: SeatedPlayers) -> None:
    path, host = f"{players.path}/start", players.tokens[0]
    answer = await players.engine.post(path, token=host, headers={"If-Match": 'W/"3"'})
    assert (answer.status, answer.code) == (400, "bad_header")
    assert answer.json["detail"].endswith("a weak tag never matches")


@pytest.mark.parametrize("tag", ["3", "x", '"3', '"3", "4"', ","])
async def test_if_match_is_one_entity_tag(players: SeatedPlayers, tag: str) -> None:
    answer = await players.engine.post(f"{players.path}/start", token=players.tokens[0], headers={"If-Match": tag})
    assert (answer.status, answer.code, answer.json["field"]) == (400, "bad_header", "If-Match")


async def test_people_who_sit_down_at_once_get_different_seats(engine: RunningEngine) -> None:
    players = await seat_players(engine, 1)
    sat = await asyncio.gather(*(engine.post(f"{players.path}/seats", {"name": f"P{n}"}) for n in range(9)))
    assert sorted(answer.json["seat"] for answer in sat) == list(range(1, 10))
    assert len({answer.json["token"] for answer in sat}) == 9


async def test_a_table_opened_on_one_replica_is_played_on_another(redis_server: RedisServer) -> None:
    settings = EngineSettings(redis_url=redis_server.url, engine_client_cpu_ms=0, engine_writes_per_second=0)
    async with running_engine(settings) as one, running_engine(settings) as other:
        players = await seat_players(one)
        players.engine = other
        await players.start()
        first = await players.play(headers=KEY)
        assert first.status == 200
        assert (await one.get(players.path)).json["version"] == 5
