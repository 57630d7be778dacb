"""Routes and their handlers agree, and what a route declares decides what is decoded, counted and answered."""

from typing import Any, get_type_hints

import msgspec
import pytest

from services.engine.http.api.binding import bind
from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.api.route import GROUPS, PATH_PARAMETERS, Route, RouteGroup
from services.engine.http.server.context import AppContext
from services.engine.http.server.responses import Response
from services.engine.service.idempotency import Caller, TableReply

GROUP = RouteGroup(name="test", description="")


class SearchQuery(msgspec.Struct, frozen=True):
    """A query."""

    limit: int = 1


async def _handler(_: AppContext, *, table: str) -> Response:
    return Response(table.encode())


def _route(**fields: Any) -> Route:
    declared = {"operation_id": "x", "method": "GET", "path": "/{table}", "summary": "", "response": "text/plain"}
    return Route(handler=_handler, group=GROUP, **(declared | fields))


def test_a_handler_takes_what_its_route_declares() -> None:
    bind(_route())
    for route in ROUTES:
        bind(route)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation_id)
def test_a_handler_is_annotated_with_the_types_of_its_route(route: Route) -> None:
    for handler in filter(None, (route.handler, route.stream)):
        types = get_type_hints(handler)
        assert types.get("query") is route.query
        assert types.get("body") is route.body
        assert types.get("caller", Caller) is Caller
        token = {"none": None, "optional": str | None, "required": None if route.writes else str}[route.bearer]
        assert types.get("token") == (None if route.writes else token)
        if handler is route.handler and isinstance(route.response, type):
            assert types["return"] is (TableReply if route.versioned else route.response)


@pytest.mark.parametrize(
    "fields",
    [
        {"path": "/tables"},
        {"path": "/{table}/{seat}"},
        {"query": SearchQuery},
        {"body": SearchQuery},
        {"writes": True},
        {"bearer": "optional"},
        {"localized": True},
        {"stream": _handler},
    ],
)
def test_a_handler_that_takes_other_values_than_its_route_declares_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="by keyword"):
        bind(_route(**fields))


def test_a_path_names_known_parameters_alone() -> None:
    with pytest.raises(KeyError):
        _route(path="/v1/tables/{chair}")
    assert {each.name for route in (*ROUTES, *ADMIN_ROUTES) for each in route.path_parameters} == PATH_PARAMETERS.keys()


def test_operation_ids_are_unique_and_differ_by_game_where_the_body_does() -> None:
    ids = [route.operation_id for route in ROUTES]
    assert len(ids) == len(set(ids))
    assert {route.operation_id for route in ROUTES if "{game}" in route.operation_id} == {
        route.operation_id for route in ROUTES if route.per_game
    }


def test_calls_on_tables_are_those_of_tables_and_of_the_lobby() -> None:
    assert {route.group for route in ROUTES} == {*GROUPS}
    for route in ROUTES:
        assert route.group.on_tables == route.path.startswith(("/v1/lobby", "/v1/tables"))
        checked = ("/v1/games", "/v1/lobby", "/v1/remarks", "/v1/rounds", "/v1/tables")
        assert route.group.any_query != route.path.startswith(checked)
