"""The OpenAPI document as one page to read: no scripts, nothing loaded from elsewhere."""

from functools import cache
from html import escape
from typing import Any

from services.engine.http import openapi, operations
from services.engine.http.docs_calls import USUAL, call
from services.engine.http.docs_schemas import of_type, schemas
from services.engine.http.html import inline, paragraphs, whole
from services.engine.http.problems import KINDS
from services.engine.http.route import Route

Node = dict[str, Any]


@cache
def page() -> str:
    """Return the page."""
    from services.engine.http.routes import ROUTES  # noqa: PLC0415  (one of the routes serves this page)

    document = openapi.document()
    info = document["info"]
    main = (
        f"<h1>{escape(info['title'])}</h1>"
        f'{paragraphs(info["description"])}<p>The same for machines: <a href="/openapi.json">openapi.json</a>.</p>'
        f"{''.join(_section(document, tag, ROUTES) for tag in document['tags'])}"
        f"{_headers(document)}{_problems()}{schemas(document)}"
    )
    return whole(f"{info['title']} API", "en", _contents(document, ROUTES), main)


def _contents(document: Node, routes: tuple[Route, ...]) -> str:
    found = []
    for tag in document["tags"]:
        items = "".join(
            f'<li><a href="#{operations.operation_id(route)}">{escape(route.summary)}</a></li>'
            for route in routes
            if route.tag == tag["name"]
        )
        found.append(f"<h2>{escape(tag['name'])}</h2><ul>{items}</ul>")
    reference = "".join(
        f'<li><a href="#all-{name}">{name.capitalize()}</a></li>' for name in ("headers", "problems", "schemas")
    )
    return f"{''.join(found)}<h2>reference</h2><ul>{reference}</ul>"


def _section(document: Node, tag: Node, routes: tuple[Route, ...]) -> str:
    calls = "".join(call(document, route) for route in routes if route.tag == tag["name"])
    return f"<section><h2>{escape(tag['name'].capitalize())}</h2>{paragraphs(tag['description'])}{calls}</section>"


# --- reference


def _headers(document: Node) -> str:
    rows = "".join(
        f'<tr id="header-{name}"><td><code>{name}</code></td><td>{inline(told["description"])}<br>'
        f"{of_type(told['schema'])}</td><td><code>{escape(str(told['example']))}</code></td></tr>"
        for name, told in document["components"]["headers"].items()
    )
    table = f"<table><tr><th>Header</th><th></th><th>Example</th></tr>{rows}</table>"
    usual = f"<p>{', '.join(f'<code>{name}</code>' for name in USUAL)} come with every problem: no call names them.</p>"
    return f'<section id="all-headers"><h2>Headers of the answers</h2>{usual}{table}</section>'


def _problems() -> str:
    rows = "".join(
        f'<tr id="{code}"><td><a href="/problems/{code}"><code>{code}</code></a></td><td>{kind.status}</td>'
        f"<td>{escape(kind.en.title)}.</td></tr>"
        for code, kind in KINDS.items()
    )
    table = f"<table><tr><th>Code</th><th>Status</th><th></th></tr>{rows}</table>"
    told = "<p>Each links to its page, with an example and what to do about it.</p>"
    return f'<section id="all-problems"><h2>Problems</h2>{told}{table}</section>'
