"""The document agrees with the routes, the messages, the problems and the file in the repository."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from locanda.games.registry import WIRE_TYPES
from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from services.engine.app import DOCUMENTATION
from services.engine.http.api.binding import path_tree
from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.document import openapi
from services.engine.http.document.schemas import of_game
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES, REFUSALS_BY_GAME
from services.engine.http.server.responses import SAFE_HEADERS
from tests.engine.http.engine_server import ApiResponse, RunningEngine, SeatedPlayers
from tests.games.positions import positions

COMMITTED = openapi.FILE.read_bytes()
DOCUMENT = DOCUMENTATION.document
HEADERS: dict[str, JsonObject] = DOCUMENT["components"]["headers"]
SCHEMAS: dict[str, JsonObject] = DOCUMENT["components"]["schemas"]
PROBLEM = "application/problem+json"
RULES = "/v1/games/{game}/"


def _node(reference: str) -> Any:
    """The node of a reference."""
    node: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node


def _resolved(node: Any) -> Any:
    """A node of the document; where it is a reference, the node of that."""
    return _node(node["$ref"]) if "$ref" in node else node


@dataclass(frozen=True)
class Operation:
    path: str
    method: str
    described: JsonObject

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def parameters(self) -> list[JsonObject]:
        return [_resolved(parameter) for parameter in self.described.get("parameters", [])]

    @property
    def responses(self) -> dict[str, JsonObject]:
        return {status: _resolved(response) for status, response in self.described["responses"].items()}


OPERATIONS = [
    Operation(path, method, described)
    for path, methods in DOCUMENT["paths"].items()
    for method, described in methods.items()
]


def _validator(schema: JsonObject) -> jsonschema_rs.Draft202012Validator:
    return _compiled(json.dumps(schema))


@cache
def _compiled(schema: str) -> jsonschema_rs.Draft202012Validator:
    whole = {"allOf": [json.loads(schema)], "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def _schema_validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return _validator({"$ref": f"#/components/schemas/{name}"})


def test_the_committed_document_is_up_to_date() -> None:
    assert DOCUMENTATION.openapi == COMMITTED, "run: make openapi"


def test_what_a_subscriber_is_sent_is_a_callback_of_the_call_that_subscribes() -> None:
    """As `webhooks`, OpenAPI Generator would write it over the calls of its tag."""
    assert "webhooks" not in DOCUMENT
    subscribe = DOCUMENT["paths"]["/v1/tables/{table}/subscriptions"]["post"]
    sent = subscribe["callbacks"]["notice"]["{$request.body#/url}"]["post"]
    assert sent["requestBody"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/WebhookNotice"
    }


async def test_the_served_document_is_the_committed_one(engine: RunningEngine) -> None:
    answer = await engine.get("/openapi.json")
    assert answer.body == COMMITTED


def test_every_field_says_what_it_means() -> None:
    silent = [
        f"{name}.{field}"
        for name, schema in _schemas(DOCUMENT, "")
        for field, part in schema.get("properties", {}).items()
        if len(part.get("description", "").split()) < 3
    ]
    assert silent == []


def _schemas(part: Any, path: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield every schema in a part of the document that describes properties, with its path."""
    if isinstance(part, dict):
        if "properties" in part:
            yield path, part
        for name, value in part.items():
            if name not in ("examples", "example", "not"):
                yield from _schemas(value, f"{path}/{name}")
    elif isinstance(part, list):
        for number, value in enumerate(part):
            yield from _schemas(value, f"{path}/{number}")


@pytest.mark.parametrize("game", GAMES)
def test_the_document_says_which_of_equal_moves_are_listed(game: str) -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert WIRE_TYPES[game].LISTED_MOVES in schemas[of_game("Move", game)]["description"]
    for name in ("LegalMoves", of_game("LegalMoves", game), of_game("Table", game)):
        assert "of equal ones" in schemas[name]["properties"]["moves"]["description"]


def test_the_document_says_how_many_changes_are_kept() -> None:
    script = (openapi.FILE.parent / "store/scripts/commit.lua").read_text()
    assert f"KEPT_ANSWERS, KEPT_CALLERS = 20, {openapi.KEPT_CHANGES}, {openapi.KEPT_ANSWERS}, " in script


def test_the_document_is_not_too_long_to_read() -> None:
    assert len(COMMITTED) < 700_000


def test_no_description_holds_the_indentation_of_the_source_or_the_exceptions_of_python() -> None:
    """Newer Pythons take the indentation out of docstrings: such a text would differ between them."""
    texts = re.findall(rb'"(?:description|summary)": "([^\n]*)"', COMMITTED)

    assert len(texts) > 100
    assert not [text for text in texts if b"\\n  " in text or b"Raises" in text]


# --- the routes


def _documented_paths(path: str, method: str) -> set[tuple[str, str]]:
    """A call of the rules has a path for each game in the document."""
    if not path.startswith(RULES) or method == "GET":
        return {(path, method)}
    return {(path.replace("{game}", game), method) for game in GAMES}


