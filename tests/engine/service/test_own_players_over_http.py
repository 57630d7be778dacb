"""Own players over HTTP: other people's servers choose a seat's moves, and most of them are hostile."""

import asyncio
import hmac
import json
from asyncio import StreamWriter
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from typing import Any

import pytest
from msgspec import structs

from locanda.messages import JsonObject
from services.common.fair_queue import Bounds
from services.engine.service import own_players
from services.engine.settings import EngineSettings
from tests.engine.http.api.handlers.test_admin import ADMIN_KEY, Operated, operated, until_administered
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, captured_logs, quicken_clocks, running_engine
from tests.engine.http.own_player_servers import (
    HOSTILE,
    Answer,
    PlayerServer,
    failing,
    last_move,
    whatever,
)
from tests.redis_server import RedisServer
from tests.stream_server import stream_server
from tests.waiting import until

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
LOCAL = structs.replace(NO_LIMITS, engine_outbound_private="127.0.0.0/8")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, inline: None) -> None:
    quicken_clocks(monkeypatch)


@asynccontextmanager
async def engine_with(answer: Answer, settings: EngineSettings = LOCAL, more: str = "") -> AsyncIterator[Any]:
    """Run an engine for which an own player named ada is configured."""
    player = PlayerServer(answer)
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(stream_server(player.serve))
        set_ = structs.replace(settings, engine_players=f"ada=http://127.0.0.1:{port}/move{more}")
        yield await stack.enter_async_context(running_engine(set_)), player


async def opened(engine: RunningEngine, *levels: str, game: str = "gatto_rosso", start: bool = True) -> tuple[str, str]:
    """Open a table with computer players and start the match. Return the table's path and the host's token."""
    answer = await engine.post("/v1/tables", {"game": game, "name": "Anna"})
    path, token = f"/v1/tables/{answer.json['table']['id']}", answer.json["token"]
    for level in levels:
        sat = await engine.post(f"{path}/seats", {"name": "Bruno", "kind": "computer", "level": level}, token=token)
        assert sat.status == 201, sat.body
    if start:
        assert (await engine.post(f"{path}/start", token=token)).status == 200
    return path, token


async def play_until(engine: RunningEngine, path: str, token: str, holds: Callable[[JsonObject], bool]) -> JsonObject:
    """Play the host's first legal moves until a condition on the table holds, or the match is over."""
    table: JsonObject = (await engine.get(path, token=token)).json
    while not holds(table) and table["status"] != "over":
        if table["moves"]:
            answer = await engine.post(f"{path}/moves", {"move": table["moves"][0]}, token=token)
            assert answer.status == 200, answer.body
            table = answer.json["table"]
        else:
            seen = await engine.get(f"{path}?after={table['version']}&wait=20", token=token)
            table = (await engine.get(path, token=token)).json if seen.status != 200 else seen.json
    return table


def never(_: JsonObject) -> bool:
    return False


async def test_everything_that_lists_levels_has_the_hosts_players() -> None:
    async with engine_with(last_move) as (engine, _):
        games = (await engine.get("/v1/games")).json["games"]
        assert all(game["levels"] == ["easy", "medium", "hard", "@ada"] for game in games)
        game = (await engine.get("/v1/games/ramino?words=true", headers={"Accept-Language": "it"})).json
        assert (game["levels"][-1], game["words"]["levels"]["@ada"]) == ("@ada", "giocatore ada")


async def test_a_player_of_one_game_is_listed_for_that_game_alone() -> None:
    player = "eva:ramino=https://example.org/,ada=https://example.org/"
    async with running_engine(structs.replace(LOCAL, engine_players=player)) as engine:
        listed = {game["game"]: game["levels"][3:] for game in (await engine.get("/v1/games")).json["games"]}
        assert listed.pop("ramino") == ["@eva", "@ada"]
        assert all(levels == ["@ada"] for levels in listed.values())
        path, token = await opened(engine, start=False)
        refused = await engine.post(f"{path}/seats", {"name": "Eva", "kind": "computer", "level": "@eva"}, token=token)
        assert (refused.status, refused.json["field"]) == (422, "level")
        assert refused.json["detail"] == "there is no such player here; there are easy, medium, hard, @ada"


