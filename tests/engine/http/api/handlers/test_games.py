"""The stateless calls of a game, tested with worked positions and refused requests."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, running_engine
from tests.games.positions import WorkedPosition, positions, verify

pytestmark = pytest.mark.asyncio(loop_scope="module")

POSITIONS = [pytest.param(position, id=f"{game}-{position.id}") for game in GAMES for position in positions(game)]
GAME = "/v1/games/gatto_rosso"
FRESH: JsonObject = {"options": {}, "seats": 2, "dealer": 0, "seed": "ab" * 32}
DEAL: JsonObject = {"game": "gatto_rosso", "hands": [["7h", "2c"], ["3d"]], "table": ["5h"], "last": 1, "turn": 0}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[RunningEngine]:
    """One engine for all tests of this file, because stateless calls store nothing."""
    async with running_engine() as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS)
async def test_position(position: WorkedPosition, engine: RunningEngine) -> None:
    async def ask(game: str, call: str, body: JsonObject) -> Any:
        answer = await engine.post(f"/v1/games/{game}/{call}", body)
        assert answer.status == 200, answer.body
        return answer.json

    await verify(position, ask)


async def test_rounds_of_a_tournament_are_planned_go_on_without_who_drops_out_and_end_by_standing(
    engine: RunningEngine,
) -> None:
    first = (await engine.post("/v1/rounds", {"people": [*range(16)], "rounds": 4, "seed": "a"})).json
    assert [[len(table) for table in tables] for tables in first["rounds"]] == [[4] * 4] * 4
    left = [*range(14)]
    body: JsonObject = {"people": left, "played": first["rounds"][:2], "seed": "b"}
    [tables] = (await engine.post("/v1/rounds", body)).json["rounds"]
    assert [len(table) for table in tables] == [4, 4, 3, 3]
    assert sorted(person for table in tables for person in table) == left
    last = (await engine.post("/v1/rounds", {**body, "standing": left[::-1]})).json["rounds"]
    assert last == [[[13, 12, 11, 10], [9, 8, 7, 6], [5, 4, 3], [2, 1, 0]]]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"people": [1, 1]}, "people"), ({"fewest": 5}, "fewest"), ({"standing": [1, 2, 2]}, "standing")],
)
async def test_rounds_that_contradict_themselves_are_refused(
    engine: RunningEngine, wrong: JsonObject, field: str
) -> None:
    answer = await engine.post("/v1/rounds", {"people": [1, 2, 3], **wrong})
    assert (answer.status, answer.json["code"]) == (422, "impossible")
    assert answer.json["field"] == field


async def test_the_same_seed_gives_the_same_deal(engine: RunningEngine) -> None:
    first, second = [await engine.post(f"{GAME}/deals", FRESH) for _ in range(2)]
    assert first.status == 200
    assert first.body == second.body
    assert first.json["deal"]["seed"] == FRESH["seed"]


async def test_without_a_seed_every_deal_is_another(engine: RunningEngine) -> None:
    first, second = [(await engine.post(f"{GAME}/deals", {"seats": 4})).json["deal"] for _ in range(2)]
    assert first["seed"] != second["seed"]
    assert first["stock"] != second["stock"]


async def test_a_deal_is_played_to_its_end(engine: RunningEngine) -> None:
    deal = (await engine.post(f"{GAME}/deals", FRESH)).json["deal"]
    answer: JsonObject = {"result": None}
    while answer["result"] is None:
        moves = (await engine.post(f"{GAME}/moves", {"deal": deal})).json["moves"]
        answer = (await engine.post(f"{GAME}/play", {"deal": deal, "move": moves[0]})).json
        deal = answer["deal"]
    assert answer["events"][-1]["type"] == "deal_over"
    assert (await engine.post(f"{GAME}/moves", {"deal": deal})).json == {"turn": None, "moves": []}


async def test_a_refused_move_is_explained_by_check_and_by_play(engine: RunningEngine) -> None:
    body = {"deal": DEAL, "move": {"type": "play", "card": "2c"}}
    checked = await engine.post(f"{GAME}/check", body)
    assert checked.json == {"legal": False, "code": "must_beat", "facts": {"card": "2c", "top": "5h"}}
    played = await engine.post(f"{GAME}/play", body)
    assert (played.status, played.code) == (422, "must_beat")
    assert played.json["facts"] == {"card": "2c", "top": "5h"}


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({"type": "play", "card": "99"}, "move.card"),
        ({"type": "fly"}, "move.type"),
        ({"type": "play"}, "move.card"),
        ({"type": "pass", "loudly": True}, "move.loudly"),
        (7, "move"),
        ([], "move"),
        (None, "move"),
    ],
)
async def test_what_is_no_move_is_malformed(engine: RunningEngine, move: Any, field: str) -> None:
    body = {"deal": DEAL, "move": move}
    for call in ("check", "play"):
        answer = await engine.post(f"{GAME}/{call}", body)
        assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", field)


async def test_a_view_shows_the_own_hand_alone(engine: RunningEngine) -> None:
    own, spectator = [
        (await engine.post(f"{GAME}/view", {"deal": DEAL, "seat": seat})).json["view"] for seat in (1, None)
    ]
    assert (own["hand"], own["counts"]) == (["3d"], [2, 1])
    assert spectator["hand"] is None


@pytest.mark.parametrize(
    ("call", "body", "field"),
    [
        ("deals", FRESH | {"seats": 11}, "seats"),
        ("deals", FRESH | {"seats": "2"}, "seats"),
        ("deals", FRESH | {"seats": 10**30}, "seats"),
        ("deals", FRESH | {"seed": "ab"}, "seed"),
        ("deals", FRESH | {"options": {"cats": 1}}, "options.cats"),
        ("deals", FRESH | {"options": {"dogs": True}}, "options.dogs"),
        ("deals", FRESH | {"options": {"deals": 21}}, "options.deals"),
        ("deals", FRESH | {"options": []}, "options"),
        ("deals", FRESH | {"more": 1}, "more"),
        ("deals", {"options": {}}, "seats"),
        ("moves", {"deal": DEAL | {"hands": [["7h"]]}}, "deal.hands"),
        ("moves", {"deal": DEAL | {"game": "briscola"}}, "deal"),
        ("moves", {"deal": {}}, "deal."),
        ("moves", {}, "deal"),
        ("view", {"deal": DEAL}, "seat"),
        ("view", {"deal": DEAL, "seat": True}, "seat"),
    ],
)
async def test_a_fault_is_named(engine: RunningEngine, call: str, body: JsonObject, field: str) -> None:
    answer = await engine.post(f"{GAME}/{call}", body)
    assert (answer.status, answer.code) == (400, "malformed")
    assert answer.json["field"].startswith(field)
    assert answer.json["detail"]


@pytest.mark.parametrize(
    ("call", "body", "field"),
    [
        ("deals", FRESH | {"seats": 1}, "seats"),
        ("deals", FRESH | {"seats": 3, "options": {"three_suits": "s"}}, "seats"),
        ("deals", FRESH | {"dealer": 2}, "dealer"),
        ("deals", FRESH | {"options": {"target": 51}}, "options.target"),
        ("moves", {"deal": DEAL | {"hands": [["7h"], ["7h"]]}}, "deal.hands[1]"),
        ("moves", {"deal": DEAL | {"hands": [["7h"], ["8h"]]}}, "deal.hands[1]"),
        ("moves", {"deal": DEAL | {"stock": ["5h"]}}, "deal.table"),
        ("moves", {"deal": DEAL | {"turn": 2}}, "deal.turn"),
        ("play", {"deal": DEAL | {"passes": 1_000_000}, "move": {"type": "pass"}}, "deal.passes"),
        ("play", {"deal": DEAL | {"captured": [0, 1_000_000]}, "move": {"type": "pass"}}, "deal.captured"),
        ("check", {"deal": DEAL, "move": {"type": "draw", "from": "stock"}}, "move.type"),
        ("play", {"deal": DEAL, "move": {"type": "draw", "from": "stock"}}, "move.type"),
        ("view", {"deal": DEAL, "seat": 2}, "seat"),
    ],
)
async def test_what_does_not_go_together_is_impossible_and_not_malformed(
    engine: RunningEngine, call: str, body: JsonObject, field: str
) -> None:
    answer = await engine.post(f"{GAME}/{call}", body)
    assert (answer.status, answer.code, answer.json["field"]) == (422, "impossible", field)
    assert answer.json["detail"]


async def test_an_integer_may_be_written_as_json_schema_admits(engine: RunningEngine) -> None:
    usual = await engine.post(f"{GAME}/deals", FRESH | {"options": {"deals": 3}})
    floats = await engine.post(f"{GAME}/deals", FRESH | {"seats": 2.0, "options": {"deals": 3.0}})
    assert (floats.status, floats.body) == (200, usual.body)
    for wrong in (2.5, -0.5, 1e300):
        answer = await engine.post(f"{GAME}/deals", FRESH | {"seats": wrong})
        assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", "seats")
    twice = await engine.post(f"{GAME}/deals", b'{"seats": 2.0, "seats": 2}')
    assert (twice.status, twice.json["field"]) == (400, "seats")


@pytest.mark.parametrize("call", ["deals", "moves", "check", "play", "view"])
async def test_an_unknown_game_is_not_found(engine: RunningEngine, call: str) -> None:
    assert (await engine.post(f"/v1/games/briscola/{call}", {})).code == "no_such_game"


async def test_the_catalogue_lists_every_game_with_its_rules(engine: RunningEngine) -> None:
    listed = (await engine.get("/v1/games")).json["games"]
    assert [game["game"] for game in listed] == list(GAMES)
    for game in listed:
        details = (await engine.get(f"/v1/games/{game['game']}")).json
        assert details["rules"]["it"]
        assert details["options"]["it"]["properties"].keys() == details["options"]["en"]["properties"].keys()
    assert (await engine.get("/v1/games/briscola")).code == "no_such_game"


async def test_a_step_of_a_program_is_one_request_where_it_asks_for_the_moves_after_it(engine: RunningEngine) -> None:
    deal = (await engine.post(f"{GAME}/deals", FRESH)).json["deal"]
    move = (await engine.post(f"{GAME}/moves", {"deal": deal})).json["moves"][0]
    plain = (await engine.post(f"{GAME}/play", {"deal": deal, "move": move})).json
    assert "moves" not in plain
    played = (await engine.post(f"{GAME}/play", {"deal": deal, "move": move, "moves": True})).json
    assert played == plain | {"moves": (await engine.post(f"{GAME}/moves", {"deal": plain["deal"]})).json["moves"]}
    while played["moves"]:
        step = {"deal": played["deal"], "move": played["moves"][0], "moves": True}
        played = (await engine.post(f"{GAME}/play", step)).json
    assert played["result"]
