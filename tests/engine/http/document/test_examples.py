"""The examples in the OpenAPI document are valid, and an engine answers them."""

from collections.abc import Iterator

import pytest

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from tests.engine.http.document.documented import DOCUMENT, OPERATIONS, PROBLEM, resolved, validator
from tests.engine.http.engine_server import RunningEngine


def _media() -> Iterator[tuple[str, JsonObject]]:
    """Each media type of a body or a response, with its name."""
    for operation in OPERATIONS:
        contents = {status: response.get("content", {}) for status, response in operation.responses.items()}
        contents["body"] = operation.described.get("requestBody", {}).get("content", {})
        for status, content in contents.items():
            for kind, form in content.items():
                yield f"{operation} {status} {kind}", form


def test_the_examples_of_every_problem_are_valid() -> None:
    for response in DOCUMENT["components"]["responses"].values():
        form = response["content"][PROBLEM]
        for example in form["examples"].values():
            validator(form["schema"]).validate(resolved(example)["value"])


def test_every_body_and_answer_has_examples_that_are_valid() -> None:
    assert [name for name, form in _media() if not _has_valid_examples(form)] == []


def _has_valid_examples(form: JsonObject) -> bool:
    shown = [resolved(example)["value"] for example in form.get("examples", {}).values()] or [form["example"]]
    return all(map(validator(form["schema"]).is_valid, shown))


@pytest.mark.parametrize("game", GAMES)
async def test_the_examples_of_a_game_are_answered(engine: RunningEngine, game: str) -> None:
    for call in ("deals", "moves", "check", "play", "view"):
        path = f"/v1/games/{game}/{call}"
        documented = DOCUMENT["paths"][path]["post"]
        (example,) = documented["requestBody"]["content"]["application/json"]["examples"].values()
        answer = await engine.post(path, resolved(example)["value"])
        assert answer.status == 200
        validator(documented["responses"]["200"]["content"]["application/json"]["schema"]).validate(answer.json)
    opened = DOCUMENT["components"]["examples"][f"OpenTable.{game}"]["value"]
    assert (await engine.post("/v1/tables", opened)).status == 201
