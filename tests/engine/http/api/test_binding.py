"""The declaration of a call's function decides how requests are decoded, counted and answered."""

from typing import Any

import msgspec
import pytest

from locanda import messages
from services.engine.http.api.declaring import Calls
from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.api.parameters import PATH_PARAMETERS
from services.engine.http.api.route import GROUPS, TABLE_PATH, Route, RouteGroup
from services.engine.http.api.writing import Write
from services.engine.http.server.context import AppContext
from services.engine.table.state import AnyTable, Transition

GROUP = RouteGroup(name="test", description="")


class SearchQuery(msgspec.Struct, frozen=True):
    """A query of the test."""

    limit: int = 1


async def search(_: AppContext, *, table: str, query: SearchQuery, token: str | None, client: str) -> messages.LobbyNow:
    """Find something.

    Here, or
    elsewhere.
    """
    raise AssertionError(table, query, token, client)


def close(call: Write[messages.SetName], table: AnyTable, by: int) -> Transition:
    """Close it."""
    raise AssertionError(call, table, by)


def declared(function: Any, path: str = TABLE_PATH, **options: Any) -> Route:
    """Return the route that is declared by a function."""
    calls = Calls()
    declare = calls.write(GROUP, "PUT", path, **options) if function is close else calls.read(GROUP, path, **options)
    assert declare(function) is function
    return calls.routes[0]


def test_the_docstring_of_a_call_is_its_summary_and_its_description() -> None:
    route = declared(search, notes="And\nthere.")
    assert (route.summary, route.details) == ("Find something", "Here, or elsewhere. And there.")


def test_the_signature_of_a_call_is_what_it_takes() -> None:
    route = declared(search)
    assert (route.operation_id, route.query, route.body, route.bearer) == ("search", SearchQuery, None, "optional")
    assert [*route.takes] == ["table", "query", "token", "client"]
    assert (route.response, route.localized, route.worded, route.writes) == (messages.LobbyNow, False, False, False)


def test_the_signature_of_a_write_is_what_it_takes() -> None:
    route = declared(close, name="shut")
    assert (route.operation_id, route.body, route.bearer) == ("shut", messages.SetName, "required")
    assert [*route.takes] == ["table", "caller", "body"]
    assert (route.response, route.worded, route.writes, route.opens_table) == (messages.Table, True, True, False)


@pytest.mark.parametrize("function", [search, close])
def test_a_function_that_does_not_take_what_its_path_names_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="seat"):
        declared(function, f"{TABLE_PATH}/{{seat}}")


def test_a_path_names_known_parameters_alone() -> None:
    with pytest.raises(KeyError):
        declared(search, "/v1/tables/{chair}")
    assert {
        parameter.name for route in (*ROUTES, *ADMIN_ROUTES) for parameter in route.path_parameters
    } == PATH_PARAMETERS.keys()


def test_operation_ids_are_unique_and_differ_by_game_where_the_body_does() -> None:
    ids = [route.operation_id for route in ROUTES]
    assert len(ids) == len(set(ids))
    assert {route.operation_id for route in ROUTES if "{game}" in route.operation_id} == {
        route.operation_id for route in ROUTES if route.per_game
    }


def test_calls_on_tables_are_those_of_tables_and_of_the_lobby() -> None:
    assert {route.group.name for route in ROUTES} == {group.name for group in GROUPS}
    for route in ROUTES:
        assert route.group.on_tables == route.path.startswith(("/v1/lobby", "/v1/tables"))
        checked = ("/v1/games", "/v1/lobby", "/v1/remarks", "/v1/rounds", "/v1/tables")
        assert route.group.any_query != route.path.startswith(checked)
