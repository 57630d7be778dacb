"""The document agrees with the routes, the messages, the problems and the file in the repository."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
import pytest

from services.engine.games.registry import GAMES
from services.engine.http import openapi
from services.engine.http.headers import SAFE_HEADERS
from services.engine.http.problems import KINDS, REFUSALS
from services.engine.http.routes import ROUTES, calls
from tests.engine.games.positions import positions
from tests.engine.http.house import Answer, House, JsonObject, Players

COMMITTED = openapi.FILE.read_bytes()
DOCUMENT = openapi.document()
HEADERS: dict[str, JsonObject] = DOCUMENT["components"]["headers"]
SCHEMAS: dict[str, JsonObject] = DOCUMENT["components"]["schemas"]
GAMES_ROOT = openapi.FILE.parent / "games"
PROBLEM = "application/problem+json"
RULES = "/v1/games/{game}/"


def _found(reference: str) -> Any:
    """What a reference leads to."""
    node: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node


def _whole(node: Any) -> Any:
    """A node of the document, itself no reference."""
    return _found(node["$ref"]) if "$ref" in node else node


@dataclass(frozen=True)
class Operation:
    path: str
    method: str
    told: JsonObject

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def responses(self) -> dict[str, JsonObject]:
        return {status: _whole(response) for status, response in self.told["responses"].items()}


OPERATIONS = [
    Operation(path, method, told) for path, methods in DOCUMENT["paths"].items() for method, told in methods.items()
]


def _validator(schema: JsonObject) -> jsonschema_rs.Draft202012Validator:
    whole = {"allOf": [schema], "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def _named(name: str) -> jsonschema_rs.Draft202012Validator:
    return _validator({"$ref": f"#/components/schemas/{name}"})


def test_the_committed_document_is_up_to_date() -> None:
    assert openapi.document_bytes() == COMMITTED, "run: python -m services.engine.http.openapi"


async def test_the_served_document_is_the_committed_one(engine: House) -> None:
    answer = await engine.get("/openapi.json")
    assert answer.body == COMMITTED


def test_the_document_is_not_too_long_to_read() -> None:
    assert len(COMMITTED) < 400_000


def test_no_text_shows_how_the_source_is_indented_or_what_python_raises() -> None:
    """Newer Pythons take the indentation out of docstrings: such a text would differ between them."""
    texts = re.findall(rb'"(?:description|summary)": "([^\n]*)"', COMMITTED)

    assert len(texts) > 100
    assert not [text for text in texts if b"\\n  " in text or b"Raises" in text]


# --- the routes


def _in_each_game(path: str, method: str) -> set[tuple[str, str]]:
    """A call of the rules is told once for each game."""
    if not path.startswith(RULES):
        return {(path, method)}
    return {(path.replace("{game}", game), method) for game in GAMES}


async def test_every_route_is_documented_and_every_documented_call_is_there(engine: House) -> None:
    there = {each for method, path in calls(engine.engine) if method != "HEAD" for each in _in_each_game(path, method)}
    assert there == {(operation.path, operation.method.upper()) for operation in OPERATIONS}


async def test_head_is_answered_wherever_get_is_but_for_the_stream(engine: House) -> None:
    methods: dict[str, set[str]] = {}
    for method, path in calls(engine.engine):
        methods.setdefault(path, set()).add(method)
    without = {path for path, found in methods.items() if "GET" in found and "HEAD" not in found}
    assert without == {"/v1/tables/{table}/events"}
    assert not any("HEAD" in found and "GET" not in found for found in methods.values())


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
async def test_another_method_is_told_which_the_document_has(engine: House, operation: Operation) -> None:
    path = operation.path.format(table="A" * 22, seat=0, deal=1, game="ramino", code="stale")
    told = {each.method.upper() for each in OPERATIONS if each.path == operation.path}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - told:
        answer = await engine.ask(method, path)
        assert (answer.status, answer.code) == (405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(",")) - {"HEAD"} == told


def test_operation_ids_are_unique() -> None:
    ids = [operation.told["operationId"] for operation in OPERATIONS]
    assert len(ids) == len(set(ids))


def test_links_lead_to_calls_with_these_parameters() -> None:
    operations = {operation.told["operationId"]: operation for operation in OPERATIONS}
    for link in DOCUMENT["components"]["links"].values():
        needed = {each["name"] for each in operations[link["operationId"]].told["parameters"] if each["required"]}
        assert link["parameters"].keys() == needed


# --- references and schemas


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        if "discriminator" in node:
            yield from node["discriminator"]["mapping"].values()
        for value in node.values():
            yield from _references(value)
    if isinstance(node, list):
        for value in node:
            yield from _references(value)


def test_every_reference_leads_somewhere_and_every_component_is_used() -> None:
    for reference in set(_references(DOCUMENT)):
        assert _found(reference)
    components = DOCUMENT["components"]
    defined = {f"#/components/{kind}/{name}" for kind in components for name in components[kind]}
    everywhere = {"#/components/responses/not_found", "#/components/responses/method_not_allowed"}
    schemes = {f"#/components/securitySchemes/{name}" for name in ("seat", "key")}
    unused = defined - set(_references(DOCUMENT))
    assert {each for each in unused if "/examples/problem." not in each} <= everywhere | schemes


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid(name: str) -> None:
    jsonschema_rs.meta.validate({"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]})


def test_no_body_admits_what_it_does_not_name() -> None:
    for operation in OPERATIONS:
        if "requestBody" in operation.told:
            for schema in _shapes(operation.told["requestBody"]["content"]["application/json"]["schema"]):
                assert schema["additionalProperties"] is False


def _shapes(schema: JsonObject) -> list[JsonObject]:
    found = _whole(schema)
    return [shape for each in found["oneOf"] for shape in _shapes(each)] if "oneOf" in found else [found]


# --- examples


def _media() -> Iterator[Any]:
    for operation in OPERATIONS:
        contents = {status: response.get("content", {}) for status, response in operation.responses.items()}
        contents["body"] = operation.told.get("requestBody", {}).get("content", {})
        for status, content in contents.items():
            for kind, form in content.items():
                yield pytest.param(form, id=f"{operation} {status} {kind}")


def test_the_examples_of_every_problem_are_valid() -> None:
    for response in DOCUMENT["components"]["responses"].values():
        form = response["content"][PROBLEM]
        for example in form["examples"].values():
            _validator(form["schema"]).validate(_whole(example)["value"])


@pytest.mark.parametrize("form", list(_media()))
def test_every_body_and_answer_has_examples_that_are_valid(form: JsonObject) -> None:
    shown = [_whole(example)["value"] for example in form.get("examples", {}).values()] or [form["example"]]
    for value in shown:
        _validator(form["schema"]).validate(value)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_parameter_has_an_example_that_is_valid(operation: Operation) -> None:
    for parameter in operation.told.get("parameters", []):
        assert parameter["description"]
        _validator(parameter["schema"]).validate(parameter["example"])


@pytest.mark.parametrize("header", list(HEADERS.values()), ids=list(HEADERS))
def test_every_header_has_an_example_that_is_valid(header: JsonObject) -> None:
    assert header["description"]
    _validator(header["schema"]).validate(header["example"])


def test_the_data_of_a_streamed_event_is_a_table() -> None:
    event = DOCUMENT["components"]["examples"]["StreamedEvent.change"]["value"]
    _named("Table").validate(json.loads(event["data"]))


@pytest.mark.parametrize("game", GAMES)
async def test_the_examples_of_a_game_are_answered(engine: House, game: str) -> None:
    for call in ("deals", "moves", "check", "play", "view"):
        path = f"/v1/games/{game}/{call}"
        told = DOCUMENT["paths"][path]["post"]
        (example,) = told["requestBody"]["content"]["application/json"]["examples"].values()
        answer = await engine.post(path, _whole(example)["value"])
        assert answer.status == 200
        _validator(told["responses"]["200"]["content"]["application/json"]["schema"]).validate(answer.json)
    opened = DOCUMENT["components"]["examples"][f"OpenTable.{game}"]["value"]
    assert (await engine.post("/v1/tables", opened)).status == 201


# --- problems


def _codes(operation: Operation) -> set[str]:
    return {
        code
        for response in operation.responses.values()
        for code in response.get("content", {}).get(PROBLEM, {}).get("examples", {})
    }


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_call_tells_its_problems(route: Any) -> None:
    paths = {path for path, _ in _in_each_game(route.path, route.method)}
    told = [each for each in OPERATIONS if each.path in paths and each.method == route.method.lower()]
    for operation in told:
        of_the_game = {code for game in GAMES.values() if game.name in operation.path for code in game.refusals}
        expected = set(route.problems) - REFUSALS.keys() | of_the_game if route.differs else set(route.problems)
        assert _codes(operation) == expected & set(route.problems)


def test_a_status_admits_only_the_codes_that_are_told_for_it() -> None:
    for operation in OPERATIONS:
        for status, response in operation.responses.items():
            form = response.get("content", {}).get(PROBLEM)
            if form:
                assert form["schema"]["properties"]["code"]["enum"] == list(form["examples"])
                assert {KINDS[code].status for code in form["examples"]} == {int(status)}
                assert not _validator(form["schema"]).is_valid(
                    {"type": "x", "title": "x", "status": int(status), "code": "x"}
                )


def test_every_problem_is_told_somewhere() -> None:
    everywhere = {"not_found", "method_not_allowed"}
    assert KINDS.keys() == {code for operation in OPERATIONS for code in _codes(operation)} | everywhere
    assert everywhere <= DOCUMENT["components"]["responses"].keys()


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_has_a_title_of_its_own(game: str) -> None:
    refused = {code for position in positions(game) for _, code in position.expect.refused}
    assert refused
    assert refused <= KINDS.keys()
    assert refused & REFUSALS.keys() <= set(GAMES[game].refusals)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_the_refusals_that_it_makes(game: str) -> None:
    calls = [
        node
        for file in (GAMES_ROOT / game).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
    ]
    made = {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}
    assert made - {"deal_over", "impossible"} == set(GAMES[game].refusals)


def test_every_refusal_is_some_games() -> None:
    assert {code for game in GAMES.values() for code in game.refusals} == REFUSALS.keys()


# --- what is really answered

FOR_BROWSERS = SAFE_HEADERS.keys() | {"Content-Security-Policy"}
OF_HTTP = {"Content-Type", "Content-Length", "Date", "Server", "Connection", "Allow"}


def _agrees(answer: Answer, path: str, method: str = "get") -> None:
    """See that an answer is as the document says, to its last header."""
    response = _whole(DOCUMENT["paths"][path][method]["responses"][str(answer.status)])
    carried = {name.lower() for name in answer.headers.keys() - FOR_BROWSERS - OF_HTTP}
    told = {name: _whole(header) for name, header in response["headers"].items()}
    assert {name.lower() for name in told if told[name]["required"]} <= carried <= {name.lower() for name in told}
    for name, header in told.items():
        if name in answer.headers:
            _fits(header["schema"], answer.headers[name])
    if answer.body:
        kind = answer.headers["Content-Type"].partition(";")[0]
        schema = response["content"][kind]["schema"]
        _validator(schema).validate(answer.json if kind.endswith("json") else answer.body.decode())


def _fits(schema: JsonObject, value: str) -> None:
    _validator(schema).validate(int(value) if schema.get("type") == "integer" else value)


async def test_what_the_engine_answers_is_what_the_document_says(playing: Players) -> None:
    house, path, told = playing.house, playing.path, "/v1/tables/{table}"
    turn = await playing.turn()
    token = playing.tokens[turn]
    seen = await house.get(path, token=token)
    _agrees(seen, told)
    _agrees(await house.get(path, headers={"If-None-Match": seen.headers["ETag"]}), told)
    _agrees(await house.get(f"{path}?after=x"), told)
    _agrees(await house.get(path, token="A" * 43), told)
    _agrees(await house.get(f"{path}/events", headers={"Accept": "application/json"}), f"{told}/events")
    _agrees(await house.get(f"{path}/moves", token=token), f"{told}/moves")
    _agrees(await house.get(f"{path}/moves"), f"{told}/moves")
    _agrees(await playing.play(headers={"If-Match": '"1"'}), f"{told}/moves", "post")
    _agrees(await playing.play({"type": "play", "card": "7h"} if turn else {"type": "pass"}), f"{told}/moves", "post")
    _agrees(await playing.play(), f"{told}/moves", "post")
    _agrees(await house.get(f"{path}/deals/1"), f"{told}/deals/{{deal}}")
    await playing.play_out()
    _agrees(await house.get(f"{path}/deals/1"), f"{told}/deals/{{deal}}")
    opened = await house.post("/v1/tables", {"game": "ramino", "name": "Anna", "listed": True})
    _agrees(opened, "/v1/tables", "post")
    _agrees(await house.get("/v1/tables"), "/v1/tables")
    _agrees(await house.get("/v1/games"), "/v1/games")
    _agrees(await house.get("/v1/games/ramino"), "/v1/games/{game}")
    _agrees(await house.get("/v1/games/x"), "/v1/games/{game}")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/problems"])
async def test_a_page_of_the_house_is_what_the_document_says(engine: House, path: str) -> None:
    _agrees(await engine.get(path), path)


async def test_the_page_of_a_problem_is_what_the_document_says(engine: House) -> None:
    for code in ("stale", "made_up"):
        _agrees(await engine.get(f"/problems/{code}"), "/problems/{code}")
