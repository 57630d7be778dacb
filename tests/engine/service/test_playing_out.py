"""Play-outs of many deals in one request: they follow the rules, their work is bounded, and errors name the cause."""

import math
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from locanda import messages
from locanda.client import EngineClient
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle
from services.engine.service import playing_out
from services.engine.service.accounts import group_of
from tests.engine.http.engine_server import NO_LIMITS, ApiResponse, RunningEngine, running_engine
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("inline")

SEED = "7" * 64
EVERY_GAME = pytest.mark.parametrize("name", GAME_NAMES)
ALL = ["deal", "events", "moves", "views"]


def start(name: str, **rest: Any) -> dict[str, Any]:
    return {"seats": min(GAMES[name].seats(GAMES[name].options())), **rest}


async def post(engine: RunningEngine, name: str, playouts: list[dict[str, Any]], **rest: Any) -> ApiResponse:
    return await engine.post(f"/v1/games/{name}/playouts", {"playouts": playouts, **rest})


async def played(engine: RunningEngine, name: str, playouts: list[dict[str, Any]], **rest: Any) -> Any:
    answer = await post(engine, name, playouts, **rest)
    assert answer.status == 200, answer.body
    assert answer.json["left"] == 0
    return answer.json["playouts"]


@EVERY_GAME
async def test_own_moves_lead_where_single_calls_lead(engine: RunningEngine, name: str) -> None:
    path, rng = f"/v1/games/{name}", Random(3)
    fresh = (await engine.post(f"{path}/deals", start(name, seed=SEED))).json["deal"]
    deal, moves, events, result = fresh, [], [], None
    for _ in range(12):
        listed = (await engine.post(f"{path}/moves", {"deal": deal})).json["moves"]
        moves.append(rng.choice(listed))
        answer = (await engine.post(f"{path}/play", {"deal": deal, "move": moves[-1]})).json
        deal, result = answer["deal"], answer["result"]
        events += answer["events"]
    playouts = [{"start": start(name, seed=SEED), "moves": moves}, {"deal": fresh, "moves": moves}]
    for number, end in enumerate(await played(engine, name, playouts, show=ALL)):
        views = [
            (await engine.post(f"{path}/view", {"deal": deal, "seat": seat})).json["view"]
            for seat in range(start(name)["seats"])
        ]
        assert end == {
            "playout": number,
            "done": True,
            "steps": 12,
            "turn": deal["turn"],
            "result": result,
            "deal": deal,
            "events": events,
            "moves": (await engine.post(f"{path}/moves", {"deal": deal})).json["moves"],
            "views": views,
        }


@EVERY_GAME
async def test_random_play_ends_deals_by_the_rules_and_the_same_way_for_the_same_seed(
    engine: RunningEngine, name: str
) -> None:
    playouts = [{"start": start(name), "then": "random", "times": 5}]
    ends = await played(engine, name, playouts, seed=SEED, show=["deal", "events"])
    assert ends == await played(engine, name, playouts, seed=SEED, show=["deal", "events"])
    assert len({msgspec.json.encode(end["deal"]) for end in ends}) == 5
    game = GAMES[name]
    for end in ends:
        deal = game.from_wire(msgspec.convert(end["deal"], game.wire_type))
        assert end["result"] == msgspec.json.decode(msgspec.json.encode(game.result(deal)))
        assert end["events"][-1]["type"] == "deal_over"