async def test_every_route_is_documented_and_every_documented_call_is_there(engine: RunningEngine) -> None:
    paths = path_tree(engine.context, ROUTES)
    there = {
        documented_path
        for method, path in paths
        if method != "HEAD"
        for documented_path in _documented_paths(path, method)
    }
    assert there == {(operation.path, operation.method.upper()) for operation in OPERATIONS}


async def test_head_is_answered_wherever_get_is_but_for_streams(engine: RunningEngine) -> None:
    methods: dict[str, set[str]] = {}
    for method, path in path_tree(engine.context, ROUTES):
        methods.setdefault(path, set()).add(method)
    without = {path for path, verbs in methods.items() if "GET" in verbs and "HEAD" not in verbs}
    assert without == {"/v1/tables/{table}/events", "/v1/lobby"}
    assert not any("HEAD" in verbs and "GET" not in verbs for verbs in methods.values())


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
async def test_a_method_that_is_not_documented_is_answered_with_405_and_those_that_are(
    engine: RunningEngine, operation: Operation
) -> None:
    path = operation.path.format(table="A" * 22, seat=0, deal=1, game="ramino", code="stale", subscription="A" * 22)
    documented = {other.method.upper() for other in OPERATIONS if other.path == operation.path}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - documented:
        answer = await engine.ask(method, path)
        assert (answer.status, answer.code) == (405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(",")) - {"HEAD"} == documented


def test_operation_ids_are_unique() -> None:
    ids = [operation.described["operationId"] for operation in OPERATIONS]
    assert len(ids) == len(set(ids))


def test_links_lead_to_calls_with_these_parameters() -> None:
    operations = {operation.described["operationId"]: operation for operation in OPERATIONS}
    for link in DOCUMENT["components"]["links"].values():
        needed = {
            parameter["name"] for parameter in operations[link["operationId"]].parameters if parameter["required"]
        }
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
        assert _node(reference)
    components = DOCUMENT["components"]
    defined = {f"#/components/{kind}/{name}" for kind in components for name in components[kind]}
    schemes = {f"#/components/securitySchemes/{name}" for name in ("seat", "key")}
    assert defined - set(_references(DOCUMENT)) <= schemes


def test_a_card_is_the_same_schema_wherever_it_stands() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    cards = {name: schema for name, schema in schemas.items() if "Card" in name and schema.get("type") == "string"}

    assert cards
    for schema in cards.values():
        assert json.dumps(DOCUMENT).count(json.dumps(schema["pattern"])) == 1


def test_every_schema_is_valid() -> None:
    assert [name for name, schema in SCHEMAS.items() if not jsonschema_rs.meta.is_valid(schema)] == []


def test_no_body_admits_unknown_fields() -> None:
    for operation in OPERATIONS:
        if "requestBody" in operation.described:
            for schema in _shapes(operation.described["requestBody"]["content"]["application/json"]["schema"]):
                assert schema["additionalProperties"] is False


def _shapes(schema: JsonObject) -> list[JsonObject]:
    resolved = _resolved(schema)
    if "oneOf" in resolved and "properties" not in resolved:
        return [shape for branch in resolved["oneOf"] for shape in _shapes(branch)]
    return [resolved]


# --- examples


def _media() -> Iterator[tuple[str, JsonObject]]:
    """Each form of a body or a response, with its name."""
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
            _validator(form["schema"]).validate(_resolved(example)["value"])


def test_every_body_and_answer_has_examples_that_are_valid() -> None:
    assert [name for name, form in _media() if not _has_valid_examples(form)] == []


def _has_valid_examples(form: JsonObject) -> bool:
    shown = [_resolved(example)["value"] for example in form.get("examples", {}).values()] or [form["example"]]
    return all(map(_validator(form["schema"]).is_valid, shown))


def test_every_parameter_and_header_has_a_description_and_an_example_that_is_valid() -> None:
    parameters = {
        f"{operation}: {parameter['name']}": parameter for operation in OPERATIONS for parameter in operation.parameters
    }
    for name, described in (parameters | HEADERS).items():
        assert described["description"], name
        if name.endswith("Idempotency-Key"):  # a key that everybody can read is nobody's
            assert "example" not in described
        else:
            assert _validator(described["schema"]).is_valid(described["example"]), name


def test_the_data_of_a_streamed_event_is_a_table() -> None:
    event = DOCUMENT["components"]["examples"]["StreamedEvent.change"]["value"]
    _schema_validator("Table").validate(json.loads(event["data"]))


@pytest.mark.parametrize("game", GAMES)
async def test_the_examples_of_a_game_are_answered(engine: RunningEngine, game: str) -> None:
    for call in ("deals", "moves", "check", "play", "view"):
        path = f"/v1/games/{game}/{call}"
        documented = DOCUMENT["paths"][path]["post"]
        (example,) = documented["requestBody"]["content"]["application/json"]["examples"].values()
        answer = await engine.post(path, _resolved(example)["value"])
        assert answer.status == 200
        _validator(documented["responses"]["200"]["content"]["application/json"]["schema"]).validate(answer.json)
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
def test_every_call_documents_its_problems(route: Any) -> None:
    paths = {path for path, _ in _documented_paths(route.path, route.method)}
    documented = [
        documented_call
        for documented_call in OPERATIONS
        if documented_call.path in paths and documented_call.method == route.method.lower()
    ]
    for operation in documented:
        of_the_game = {code for game, codes in REFUSALS_BY_GAME.items() if game in operation.path for code in codes}
        expected = set(route.problems) - REFUSAL_TYPES.keys() | of_the_game if route.per_game else set(route.problems)
        assert _codes(operation) == expected & set(route.problems)


