"""The document agrees with the routes, the messages and the file in the repository."""

import re
from typing import Any

import jsonschema_rs
import pytest

from services.engine.games.registry import GAMES
from services.engine.http import openapi
from services.engine.http.html import POLICY
from services.engine.http.problems import KINDS
from services.engine.http.routes import ROUTES
from tests.engine.games.positions import positions
from tests.engine.http.house import House, JsonObject, Players

SCHEMA = "#/components/schemas/"
COMMITTED = openapi.FILE.read_bytes()
DOCUMENT = openapi.document()
SCHEMAS: dict[str, JsonObject] = DOCUMENT["components"]["schemas"]
OPERATIONS = [(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods]


def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"$ref": SCHEMA + name, "components": DOCUMENT["components"]})


def test_the_committed_document_is_up_to_date() -> None:
    assert openapi.document_bytes() == COMMITTED, "run: python -m services.engine.http.openapi"


async def test_the_served_document_is_the_committed_one(engine: House) -> None:
    answer = await engine.get("/openapi.json")
    assert answer.body == COMMITTED


async def test_every_route_is_documented_and_every_documented_call_is_there(engine: House) -> None:
    served = {
        (resource.canonical, route.method)
        for route in engine.app.router.routes()
        if (resource := route.resource) and route.method != "HEAD"
    }
    pages = {("/openapi.json", "GET"), ("/docs", "GET"), ("/problems", "GET"), ("/problems/{code}", "GET")}
    assert served - pages == {(path, method.upper()) for path, method in OPERATIONS}


def test_operation_ids_are_unique() -> None:
    ids = [operation["operationId"] for methods in DOCUMENT["paths"].values() for operation in methods.values()]
    assert len(ids) == len(set(ids))


def _references(node: Any) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        mapped = set(node["discriminator"]["mapping"].values()) if "discriminator" in node else set()
        return own | mapped | {found for value in node.values() for found in _references(value)}
    if isinstance(node, list):
        return {found for value in node for found in _references(value)}
    return set()


def test_every_reference_leads_somewhere_and_every_schema_is_used() -> None:
    referred = {reference.removeprefix(SCHEMA) for reference in _references(DOCUMENT)}
    assert referred == SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_so_is_its_example(name: str) -> None:
    jsonschema_rs.meta.validate({"$ref": SCHEMA + name, "components": DOCUMENT["components"]})
    for example in SCHEMAS[name].get("examples", []):
        _validator(name).validate(example)


def test_every_body_and_answer_of_weight_has_an_example() -> None:
    types = {type_.__name__ for route in ROUTES for type_ in (route.takes, route.gives) if isinstance(type_, type)}
    without = {name for name in types if "examples" not in SCHEMAS[name]}
    assert without <= {"Catalogue", "GameDetails", "Health"}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_call_tells_its_problems_with_an_example_of_each(route: Any) -> None:
    responses = DOCUMENT["paths"][route.path][route.method.lower()]["responses"]
    told = {
        code: example["value"]
        for response in responses.values()
        for code, example in response.get("content", {}).get("application/problem+json", {}).get("examples", {}).items()
    }
    assert set(told) == set(route.problems)
    for code, problem in told.items():
        _validator("Problem").validate(problem)
        assert str(KINDS[code].status) in responses


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_has_a_title_of_its_own(game: str) -> None:
    refused = {code for position in positions(game) for _, code in position.expect.refused}
    assert refused
    assert refused <= KINDS.keys()


async def test_what_the_engine_answers_is_what_the_document_says(playing: Players) -> None:
    turn = await playing.turn()
    page = await playing.house.get(f"{playing.path}/events", headers={"Accept": "application/json"})
    answers = {
        "Table": await playing.see(turn),
        "EventPage": page.json,
        "LegalMoves": (await playing.house.get(f"{playing.path}/moves", token=playing.tokens[turn])).json,
        "Moved": (await playing.play()).json,
        "Catalogue": (await playing.house.get("/v1/games")).json,
        "GameDetails": (await playing.house.get("/v1/games/gatto_rosso")).json,
        "Problem": (await playing.house.get("/v1/games/x")).json,
        "Health": (await playing.house.get("/healthz")).json,
    }
    await playing.play_out()
    answers["Proof"] = (await playing.house.get(f"{playing.path}/deals/1")).json
    for name, answer in answers.items():
        _validator(name).validate(answer)


def test_a_problems_code_may_not_be_made_up(engine: House) -> None:
    assert not _validator("Problem").is_valid({"type": "x", "title": "x", "status": "400", "code": "x"})


async def test_the_page_is_complete_and_loads_nothing(engine: House) -> None:
    answer = await engine.get("/docs")
    page = answer.body.decode()
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!#|/openapi.json|/problems/)', page)
    for path, method in OPERATIONS:
        operation = DOCUMENT["paths"][path][method]
        assert f'id="{operation["operationId"]}"' in page
    for code in KINDS:
        assert f'id="{code}"' in page
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors
