"""The OpenAPI document as one page to read: no scripts, nothing loaded from elsewhere."""

import json
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Any

from services.engine.http import openapi, operations
from services.engine.http.docs_schemas import of_type, schemas
from services.engine.http.html import inline, paragraphs, whole
from services.engine.http.negotiation import JSON
from services.engine.http.problems import CONTENT_TYPE, KINDS
from services.engine.http.route import Route

Node = dict[str, Any]

TOKEN = {
    "none": "",
    "optional": "<p>With a seat's token, or without.</p>",
    "needed": "<p>Needs a seat's token.</p>",
}
CLOSABLE = "<p>Needs one of the house's keys where the host has closed the opening of tables.</p>"
DIFFERS = "<p>There is one such path for each game, and the shapes of body and answer are the game's own.</p>"


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
    calls = "".join(_call(document, route) for route in routes if route.tag == tag["name"])
    return f"<section><h2>{escape(tag['name'].capitalize())}</h2>{paragraphs(tag['description'])}{calls}</section>"


def _call(document: Node, route: Route) -> str:
    method = route.method.lower()
    told = [document["paths"][path][method] for path in operations.of(route)]
    title = f'<span class="{method}">{route.method}</span> {escape(route.path)}'
    return (
        f'<article id="{operations.operation_id(route)}"><h3>{title}</h3>'
        f"<p><strong>{escape(route.summary)}.</strong></p>{paragraphs(route.details)}"
        f"{DIFFERS if route.differs else ''}{TOKEN[route.bearer]}{CLOSABLE if route.closable else ''}"
        f"{_parameters(told[0].get('parameters', []))}{_body(document, told)}{_answers(document, route, told)}"
        "</article>"
    )


def _parameters(parameters: list[Node]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(each['name'])}</code></td><td>{each['in']}</td>"
        f"<td>{inline(each['description'])} {of_type(each['schema'])}</td><td>{_value(each['example'])}</td></tr>"
        for each in parameters
    )
    return f"<table><tr><th>Parameter</th><th>In</th><th></th><th>Example</th></tr>{rows}</table>" if rows else ""


def _value(value: object) -> str:
    return f"<code>{escape(str(value))}</code>"


def _body(document: Node, told: list[Node]) -> str:
    bodies = [each["requestBody"]["content"][JSON] for each in told if "requestBody" in each]
    return f"<p>Body: {_types(bodies)}</p>{_examples(document, bodies)}" if bodies else ""


def _types(forms: list[Node]) -> str:
    return " or ".join(of_type(form["schema"]) for form in forms)


def _examples(document: Node, forms: Iterable[Node]) -> str:
    shown = [each for form in forms for each in form.get("examples", {}).values()]
    return "".join(_example(document, each["$ref"].rpartition("/")[2]) for each in shown)


def _example(document: Node, name: str) -> str:
    value = json.dumps(document["components"]["examples"][name]["value"], indent=2, ensure_ascii=False)
    label = name.rpartition(".")[2].replace("_", " ")
    return f"<details><summary>Example: {escape(label)}</summary><pre>{escape(value)}</pre></details>"


# --- answers


def _answers(document: Node, route: Route, told: list[Node]) -> str:
    success = [each["responses"][str(route.status)] for each in told]
    rows = [_row(str(route.status), _forms(success), success[0])]
    rows += [
        _row(status, *_other(document, each))
        for status, each in told[0]["responses"].items()
        if status != str(route.status)
    ]
    table = f"<table><tr><th>Status</th><th>Answer</th><th>Headers</th></tr>{''.join(rows)}</table>"
    forms = [form for each in success for form in each.get("content", {}).values()]
    return f"{table}{_examples(document, forms)}{_links(document, success[0])}"


def _row(status: str, answer: str, told: Node) -> str:
    headers = ", ".join(f'<a href="#header-{name}">{name}</a>' for name in told["headers"])
    return f"<tr><td>{status}</td><td>{answer}</td><td>{headers}</td></tr>"


def _forms(success: list[Node]) -> str:
    kinds = success[0]["content"]
    return "<br>".join(f"<code>{kind}</code>: {_types([each['content'][kind] for each in success])}" for kind in kinds)


def _other(document: Node, response: Node) -> tuple[str, Node]:
    if "$ref" not in response:
        return inline(response["description"]), response
    told: Node = document["components"]["responses"][response["$ref"].rpartition("/")[2]]
    codes = told["content"][CONTENT_TYPE]["examples"]
    return ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in codes), told


def _links(document: Node, success: Node) -> str:
    told = document["components"]["links"]
    items = "".join(
        f'<li><a href="#{name}"><code>{name}</code></a>: {inline(told[name]["description"])}</li>'
        for name in success.get("links", {})
    )
    return f"<p>From here:</p><ul>{items}</ul>" if items else ""


# --- reference


def _headers(document: Node) -> str:
    rows = "".join(
        f'<tr id="header-{name}"><td><code>{name}</code></td><td>{inline(told["description"])} '
        f"{of_type(told['schema'])}</td><td>{_value(told['example'])}</td></tr>"
        for name, told in document["components"]["headers"].items()
    )
    table = f"<table><tr><th>Header</th><th></th><th>Example</th></tr>{rows}</table>"
    return f'<section id="all-headers"><h2>Headers of the answers</h2>{table}</section>'


def _problems() -> str:
    rows = "".join(
        f'<tr id="{code}"><td><a href="/problems/{code}"><code>{code}</code></a></td><td>{kind.status}</td>'
        f"<td>{escape(kind.en.title)}.</td></tr>"
        for code, kind in KINDS.items()
    )
    table = f"<table><tr><th>Code</th><th>Status</th><th></th></tr>{rows}</table>"
    told = "<p>Each links to its page, with an example and what to do about it.</p>"
    return f'<section id="all-problems"><h2>Problems</h2>{told}{table}</section>'
