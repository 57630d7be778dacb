"""The operations of the document agree with the routes, and with the responses."""

from typing import Any

import pytest

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from services.engine.http.api.binding import path_tree
from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES, REFUSALS_BY_GAME
from tests.engine.http.document.documented import DOCUMENT, OPERATIONS, PROBLEM, Operation, check, validator
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers

HEADERS: dict[str, JsonObject] = DOCUMENT["components"]["headers"]
RULES = "/v1/games/{game}/"


def _documented_paths(path: str, method: str) -> set[tuple[str, str]]:
    """Yield the paths of a route in the document. A call of the rules has one path for each game."""
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


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
async def test_a_method_that_is_not_documented_is_answered_with_405_and_those_that_are(
    shared_engine: RunningEngine, operation: Operation
) -> None:
    path = operation.path.format(table="A" * 22, seat=0, deal=1, game="ramino", code="stale", subscription="A" * 22)
    documented = {other.method.upper() for other in OPERATIONS if other.path == operation.path}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - documented:
        answer = await shared_engine.ask(method, path)
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


def test_every_parameter_and_header_has_a_description_and_an_example_that_is_valid() -> None:
    parameters = {
        f"{operation}: {parameter['name']}": parameter for operation in OPERATIONS for parameter in operation.parameters
    }
    for name, described in (parameters | HEADERS).items():
        assert described["description"], name
        if name.endswith("Idempotency-Key"):  # a key in the document is public, so no client should use it
            assert "example" not in described
        else:
            assert validator(described["schema"]).is_valid(described["example"]), name


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
                assert not validator(form["schema"]).is_valid(
                    {"type": "x", "title": "x", "status": int(status), "code": "x"}
                )


def test_every_problem_is_documented_for_some_call() -> None:
    everywhere = {"not_found", "method_not_allowed"}
    of_operators = {code for route in ADMIN_ROUTES for code in route.problems}
    of_clients = {code for operation in OPERATIONS for code in _codes(operation)}
    assert PROBLEM_TYPES.keys() == of_clients | of_operators | everywhere


async def test_responses_are_as_documented(playing: SeatedPlayers) -> None:
    engine, path, template = playing.engine, playing.path, "/v1/tables/{table}"
    turn = await playing.turn()
    token = playing.tokens[turn]
    seen = await engine.get(path, token=token)
    check(seen, template)
    check(await engine.get(path, headers={"If-None-Match": seen.headers["ETag"]}), template)
    check(await engine.get(f"{path}?after=x"), template)
    check(await engine.get(path, token="A" * 43), template)
    check(await engine.get(f"{path}/events", headers={"Accept": "application/json"}), f"{template}/events")
    check(await engine.get(f"{path}/moves", token=token), f"{template}/moves")
    check(await engine.get(f"{path}/moves"), f"{template}/moves")
    check(await playing.play(headers={"If-Match": '"1"'}), f"{template}/moves", "post")
    check(await playing.play({"type": "play", "card": "7h"} if turn else {"type": "pass"}), f"{template}/moves", "post")
    check(await playing.play(), f"{template}/moves", "post")
    check(await engine.get(f"{path}/deals/1"), f"{template}/deals/{{deal}}")
    await playing.play_out()
    check(await engine.get(f"{path}/deals/1"), f"{template}/deals/{{deal}}")
    opened = await engine.post("/v1/tables", {"game": "ramino", "name": "Anna", "listed": True})
    check(opened, "/v1/tables", "post")
    check(await engine.get("/v1/tables"), "/v1/tables")
    check(await engine.get("/v1/games"), "/v1/games")
    check(await engine.get("/v1/games/ramino"), "/v1/games/{game}")
    check(await engine.get("/v1/games/x"), "/v1/games/{game}")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/problems"])
async def test_a_system_page_is_as_documented(engine: RunningEngine, path: str) -> None:
    check(await engine.get(path), path)
