"""The page at /docs is complete, and is all there is to load."""

import re

import pytest

from services.engine.games.registry import GAMES
from services.engine.http import docs, openapi, operations
from services.engine.http.html import POLICY
from services.engine.http.problems import KINDS
from services.engine.http.route import Route
from services.engine.http.routes import ROUTES
from tests.engine.http.house import House

PAGE = docs.page()
COMPONENTS = openapi.document()["components"]


async def test_the_page_loads_nothing(engine: House) -> None:
    answer = await engine.get("/docs")
    assert answer.body.decode() == PAGE
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "<script" not in PAGE
    assert not re.findall(r'(?:src|href)="(?!#|/openapi.json|/problems/)', PAGE)


def test_every_link_in_the_page_leads_somewhere_in_it() -> None:
    anchors = re.findall(r'id="([^"]+)"', PAGE)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', PAGE)) <= set(anchors)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_call_is_there_with_all_that_it_takes_and_answers(route: Route) -> None:
    found = re.search(rf'<article id="{operations.operation_id(route)}">.*?</article>', PAGE, re.DOTALL)
    assert found
    shown = found[0]
    for path, told in operations.of(route).items():
        assert route.differs or path in shown
        for parameter in told.get("parameters", []):
            assert f"<code>{parameter['name']}</code>" in shown
        for status in told["responses"]:
            assert f"<td>{status}</td>" in shown
    for code in route.problems:
        assert f'href="#{code}" ' in shown
    assert shown.count("<details>") >= (len(GAMES) if route.differs else 1 if route.takes else 0)


def test_headers_problems_and_schemas_are_explained() -> None:
    for anchor in (*(f"header-{name}" for name in COMPONENTS["headers"]), *KINDS):
        assert f'id="{anchor}"' in PAGE
    for name in COMPONENTS["schemas"]:
        assert f'id="schema-{name}"' in PAGE
