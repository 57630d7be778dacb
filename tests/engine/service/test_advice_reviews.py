"""Reviews of finished deals over HTTP: a person's moves compared with those of a computer player of level hard."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import count
from typing import Any

import msgspec
import pytest

from locanda.client import EngineClient
from locanda.explanations import ONLY_MOVE
from locanda.games import pricing
from locanda.games.pricing import Comparison
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.service.workers import ThoughtFailedError, Workers
from services.engine.table.fairness import shuffle
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, running_engine, seat_players

SHORT = {"ramino": {"target": 1}}


class Inline:
    """Runs searches on the event loop, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0

        async def run(_: Workers, think: Any, data: bytes, *rest: Any) -> bytes:
            self.count += 1
            return bytes(think(data))

        monkeypatch.setattr(Workers, "run", run)


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> Inline:
    return Inline(monkeypatch)


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    async with running_engine() as running:
        yield running


async def over(engine: RunningEngine, game: str = "gatto_rosso") -> SeatedPlayers:
    """Play a match between two people to its end."""
    options = SHORT.get(game, {"deals": 1})
    players = await seat_players(engine, 2, game=game, options=options)
    await players.start()
    await players.play_out()
    return players


async def reviewed(players: SeatedPlayers, seat: int, **headers: str) -> Any:
    answer = await players.engine.get(f"{players.path}/deals/1/review", token=players.tokens[seat], headers=headers)
    assert answer.status == 200, answer.body
    return answer.json


async def proof_of(players: SeatedPlayers) -> Any:
    return (await players.engine.get(f"{players.path}/deals/1")).json


@pytest.mark.usefixtures("inline")
async def test_the_verdict_counts_choices_and_those_that_were_the_best_players(engine: RunningEngine) -> None:
    review = await reviewed(await over(engine), 0)
    chosen = [move for move in review["moves"] if move["reason"]["code"] != ONLY_MOVE.code]
    other = [move["number"] for move in chosen if move["played"] != move["best"]]
    costly = [move["number"] for move in chosen if move["cost"]]
    assert (review["choices"], review["same"]) == (len(chosen), len(chosen) - len(other))
    assert review["others"] == [number for number in other if number not in costly]


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize(("chance", "cost", "praised"), [(0.4, 0.0, True), (0.4, 0.1, False), (0.9, 0.0, False)])
async def test_agreement_without_mistakes_is_praised_unless_random_moves_would_agree_too(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch, chance: float, cost: float, *, praised: bool
) -> None:
    def compare(_game: Any, _situation: Any, played: Any, *_: Any) -> Comparison:
        return Comparison(played, ONLY_MOVE.because(), cost, 0.5, chance)

    monkeypatch.setattr(pricing, "compare", compare)
    review = await reviewed(await over(engine), 0)
    assert review["same"] == review["choices"] >= 8
    assert review["well_played"] == praised


@pytest.mark.usefixtures("inline")
async def test_somebody_who_passes_whenever_they_may_is_not_praised(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = pricing.compare
    monkeypatch.setattr(pricing, "compare", lambda *compared: replace(compare(*compared), cost=0.0))
    players = await seat_players(engine, 3, game="presidente", options={"deals": 1})
    await players.start()
    while (table := await players.see())["status"] == "playing":
        moves = (await players.see(table["deal"]["turn"]))["moves"]
        passing = next((move for move in moves if move["type"] == "pass"), moves[0])
        await players.play(passing if table["deal"]["turn"] == 0 else moves[0])
    review = await reviewed(players, 0)
    assert review["worst"] == []
    assert review["others"]
    assert not review["well_played"]


@pytest.mark.usefixtures("inline")
async def test_a_review_shows_each_move_of_the_bearer_beside_a_legal_one(engine: RunningEngine) -> None:
    players = await over(engine)
    proof = await proof_of(players)
    for seat in (0, 1):
        review = await reviewed(players, seat)
        own = [number for number, move in enumerate(proof["moves"]) if move["seat"] == seat]
        assert [move["number"] for move in review["moves"]] == own
        game = GAMES["gatto_rosso"]
        deal, legal = game.from_wire(msgspec.convert(proof["start"], game.wire_type)), []
        for line in proof["moves"]:
            legal.append(msgspec.to_builtins(game.moves(deal)))
            deal, _ = game.play(deal, msgspec.convert(line["move"], game.move_type), shuffle)
        for move in review["moves"]:
            number = move["number"]
            assert move["played"] == proof["moves"][number]["move"]
            assert move["best"] in legal[number]
            assert move["cost"] >= 0
            assert (move["value"] is None) == (len(legal[number]) == 1)
            assert move["reason"]["text"].endswith(".")
            if move["best"] == move["played"]:
                assert move["cost"] == 0
            assert (move["view"] is not None) == (number in review["worst"])
            if move["view"]:
                assert (move["view"]["seat"], move["view"]["turn"]) == (seat, seat)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAME_NAMES)
