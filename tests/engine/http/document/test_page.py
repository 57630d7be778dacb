"""The HTML page at /docs is complete, and loads no other files."""

import re

import pytest

from locanda.games.rules import GAMES
from services.engine.app import DOCUMENTATION
from services.engine.http.api.handlers import ROUTES
from services.engine.http.api.route import Route
from services.engine.http.document.operations import operation_id, operations_of
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.responses import HTML_POLICY
from tests.engine.http.engine_server import RunningEngine

PAGE = DOCUMENTATION.page().decode()
COMPONENTS = DOCUMENTATION.document["components"]


async def test_the_page_loads_nothing(engine: RunningEngine) -> None:
    answer = await engine.get("/docs")
    assert answer.body == DOCUMENTATION.page(engine.url("").rstrip("/"))
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Content-Security-Policy"] == HTML_POLICY
    assert "<script" not in PAGE
    assert not re.findall(r'(?:src|href)="(?!#|openapi.json|problems/)', PAGE)


def test_every_link_leads_to_an_anchor_of_the_page() -> None:
    anchors = re.findall(r'id="([^"]+)"', PAGE)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', PAGE)) <= set(anchors)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_call_is_described_with_its_parameters_statuses_and_problems(route: Route) -> None:
    match = re.search(rf'<article id="{operation_id(route)}">.*?</article>', PAGE, re.DOTALL)
    assert match
    shown = match[0]
    for path, operation in operations_of(route).items():
        assert route.per_game or path in shown
        for parameter in operation.get("parameters", []):
            name = COMPONENTS["parameters"][parameter["$ref"].rpartition("/")[2]]["name"]
            assert f"<code>{name}</code>" in shown
        for status in operation["responses"]:
            assert f"<td>{status}</td>" in shown
    for code in route.problems:
        assert f'href="#{code}" ' in shown
    assert shown.count("<details>") >= (len(GAMES) if route.per_game else 1 if route.body else 0)


async def test_commands_name_the_address_of_the_engine(engine: RunningEngine) -> None:
    page = await engine.get("/docs")
    assert f"curl {engine.url('/v1/games')}" in page.body.decode()
    elsewhere = await engine.get("/docs", headers={"Host": "locanda.example:81"})
    assert "curl http://locanda.example:81/v1/games" in elsewhere.body.decode()
    odd = await engine.get("/docs", headers={"Host": '"><script>alert(1)</script>'})
    assert "<script>alert" not in odd.body.decode()


def test_headers_problems_and_schemas_are_explained() -> None:
    for anchor in (*(f"header-{name}" for name in COMPONENTS["headers"]), *PROBLEM_TYPES):
        assert f'id="{anchor}"' in PAGE
    for name in COMPONENTS["schemas"]:
        assert f'id="schema-{name}"' in PAGE
