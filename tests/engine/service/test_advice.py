"""Suggestions and hints over HTTP: the moves that computer players would make, with reasons."""

import asyncio
from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from locanda import messages
from locanda.client import EngineClient
from locanda.errors import ConflictError
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.service import advice, computers
from services.engine.service.workers import Asker, ThoughtFailedError, Workers
from services.engine.table.fairness import shuffle
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players
from tests.waiting import until

SEED = "5" * 64
FEW = {"iterations": 3}


def situation(name: str, moves: int = 4) -> tuple[dict[str, Any], list[Any]]:
    """Return the view of the seat on turn after some moves, and the events up to then, as JSON."""
    game = GAMES[name]
    options = game.options()
    deal = game.deal(options, min(game.seats(options)), 0, bytes(32), shuffle, None)
    history: list[Any] = []
    made = 0
    while made < moves or len(game.moves(deal)) == 1:
        deal, events = game.play(deal, game.moves(deal)[0], shuffle)
        history += events
        made += 1
    return as_json(game.view(deal, deal.turn)), as_json(history)


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


async def suggestion(engine: RunningEngine, name: str, **body: Any) -> dict[str, Any]:
    answer = await engine.post(f"/v1/games/{name}/suggest", body)
    assert answer.status == 200, answer.body
    suggested: dict[str, Any] = answer.json
    return suggested


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("name", GAME_NAMES)
async def test_a_suggestion_is_a_legal_move_with_its_reason(engine: RunningEngine, name: str, level: str) -> None:
    view, history = situation(name)
    request_body = {"view": view, "history": history, "level": level, "seed": SEED, "budget": FEW}
    suggested = await suggestion(engine, name, **request_body)
    game = GAMES[name]
    move = msgspec.convert(suggested["move"], game.move_type)
    deal = game.determinize(msgspec.convert(view, game.view_type), Random(1))
    assert move in game.moves(deal)
    assert suggested["reason"]["text"].endswith(".")
    assert suggested["simulations"] <= 3
    again = await suggestion(engine, name, **request_body)
    assert (again["move"], again["reason"], again["simulations"]) == (
        suggested["move"],
        suggested["reason"],
        suggested["simulations"],
    )


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize(
    ("changes", "status", "code", "field"),
    [
        ({"view": {"turn": 0, "seat": 1}}, 409, "not_your_turn", None),
        ({"view": {"turn": None}}, 409, "not_your_turn", None),
        ({"view": {"seat": None, "hand": None}}, 422, "impossible", "view.seat"),
        ({"view": {"hand": None}}, 422, "impossible", "view"),
        ({"view": {"counts": [1_000_000, 1_000_000]}}, 422, "impossible", "view"),
        ({"view": {"hand": ["7h"] * 20}}, 422, "impossible", "view"),
        ({"view": {"game": "ramino"}}, 400, "malformed", None),
        ({"history": [{"type": "exploded"}]}, 400, "malformed", "history[0].type"),
        ({"budget": {"ms": 1001}}, 400, "malformed", "budget.ms"),
        ({"budget": {"iterations": 20_001}}, 400, "malformed", "budget.iterations"),
        ({"level": "plain"}, 400, "malformed", "level"),
        ({"deal": {}}, 400, "malformed", "deal"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    engine: RunningEngine, changes: dict[str, Any], status: int, code: str, field: str | None
) -> None:
    view, history = situation("gatto_rosso")
    body = {"view": view, "history": history, "budget": FEW} | changes
    if "view" in changes:
        body["view"] = view | changes["view"]
    answer = await engine.post("/v1/games/gatto_rosso/suggest", body)
    assert (answer.status, answer.code) == (status, code), answer.body
    if field is not None:
        assert answer.json["field"] == field


@pytest.mark.slow
async def test_a_suggestion_comes_from_a_process_in_the_language_asked_for(engine: RunningEngine) -> None:
    view, history = situation("presidente")
    body = {"view": view, "history": history, "seed": SEED, "budget": {"iterations": 3}}
    texts = {}
    for language in ("it", "en"):
        path, headers = "/v1/games/presidente/suggest", {"Accept-Language": language}
        async with asyncio.timeout(120):
            answer = await engine.post(path, body, headers=headers)
            while answer.status == 503:  # the worker process may be slow to start
                answer = await engine.post(path, body, headers=headers)
        assert (answer.status, answer.headers["Content-Language"]) == (200, language)
        assert "Accept-Language" in answer.headers["Vary"]
        texts[language] = answer.json["reason"]["text"]
    assert texts["it"] != texts["en"]
    assert engine.context.service.workers.processes


class HeldThoughts:
    """A replacement for the worker processes: each client's searches wait until the test releases them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on = asyncio.Event()
        self.accounts: list[Hashable] = []

        async def run(_: Workers, think: Callable[[bytes], bytes], data: bytes, _seconds: float, asker: Asker) -> bytes:
            self.accounts.append(asker.account)
            await self.go_on.wait()
            return think(data)

        monkeypatch.setattr(Workers, "run", run)


async def test_a_client_asks_for_so_many_things_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldThoughts(monkeypatch)
    view, _ = situation("gatto_rosso")
    path, body = "/v1/games/gatto_rosso/suggest", {"view": view, "budget": FEW}
    async with running_engine(structs.replace(NO_LIMITS, engine_thoughts=2)) as engine:
        waiting = [asyncio.create_task(engine.post(path, body)) for _ in range(2)]
        await until(lambda: len(held.accounts) == 2)
        refused = await engine.post(path, body)
        assert (refused.status, refused.code, refused.headers["Retry-After"]) == (429, "too_many_requests", "1")
        held.go_on.set()
        assert [(await answer).status for answer in waiting] == [200, 200]
        assert (await engine.post(path, body)).status == 200


async def test_rounds_are_planned_in_a_process_so_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldThoughts(monkeypatch)
    people = [*range(16)]
    bodies: list[dict[str, Any]] = [{"people": people, "rounds": 2}, {"people": people, "standing": people[::-1]}]
    async with running_engine(structs.replace(NO_LIMITS, engine_thoughts=2)) as engine:
        waiting = [asyncio.create_task(engine.post("/v1/rounds", body)) for body in bodies]
        await until(lambda: len(held.accounts) == 2)
        refused = [await engine.post("/v1/rounds", body) for body in bodies]
        assert [(answer.status, answer.code) for answer in refused] == [(429, "too_many_requests")] * 2
        held.go_on.set()
        planned = [(await answer).json["rounds"] for answer in waiting]
    assert [len(rounds) for rounds in planned] == [2, 1]
    assert len({*held.accounts}) == 1


async def test_a_suggestion_waits_for_a_process_a_little_and_is_then_refused(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "PATIENCE", 0.05)
    workers = engine.context.service.workers
    for _ in range(workers.count):
        await workers._places.begin("somebody")
    view, _ = situation("gatto_rosso")
    refused = await engine.post("/v1/games/gatto_rosso/suggest", {"view": view, "budget": FEW})
    assert (refused.status, refused.code, refused.headers["Retry-After"]) == (503, "no_thought", "1")


async def test_what_has_no_quicker_answer_is_waited_for_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[tuple[float, float]] = []

    async def run(_: Workers, think: Callable[[bytes], bytes], data: bytes, seconds: float, asker: Asker) -> bytes:
        waits.append((asker.patience, seconds))
        return think(data)

    monkeypatch.setattr(Workers, "run", run)
    view, _ = situation("gatto_rosso")
    async with running_engine() as engine:
        for path, body in (
            ("/v1/games/gatto_rosso/suggest", {"view": view, "budget": {"iterations": 2, "ms": 1000}}),
            ("/v1/games/gatto_rosso/playouts", {"playouts": [{"start": {"seats": 2}}]}),
            ("/v1/rounds", {"people": [*range(8)], "rounds": 1}),
        ):
            answer = await engine.post(path, body)
            assert answer.status == 200, answer.body
    assert len(waits) == 3
    assert all(patience >= 30 and seconds >= 30 for patience, seconds in waits), waits


@pytest.mark.slow
async def test_four_long_suggestions_of_a_client_stop_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "LONGEST_SEARCH", 200)
    monkeypatch.setattr(advice, "PATIENCE", 60)
    monkeypatch.setattr(computers, "PATIENCE_SECONDS", 60)
    settings = structs.replace(NO_LIMITS, engine_think_workers=1, engine_trusted_proxies="127.0.0.1")
    view, _ = situation("presidente")
    path, long = "/v1/games/presidente/suggest", {"view": view, "budget": {"iterations": 20_000}}
    async with running_engine(settings) as engine:
        engine.context.service.warm()
        assert (await engine.get("/readyz")).status == 200
        assert len(engine.context.service.workers.processes) == 2
        ended = asyncio.Event()

        async def attack() -> None:
            while not ended.is_set():
                await engine.post(path, long, headers={"X-Forwarded-For": "192.0.2.1"})

        attacking = [asyncio.create_task(attack()) for _ in range(4)]
        for body in (long, {"view": view, "budget": FEW}, {"view": view, "level": "medium"}):
            answer = await engine.post(path, body, headers={"X-Forwarded-For": "192.0.2.2"})
            assert answer.status == 200, answer.body
        ended.set()
        await asyncio.gather(*attacking)


# --- hints


@pytest.fixture
async def hinted(engine: RunningEngine, inline: None) -> SeatedPlayers:
    """Three people in a match with hints."""
    players = await seat_players(engine, hints=True)
    await players.start()
    for _ in range(3):
        await players.play()
    return players


async def test_a_hint_is_a_legal_move_and_changes_nothing(hinted: SeatedPlayers) -> None:
    seat = await hinted.turn()
    before = await hinted.see(seat)
    path, token = f"{hinted.path}/hint", hinted.tokens[seat]
    hints = [await hinted.engine.post(path, token=token, headers={"Accept-Language": "it"}) for _ in range(2)]
    assert [hint.status for hint in hints] == [200, 200]
    assert hints[0].json["move"] in before["moves"]
    assert hints[0].headers["Content-Language"] == "it"
    assert hints[0].json["reason"]["text"]
    assert await hinted.see(seat) == before
    assert (await hinted.play(hints[0].json["move"])).status == 200


async def test_where_no_process_has_an_answer_in_time_a_hint_comes_from_a_player_without_a_search(
    hinted: SeatedPlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(*_: object) -> bytes:
        raise ThoughtFailedError("late")

    monkeypatch.setattr(Workers, "run", run)
    seat = await hinted.turn()
    hint = await hinted.engine.post(f"{hinted.path}/hint", token=hinted.tokens[seat])
    assert hint.json["move"] in (await hinted.see(seat))["moves"]
    assert hint.json["simulations"] == 0


@pytest.mark.parametrize("call", ["hint", "suggest", "playouts", "review"])
async def test_what_raises_in_a_process_is_an_error_of_ours(
    hinted: SeatedPlayers, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    async def run(*_: object) -> bytes:
        raise ThoughtFailedError("failed")

    engine, seat, game = hinted.engine, await hinted.turn(), "/v1/games/gatto_rosso"
    view = (await hinted.see(seat))["deal"]
    if call == "review":
        await hinted.play_out()
    monkeypatch.setattr(Workers, "run", run)
    answers = {
        "hint": lambda: engine.post(f"{hinted.path}/hint", token=hinted.tokens[seat]),
        "suggest": lambda: engine.post(f"{game}/suggest", {"view": view}),
        "playouts": lambda: engine.post(f"{game}/playouts", {"playouts": [{"start": {"seats": 2}}]}),
        "review": lambda: engine.get(f"{hinted.path}/deals/1/review", token=hinted.tokens[seat]),
    }
    answer = await answers[call]()
    assert (answer.status, answer.code) == (500, "internal")


async def test_hints_are_for_the_seat_on_turn_alone(hinted: SeatedPlayers) -> None:
    turn = await hinted.turn()
    other = await hinted.engine.post(f"{hinted.path}/hint", token=hinted.tokens[(turn + 1) % 3])
    assert (other.status, other.code, other.json["facts"]) == (409, "not_your_turn", {"turn": turn})
    nobody = await hinted.engine.post(f"{hinted.path}/hint")
    assert (nobody.status, nobody.code) == (401, "no_token")


async def test_there_are_no_hints_before_the_match(engine: RunningEngine) -> None:
    players = await seat_players(engine, hints=True)
    answer = await engine.post(f"{players.path}/hint", token=players.tokens[0])
    assert (answer.status, answer.code) == (409, "not_playing")


@pytest.mark.usefixtures("inline")
async def test_the_client_asks_for_suggestions_and_hints(engine: RunningEngine) -> None:
    async with EngineClient.connect(engine.url("/"), language="it") as client:
        opened = await client.open_table(messages.OpenTable("gatto_rosso", "Anna", hints=True))
        table, token = opened.table.id, str(opened.token)
        await client.sit(table, messages.SitDown("Robot", "computer", "easy"), token)
        assert (await client.set_level(table, 1, token, "hard")).seats[1].level == "hard"
        await client.start(table, token)
        await until(lambda: is_on_turn(client, table, token))
        seen = await client.table(table, token)
        hint = await client.hint(table, token)
        assert hint.move in seen.moves
        assert seen.deal is not None
        request = messages.SuggestRequest(seen.deal, level="medium")
        suggested = await client.suggest("gatto_rosso", request)
        assert suggested.move in seen.moves
        english = await client.hint(table, token, language="en")
        assert english.move == hint.move
        assert english.reason.code == hint.reason.code
        closed = await client.open_table(messages.OpenTable("gatto_rosso", "Anna"))
        with pytest.raises(ConflictError, match="hints_off"):
            await client.hint(closed.table.id, str(closed.token))


async def is_on_turn(client: EngineClient, table: str, token: str) -> bool:
    return bool((await client.table(table, token)).moves)