async def test_an_own_player_plays_a_match_and_sees_its_seat_alone() -> None:
    async with engine_with(last_move, more=f" {SECRET}") as (engine, player):
        path, token = await opened(engine, "@ada", "medium")
        over = await play_until(engine, path, token, never)
        assert over["status"] == "over"
        assert over["seats"][1] | {"name": ""} == {
            "seat": 1, "name": "", "kind": "computer", "level": "@ada", "away": False
        }  # fmt: skip
        assert player.asked
        for headers, body in player.asked:
            request = json.loads(body)
            assert request.keys() == {"view", "moves", "history"}
            assert request["view"]["seat"] == request["view"]["turn"] == 1
            signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
            expected = hmac.digest(b64decode(SECRET.removeprefix("whsec_")), signed, sha256)
            assert b64decode(headers["webhook-signature"].removeprefix("v1,")) == expected
            assert path.rsplit("/", 1)[1].encode() not in body
        ids = Counter(headers["webhook-id"] for headers, _ in player.asked)
        assert max(ids.values()) == 1


async def test_an_engine_may_be_the_own_player_of_another() -> None:
    async with running_engine() as other:
        url = other.url("/v1/games/ramino/suggest")
        async with running_engine(structs.replace(LOCAL, engine_players=f"ada:ramino={url}")) as engine:
            path, token = await opened(engine, "@ada", game="ramino")
            table = await play_until(engine, path, token, lambda table: table["match"]["deal"] > 1)
            assert not table["seats"][1]["away"]
            assert "thinking_fallbacks_total{" not in (await engine.get("/metrics")).body.decode()


@pytest.mark.parametrize("reason", HOSTILE)
async def test_a_hostile_player_is_replaced_for_each_move_and_after_three_for_the_match(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_players, "SECONDS", 0.3 if reason == "late" else 60.0)
    with captured_logs() as logs:
        async with engine_with(HOSTILE[reason]) as (engine, player):
            path, token = await opened(engine, "@ada")
            table = await play_until(engine, path, token, lambda table: table["seats"][1]["away"])
            assert table["seats"][1]["away"]
            assert len(player.asked) == 3
            over = await play_until(engine, path, token, never)
            assert (over["status"], over["seats"][1]["level"]) == ("over", "@ada")
            assert len(player.asked) == 3
            metrics = (await engine.get("/metrics")).body.decode()
            assert f'locanda_thinking_fallbacks_total{{reason="{reason}"}} 3.0' in metrics
            assert (await engine.post(f"{path}/start", token=token)).status == 200
            await play_until(engine, path, token, lambda _: len(player.asked) > 3)
            assert len(player.asked) > 3
    lines = logs.getvalue()
    assert lines.count(f'"reason": "{reason}"') + lines.count(f'"reason":"{reason}"') >= 3
    assert "/move" not in lines.replace("/moves", "")


async def test_one_late_answer_is_forgiven_once_the_next_comes() -> None:
    requests = 0

    async def every_third(body: JsonObject, writer: StreamWriter) -> None:
        nonlocal requests
        requests += 1
        await (last_move if requests % 3 == 0 else failing)(body, writer)

    async with engine_with(every_third) as (engine, _):
        path, token = await opened(engine, "@ada")
        over = await play_until(engine, path, token, never)
        assert requests >= 6
        assert not over["seats"][1]["away"]


async def test_a_player_for_whom_no_place_is_free_in_time_is_not_asked_and_not_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_players, "AT_ONCE", Bounds(places=0))
    monkeypatch.setattr(own_players, "PATIENCE", 0.0)
    async with engine_with(last_move) as (engine, player):
        path, token = await opened(engine, "@ada")
        over = await play_until(engine, path, token, never)
        assert (over["seats"][1]["away"], player.asked) == (False, [])


async def test_nobody_is_asked_at_an_address_that_the_host_has_not_listed() -> None:
    async with engine_with(last_move, NO_LIMITS) as (engine, player):
        path, token = await opened(engine, "@ada")
        await play_until(engine, path, token, lambda table: table["seats"][1]["away"])
        assert not player.asked
        assert 'reason="refused"} 3.0' in (await engine.get("/metrics")).body.decode()


