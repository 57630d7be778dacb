"""The API's lessons, played by their own moves, and the engine's refusals of other moves."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from locanda.games.lessons import scripts
from locanda.games.registry import GAME_NAMES
from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, running_engine

pytestmark = pytest.mark.asyncio(loop_scope="module")
ITALIAN = {"Accept-Language": "it"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[RunningEngine]:
    """One engine for all tests of this file, because lessons store nothing."""
    async with running_engine() as running:
        yield running


async def lesson_of(engine: RunningEngine, game: str) -> Any:
    answer = await engine.get(f"/v1/games/{game}/lesson", headers=ITALIAN)
    assert answer.status == 200, answer.body
    return answer.json


async def test_the_catalogue_says_which_games_have_a_lesson(engine: RunningEngine) -> None:
    listed = (await engine.get("/v1/games")).json["games"]
    assert [listed_game["game"] for listed_game in listed if listed_game["lesson"]] == [
        game for game in GAME_NAMES if game in scripts()
    ]


@pytest.mark.parametrize("game", scripts())
async def test_each_moment_of_a_lesson_is_what_the_stateless_calls_answer(engine: RunningEngine, game: str) -> None:
    lesson = await lesson_of(engine, game)
    moment = lesson["start"]
    script = scripts()[game]
    for taught, step in zip(lesson["steps"], script.steps, strict=True):
        assert moment["deal"]["turn"] == lesson["you"]
        assert taught["move"] in moment["moves"]
        assert taught["label"] == moment["words"]["moves"][moment["moves"].index(taught["move"])]
        for move, after in zip((step.move, *step.others), taught["then"], strict=True):
            await _follows(engine, game, moment["deal"], move, after)
            moment = after
    assert moment["deal"]["turn"] is None
    assert "Ospite" in moment["words"]["result"][0]
    assert lesson["end"]


async def _follows(engine: RunningEngine, game: str, deal: JsonObject, move: JsonObject, after: JsonObject) -> None:
    played = (await engine.post(f"/v1/games/{game}/play", {"deal": deal, "move": move})).json
    assert (after["deal"], after["events"]) == (played["deal"], played["events"])
    seen = (await engine.post(f"/v1/games/{game}/view", {"deal": after["deal"], "seat": 0})).json
    assert after["view"] == seen["view"]


async def test_a_lesson_is_in_the_language_asked_for_and_kept_by_its_digest(engine: RunningEngine) -> None:
    italian, english = [
        await engine.get("/v1/games/ramino/lesson", headers={"Accept-Language": language}) for language in ("it", "en")
    ]
    assert (italian.json["language"], english.json["language"]) == ("it", "en")
    assert italian.json["steps"][0]["text"] != english.json["steps"][0]["text"]
    assert "Accept-Language" in italian.headers["Vary"]
    known = ITALIAN | {"If-None-Match": italian.headers["ETag"]}
    assert (await engine.get("/v1/games/ramino/lesson", headers=known)).status == 304


async def test_another_legal_move_is_allowed_and_the_lesson_says_which_it_waits_for(engine: RunningEngine) -> None:
    first = (await lesson_of(engine, "gatto_rosso"))["steps"][0]
    assert first["label"] == "5♥"
    assert first["allowed"].startswith("Si può fare anche questo.")
    assert "5♥" in first["allowed"]
