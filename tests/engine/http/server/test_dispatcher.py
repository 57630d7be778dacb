"""The tree of paths finds the handlers for a path, and its parameters."""

import pytest

from services.engine.http.server.dispatcher import PathTree

TABLE = "A" * 22


@pytest.fixture
def paths() -> PathTree[str]:
    """Some of the engine's paths, with the name of each call."""
    tree: PathTree[str] = PathTree()
    for method, path, call in (
        ("GET", "/v1/tables", "list"),
        ("POST", "/v1/tables", "open"),
        ("GET", "/v1/tables/{table}", "look"),
        ("POST", "/v1/tables/{table}/moves", "play"),
        ("POST", "/v1/tables/{table}/moves/check", "check"),
        ("DELETE", "/v1/tables/{table}/seats/{seat}", "leave"),
    ):
        tree.add(method, path, call)
    return tree


@pytest.mark.parametrize(
    ("path", "calls", "named"),
    [
        ("/v1/tables", {"GET": "list", "POST": "open"}, {}),
        (f"/v1/tables/{TABLE}", {"GET": "look"}, {"table": TABLE}),
        (f"/v1/tables/{TABLE}/moves", {"POST": "play"}, {"table": TABLE}),
        (f"/v1/tables/{TABLE}/moves/check", {"POST": "check"}, {"table": TABLE}),
        (f"/v1/tables/{TABLE}/seats/3", {"DELETE": "leave"}, {"table": TABLE, "seat": "3"}),
        ("/v1/tables/seats", {"GET": "look"}, {"table": "seats"}),
    ],
)
def test_a_path_leads_to_its_calls_and_names_what_it_is_about(
    paths: PathTree[str], path: str, calls: dict[str, str], named: dict[str, str]
) -> None:
    assert paths.find(path) == (calls, named)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "*",
        "/v1",
        "/v1/",
        "/v1/tables/",
        "v1/tables",
        "//v1/tables",
        "/v1//tables",
        f"/v1/tables/{TABLE}/",
        f"/v1/tables//{TABLE}",
        f"/v1/tables/{TABLE}/moves/",
        f"/v1/tables/{TABLE}/seats",
        f"/v1/tables/{TABLE}/seats/",
        f"/v1/tables/{TABLE}/seats/3/4",
        "/v1/tables/{table}/nothing",
        "/V1/tables",
    ],
)
def test_any_other_path_leads_nowhere(paths: PathTree[str], path: str) -> None:
    assert not paths.find(path)[0]


def test_all_that_was_added_is_listed(paths: PathTree[str]) -> None:
    assert len(list(paths)) == 6
    assert ("DELETE", "/v1/tables/{table}/seats/{seat}") in paths