async def test_people_bring_own_players_only_where_the_host_lets_them() -> None:
    player = PlayerServer(last_move)
    async with stream_server(player.serve) as port:
        server = {"url": f"http://127.0.0.1:{port}/of-anna", "secret": SECRET}
        bot = {"name": "Bot", "kind": "computer", "level": "@mine", "server": server}
        async with running_engine(LOCAL) as engine:
            path, token = await opened(engine, start=False)
            refused = await engine.post(f"{path}/seats", bot, token=token)
            assert (refused.status, refused.json["field"]) == (422, "server")
        with captured_logs(level="debug") as logs:
            async with running_engine(structs.replace(LOCAL, engine_own_players="on")) as engine:
                path, token = await opened(engine, start=False)
                for wrong in ({"level": None}, {"level": "hard"}):
                    refused = await engine.post(f"{path}/seats", bot | wrong, token=token)
                    assert (refused.status, refused.json["field"]) == (422, "level")
                person = await engine.post(f"{path}/seats", {"name": "Eva", "server": server})
                assert (person.status, person.json["field"]) == (422, "level")
                sat = await engine.post(f"{path}/seats", bot, token=token)
                assert sat.status == 201, sat.body
                easy = await engine.ask("PATCH", f"{path}/seats/1", {"level": "easy"}, token=token)
                back = await engine.ask("PATCH", f"{path}/seats/1", {"level": "@mine"}, token=token)
                assert (easy.status, back.status) == (200, 200), (easy.body, back.body)
                assert (await engine.post(f"{path}/start", token=token)).status == 200
                over = await play_until(engine, path, token, never)
                assert over["status"] == "over"
                assert player.asked
                for seen in (sat.body, back.body, json.dumps(over).encode(), (await engine.get("/metrics")).body):
                    assert b"of-anna" not in seen
                    assert SECRET.encode() not in seen
        assert "of-anna" not in logs.getvalue()
        assert SECRET not in logs.getvalue()


# --- own players that an operator has added


async def seated(engine: RunningEngine, level: str) -> int:
    """Seat a computer player at a new table, and return the status of the response."""
    path, token = await opened(engine, start=False)
    bot = {"name": "Bot", "kind": "computer", "level": level}
    return (await engine.post(f"{path}/seats", bot, token=token)).status


async def levels_of(engine: RunningEngine, game: str = "gatto_rosso") -> list[str]:
    levels: list[str] = (await engine.get(f"/v1/games/{game}")).json["levels"]
    return levels[3:]


@pytest.fixture
async def engines(redis_server: RedisServer) -> AsyncIterator[list[Operated]]:
    """Two engines on one Redis, with an operator."""
    settings = structs.replace(LOCAL, engine_admin_key=ADMIN_KEY, redis_url=redis_server.url)
    async with running_engine(settings) as one, running_engine(settings) as other:
        yield [operated(one), operated(other)]


async def test_an_operator_adds_a_player_whom_every_engine_asks_and_removes_it(engines: list[Operated]) -> None:
    one, other = engines
    player = PlayerServer(last_move)
    with captured_logs(level="debug") as logs:
        async with stream_server(player.serve) as port:
            server = {"url": f"http://127.0.0.1:{port}/of-the-host", "secret": SECRET}
            added = await one.admin("POST", "players", {"name": "ada", "server": server})
            await until_administered(other, one)
            assert await levels_of(other) == ["@ada"]
            path, token = await opened(other, "@ada")
            await play_until(other, path, token, lambda _: len(player.asked) > 2)
            assert "webhook-signature" in player.asked[0][0]
            removed = await other.admin("DELETE", "players/ada")
            await until_administered(one, other)
            assert (await levels_of(one), await seated(one, "@ada")) == ([], 422)
            requests_before = len(player.asked)
            assert (await play_until(other, path, token, never))["status"] == "over"
            assert len(player.asked) <= requests_before + 1
    (listed,) = added.json["players"]
    assert (listed["name"], listed["game"], listed["signed"], removed.json["players"]) == ("ada", None, True, [])
    shown = [added.body, (await one.admin("GET", "acts")).body, (await other.get("/metrics")).body]
    for text in (*shown, logs.getvalue().encode()):
        assert b"of-the-host" not in text
        assert SECRET.encode() not in text