@EVERY_GAME
@pytest.mark.parametrize("who", ["easy", "medium"])
async def test_computer_players_play_on_from_fresh_and_from_posted_deals(
    engine: RunningEngine, name: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # on a slow machine, a deal takes longer than the usual limit
    monkeypatch.setattr(playing_out, "WORK_SECONDS", math.inf)
    (first,) = await played(engine, name, [{"start": start(name, seed=SEED)}], show=["deal"])
    playouts = [{"start": start(name, seed=SEED), "then": who, "steps": 4}, {"deal": first["deal"], "then": who}]
    few, whole = await played(engine, name, playouts, seed=SEED)
    assert (few["steps"], few["done"]) == (4, True)
    assert whole["turn"] is None


@EVERY_GAME
async def test_a_refused_move_ends_its_own_playout_and_no_other(engine: RunningEngine, name: str) -> None:
    game = GAMES[name]
    deal = game.deal(game.options(), start(name)["seats"], 0, bytes.fromhex(SEED), shuffle, None)
    moves = game.moves(deal)
    after, _ = game.play(deal, moves[0], shuffle)
    wrong = next(move for move in moves if game.check(after, move))
    refusal = game.check(after, wrong)
    assert refusal is not None
    own = {"start": start(name, seed=SEED), "moves": [moves[0], wrong], "then": "random"}
    refused, other = await played(engine, name, [own, {"start": start(name), "then": "random"}])
    assert refused["refusal"] == msgspec.to_builtins({"at": 1, "code": refusal.code, "facts": refusal.facts})
    assert (refused["steps"], refused["done"], refused["turn"]) == (1, True, after.turn)
    assert other["turn"] is None


@EVERY_GAME
async def test_it_ends_where_the_work_is_enough_and_can_be_gone_on_with(
    engine: RunningEngine, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing_out, "WORK_SECONDS", 0.0)
    answer = (await post(engine, name, [{"start": start(name), "then": "random", "times": 3}])).json
    (end,) = answer["playouts"]
    assert (answer["left"], end["steps"], end["done"], end["result"]) == (2, 1, False, None)
    monkeypatch.undo()
    (rest,) = [*islice((await engine.post(f"/v1/games/{name}/moves", {"deal": end["deal"]})).json["moves"], 1)]
    assert (await engine.post(f"/v1/games/{name}/play", {"deal": end["deal"], "move": rest})).status == 200


async def test_an_answer_has_a_bound_too(engine: RunningEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing_out, "ANSWER_BYTES", 5000)
    name = GAME_NAMES[0]
    answer = await post(engine, name, [{"start": start(name), "times": 100}], show=["deal"])
    assert 0 < answer.json["left"] == 100 - len(answer.json["playouts"])
    assert len(answer.body) < 10_000


@pytest.mark.parametrize(
    ("playout", "field", "detail"),
    [
        ({}, "playouts[1]", "exactly one of `deal` and `start` is required"),
        ({"start": {"seats": 40}}, "playouts[1].start.seats", "<= 10"),
        ({"start": {"seats": 1}}, "playouts[1].start.seats", "these options admit"),
        ({"start": {"seats": 2, "dealer": 5}}, "playouts[1].start.dealer", "there are 2 seats"),
        ({"start": {"seats": 2, "options": {"no_such": 1}}}, "playouts[1].start.options.no_such", "unknown field"),
        ({"start": {"seats": 2}, "then": "hard"}, "playouts[1].then", "there are easy, medium, random"),
        ({"start": {"seats": 2}, "moves": [{"type": "fly"}]}, "playouts[1].moves[0].type", "there are"),
        ({"start": {"seats": 2}, "moves": ["pass"]}, "playouts[1].moves[0]", "Expected `object`"),
        ({"start": {"seats": 2}, "times": 0}, "playouts[1].times", ">= 1"),
        ({"start": {"seats": 2}, "move": []}, "playouts[1].move", "unknown field"),
    ],
)
async def test_a_mistake_is_named_with_its_place(
    engine: RunningEngine, playout: dict[str, Any], field: str, detail: str
) -> None:
    answer = await post(engine, GAME_NAMES[0], [{"start": {"seats": 2}}, playout])
    assert answer.status in (400, 422)
    assert answer.json["field"] == field
    assert detail in answer.json["detail"]


@EVERY_GAME
async def test_a_wrong_deal_is_named_as_by_the_single_calls(engine: RunningEngine, name: str) -> None:
    (end,) = await played(engine, name, [{"start": start(name)}], show=["deal"])
    # each hand holds its first card three times
    hands = [[*[hand[0]] * 3, *hand[3:]] if hand else [] for hand in end["deal"]["hands"]]
    thrice = {**end["deal"], "hands": hands}
    single = await engine.post(f"/v1/games/{name}/moves", {"deal": thrice})
    answer = await post(engine, name, [{"deal": thrice}])
    assert answer.status == single.status == 422
    assert answer.json["field"] == f"playouts[0].{single.json['field']}"
    assert answer.json["detail"] == single.json["detail"]
    other = next(game for game in GAME_NAMES if game != name)
    answer = await post(engine, other, [{"deal": end["deal"]}])
    assert (answer.status, answer.json["field"]) == (400, "playouts[0].deal.game")


async def test_it_counts_as_a_question_to_computer_players(monkeypatch: pytest.MonkeyPatch) -> None:
    name = GAME_NAMES[0]
    async with running_engine(structs.replace(NO_LIMITS, engine_thoughts=1)) as engine:
        with engine.context.limits.thought(group_of("127.0.0.1")):
            answer = await post(engine, name, [{"start": start(name)}])
            assert (answer.status, answer.code) == (429, "too_many_requests")
        assert (await post(engine, name, [{"start": start(name)}])).status == 200


@EVERY_GAME
async def test_the_client_plays_many_deals(engine: RunningEngine, name: str) -> None:
    playouts = messages.PlayoutsRequest(
        [messages.Playout(start=messages.DealRequest(**start(name)), then="random", times=4)], ["views"]
    )
    async with EngineClient.connect(engine.url("")) as client:
        answer = await client.playouts(messages.GameName(name), playouts)
    assert [end.turn for end in answer.playouts] == [None] * 4
    assert {len(end.views) for end in answer.playouts if end.views} == {start(name)["seats"]}


@pytest.mark.slow
async def test_a_process_plays_far_more_than_single_calls_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # run the play-outs in a worker process again
    name = GAME_NAMES[0]
    async with running_engine() as engine:

        async def answered() -> bool:
            return (await post(engine, name, [{"start": start(name)}])).status == 200

        await until(answered)
        ends = await played(engine, name, [{"start": start(name), "then": "random", "times": 200}])
    assert sum(end["steps"] for end in ends) > 5000