async def test_the_worst_moves_are_those_that_cost_most(
    engine: RunningEngine, inline: Inline, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    costs = count(1)

    def compare(_game: Any, _situation: Any, played: Any, *_: Any) -> Comparison:
        """Give later moves a higher cost, so that the last move is the worst."""
        return Comparison(played, ONLY_MOVE.because(), next(costs) / 100, 0.5)

    monkeypatch.setattr(pricing, "compare", compare)
    review = await reviewed(await over(engine, game), 0)
    by_cost = sorted((move for move in review["moves"] if move["cost"]), key=lambda move: -move["cost"])
    assert [move["number"] for move in by_cost[:3]] == review["worst"]
    assert [move["cost"] for move in by_cost[:3]] == sorted((move["cost"] for move in by_cost), reverse=True)[:3]


async def test_only_moves_with_a_choice_are_thought_about_and_only_once(engine: RunningEngine, inline: Inline) -> None:
    players = await over(engine)
    review = await reviewed(players, 0)
    free = sum(move["reason"]["code"] != "only_move" for move in review["moves"])
    assert 0 < free < len(review["moves"])
    assert inline.count == free
    italian = await reviewed(players, 0, **{"Accept-Language": "it"})
    assert inline.count == free
    assert [move["best"] for move in italian["moves"]] == [move["best"] for move in review["moves"]]
    assert italian["moves"][0]["reason"]["text"] != review["moves"][0]["reason"]["text"]


@pytest.mark.usefixtures("inline")
async def test_every_engine_finds_the_same(engine: RunningEngine) -> None:
    players = await over(engine)
    first = await reviewed(players, 0)
    engine.context.service.reviews._found.clear()
    assert await reviewed(players, 0) == first


async def test_a_review_that_was_cut_off_goes_on_where_it_stopped(
    engine: RunningEngine, inline: Inline, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await over(engine)
    run = Workers.run

    async def run_twice(workers: Workers, think: Any, data: bytes, *rest: Any) -> bytes:
        if inline.count == 2:
            raise ThoughtFailedError("late")
        return await run(workers, think, data, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(Workers, "run", run_twice)
        path = f"{players.path}/deals/1/review"
        failed = await engine.get(path, token=players.tokens[0])
        assert (failed.status, failed.code) == (503, "no_thought")
    review = await reviewed(players, 0)
    assert inline.count == sum(move["reason"]["code"] != "only_move" for move in review["moves"])


async def test_there_is_no_review_before_the_end_nor_for_spectators(engine: RunningEngine) -> None:
    players = await seat_players(engine)
    await players.start()
    path = f"{players.path}/deals/1/review"
    early = await engine.get(path, token=players.tokens[0])
    assert (early.status, early.code) == (409, "match_not_over")
    await players.play_out()
    assert (await engine.get(path)).code == "no_token"
    missing = await engine.get(f"{players.path}/deals/9/review", token=players.tokens[0])
    assert (missing.status, missing.code) == (404, "no_such_deal")


@pytest.mark.slow
async def test_the_client_asks_for_a_review_which_a_process_makes(engine: RunningEngine) -> None:
    players = await over(engine)
    async with EngineClient.connect(engine.url("/")) as client, asyncio.timeout(200):
        review = await client.review(players.table, players.tokens[0], 1, language="it")
        assert review.moves
        assert await client.review(players.table, players.tokens[0], 1, match=1, language="it") == review
    assert len(engine.context.service.workers.processes) >= 1