async def test_of_players_of_one_name_the_one_for_the_game_is_asked_and_else_the_added_one() -> None:
    players = {name: PlayerServer(last_move) for name in ("settings", "added", "for the game")}
    async with AsyncExitStack() as stack:
        urls = {
            name: f"http://127.0.0.1:{await stack.enter_async_context(stream_server(server.serve))}/"
            for name, server in players.items()
        }
        settings = structs.replace(LOCAL, engine_admin_key=ADMIN_KEY, engine_players=f"ada={urls['settings']}")
        engine = operated(await stack.enter_async_context(running_engine(settings)))

        async def asked_player(game: str = "gatto_rosso") -> str:
            path, token = await opened(engine, "@ada", game=game)
            for server in players.values():
                server.asked.clear()
            await play_until(engine, path, token, lambda _: any(own_server.asked for own_server in players.values()))
            return next(name for name, own_server in players.items() if own_server.asked)

        assert await asked_player() == "settings"
        await engine.admin("POST", "players", {"name": "ada", "server": {"url": urls["added"]}})
        assert (await asked_player(), await levels_of(engine)) == ("added", ["@ada"])
        of_the_game = {"name": "ada", "game": "gatto_rosso", "server": {"url": urls["for the game"]}}
        listed = (await engine.admin("POST", "players", of_the_game)).json["players"]
        assert [(listed_player["game"], listed_player["since"] is None) for listed_player in listed] == [
            *((None, False), ("gatto_rosso", False), (None, True)),
        ]
        assert (await asked_player(), await asked_player("presidente")) == ("for the game", "added")
        await engine.admin("DELETE", "players/ada%3Agatto_rosso")
        await engine.admin("DELETE", "players/ada")
        assert await asked_player() == "settings"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "Ada"}, "name"),
        ({"name": "a" * 13}, "name"),
        ({"game": "briscola"}, "game"),
        ({"server": {"url": "ftp://bots.example/"}}, "server.url"),
        ({"server": {"url": "http://bots.example/"}}, "server.url"),
        ({"server": {"url": "https://[bots"}}, "server"),
        ({"server": {"url": "https://bots.example:99999/"}}, "server"),
        ({"server": {"url": "https://bots.example/", "secret": "whsec_short"}}, "server.secret"),
    ],
)
async def test_what_is_wrong_with_a_player_is_said_and_not_repeated(wrong: JsonObject, field: str) -> None:
    settings = structs.replace(NO_LIMITS, engine_admin_key=ADMIN_KEY, engine_own_players="on")
    async with running_engine(settings) as engine:
        player = {"name": "ada", "server": {"url": "https://bots.example/"}} | wrong
        answers = [await engine.post("/v1/admin/players", player, token=ADMIN_KEY)]
        if "server" in wrong:
            path, token = await opened(engine, start=False)
            bot = {"name": "Bot", "kind": "computer", "level": "@ada", "server": player["server"]}
            answers.append(await engine.post(f"{path}/seats", bot, token=token))
        for answer in answers:
            assert (answer.status in (400, 422), answer.json["field"]) == (True, field)
            assert "bots" not in answer.body.decode()
            assert "whsec_short" not in answer.body.decode()


async def test_there_is_room_for_so_many_added_players(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_engine(structs.replace(NO_LIMITS, engine_admin_key=ADMIN_KEY)) as running:
        engine = operated(running)
        for number in range(12):
            await engine.admin("POST", "players", {"name": f"ada{number}", "server": {"url": "https://bots.example/"}})
        more = {"name": "ada12", "server": {"url": "https://bots.example/"}}
        answer = await engine.post("/v1/admin/players", more, token=ADMIN_KEY)
        assert (answer.code, answer.json["facts"]) == ("too_many_entries", {"most": 12})
        again = await engine.refused("POST", "players", {"name": "ada1", "server": {"url": "https://bots.example/"}})
        assert again == "entry_taken"


async def test_other_tables_go_on_while_players_let_theirs_wait() -> None:
    released = asyncio.Event()

    async def held(body: JsonObject, writer: StreamWriter) -> None:
        await released.wait()
        await last_move(body, writer)

    async with engine_with(held) as (engine, player):
        for _ in range(20):
            path, token = await opened(engine, "@ada")
            await play_until(engine, path, token, lambda table: not table["moves"])
        await until(lambda: len(player.asked) >= 8)
        path, token = await opened(engine, "medium")
        assert (await play_until(engine, path, token, never))["status"] == "over"
        released.set()


async def play_among_themselves(engine: RunningEngine, *levels: str) -> JsonObject:
    """Let computer players finish a match without people, and return the final table."""
    path, token = await opened(engine, *levels)
    assert (await engine.ask("DELETE", f"{path}/seats/0", token=token)).status == 200
    table: JsonObject = {"status": "playing", "version": 0}
    while table["status"] != "over":
        seen = await engine.get(f"{path}?after={table['version']}&wait=5")
        table = seen.json if seen.status == 200 else table
    return table


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param(80, marks=pytest.mark.costly),
        pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(1800)]),
    ],
)
async def test_no_table_stalls_whatever_own_players_do(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays twelve matches at the same time with all kinds of hostile players, and one match without them."""
    monkeypatch.setattr(own_players, "SECONDS", 0.3)
    async with engine_with(whatever()) as (engine, player):
        ended = 0

        async def keep_playing(*levels: str) -> None:
            nonlocal ended
            while len(player.asked) < turns:
                table = await play_among_themselves(engine, *levels)
                assert table["match"]["result"]["ranking"]
                ended += 1

        async with asyncio.timeout(60 + turns / 5):
            await asyncio.gather(
                *(keep_playing("@ada", "@ada", "medium") for _ in range(12)), keep_playing("easy", "medium")
            )
        assert ended >= 13
        metrics = (await engine.get("/metrics")).body.decode()
        for reason in HOSTILE:
            assert f'locanda_thinking_fallbacks_total{{reason="{reason}"}}' in metrics
        assert 'level="own"' in metrics