def test_a_status_admits_only_the_codes_that_are_documented_for_it() -> None:
    for operation in OPERATIONS:
        for status, response in operation.responses.items():
            form = response.get("content", {}).get(PROBLEM)
            if form:
                assert form["schema"]["properties"]["code"]["enum"] == list(form["examples"])
                assert {PROBLEM_TYPES[code].status for code in form["examples"]} == {int(status)}
                assert not _validator(form["schema"]).is_valid(
                    {"type": "x", "title": "x", "status": int(status), "code": "x"}
                )


def test_every_problem_is_documented_for_some_call() -> None:
    everywhere = {"not_found", "method_not_allowed"}
    of_operators = {code for route in ADMIN_ROUTES for code in route.problems}
    of_clients = {code for operation in OPERATIONS for code in _codes(operation)}
    assert PROBLEM_TYPES.keys() == of_clients | of_operators | everywhere


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_in_the_worked_positions_is_declared_by_its_game(game: str) -> None:
    refused = {code for position in positions(game) for _, code in position.expect.refused}
    assert refused
    assert refused <= PROBLEM_TYPES.keys()
    assert refused & REFUSAL_TYPES.keys() <= set(REFUSALS_BY_GAME[game])


# --- real responses

FOR_BROWSERS = SAFE_HEADERS.keys() | {"Content-Security-Policy"}
OF_HTTP = {"Content-Type", "Content-Length", "Date", "Server", "Connection", "Allow"}


def _check(answer: ApiResponse, path: str, method: str = "get") -> None:
    """Check a response against the document, every header included."""
    response = _resolved(DOCUMENT["paths"][path][method]["responses"][str(answer.status)])
    carried = {name.lower() for name in answer.headers.keys() - FOR_BROWSERS - OF_HTTP}
    documented = {name: _resolved(header) for name, header in response["headers"].items()}
    assert (
        {name.lower() for name in documented if documented[name]["required"]}
        <= carried
        <= {name.lower() for name in documented}
    )
    for name, header in documented.items():
        if name in answer.headers:
            _check_header(header["schema"], answer.headers[name])
    if answer.body:
        kind = answer.headers["Content-Type"].partition(";")[0]
        schema = response["content"][kind]["schema"]
        _validator(schema).validate(answer.json if kind.endswith("json") else answer.body.decode())


def _check_header(schema: JsonObject, value: str) -> None:
    _validator(schema).validate(int(value) if schema.get("type") == "integer" else value)


async def test_responses_are_as_documented(playing: SeatedPlayers) -> None:
    engine, path, template = playing.engine, playing.path, "/v1/tables/{table}"
    turn = await playing.turn()
    token = playing.tokens[turn]
    seen = await engine.get(path, token=token)
    _check(seen, template)
    _check(await engine.get(path, headers={"If-None-Match": seen.headers["ETag"]}), template)
    _check(await engine.get(f"{path}?after=x"), template)
    _check(await engine.get(path, token="A" * 43), template)
    _check(await engine.get(f"{path}/events", headers={"Accept": "application/json"}), f"{template}/events")
    _check(await engine.get(f"{path}/moves", token=token), f"{template}/moves")
    _check(await engine.get(f"{path}/moves"), f"{template}/moves")
    _check(await playing.play(headers={"If-Match": '"1"'}), f"{template}/moves", "post")
    _check(
        await playing.play({"type": "play", "card": "7h"} if turn else {"type": "pass"}), f"{template}/moves", "post"
    )
    _check(await playing.play(), f"{template}/moves", "post")
    _check(await engine.get(f"{path}/deals/1"), f"{template}/deals/{{deal}}")
    await playing.play_out()
    _check(await engine.get(f"{path}/deals/1"), f"{template}/deals/{{deal}}")
    opened = await engine.post("/v1/tables", {"game": "ramino", "name": "Anna", "listed": True})
    _check(opened, "/v1/tables", "post")
    _check(await engine.get("/v1/tables"), "/v1/tables")
    _check(await engine.get("/v1/games"), "/v1/games")
    _check(await engine.get("/v1/games/ramino"), "/v1/games/{game}")
    _check(await engine.get("/v1/games/x"), "/v1/games/{game}")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/problems"])
async def test_a_system_page_is_as_documented(engine: RunningEngine, path: str) -> None:
    _check(await engine.get(path), path)


async def test_the_page_of_a_problem_is_as_documented(engine: RunningEngine) -> None:
    for code in ("stale", "made_up"):
        _check(await engine.get(f"/problems/{code}"), "/problems/{code}")
        _check(await engine.get(f"/problems/{code}", headers={"Accept": "application/json"}), "/problems/{code}")
