"""A call of the API in HTML: what it takes, what it answers, and what that looks like."""

import json
from collections.abc import Iterable
from html import escape
from typing import Any

from services.engine.http import operations
from services.engine.http.answers import JSON
from services.engine.http.docs_schemas import of_type
from services.engine.http.examples import HOUSE
from services.engine.http.html import inline, paragraphs
from services.engine.http.parameters import of_problem
from services.engine.http.problems import CONTENT_TYPE, KINDS
from services.engine.http.route import Route

Node = dict[str, Any]

NEXT_LINE = " \\\n  "
SHORT = 200
"""Characters of a body that fit into a command line."""
TOKEN = {
    "none": "",
    "optional": "<p>With a seat's token, or without.</p>",
    "needed": "<p>Needs a seat's token.</p>",
}
USUAL = of_problem(0)
"""The headers that every problem carries, and most other answers."""
CLOSABLE = "<p>Needs one of the house's keys where the host has closed the opening of tables.</p>"
DIFFERS = "<p>There is one such path for each game, and the shapes of body and answer are the game's own.</p>"


def call(document: Node, route: Route) -> str:
    """Return the article of a call."""
    method = route.method.lower()
    told = [document["paths"][path][method] for path in operations.of(route)]
    title = f'<span class="{method}">{route.method}</span> {escape(route.path)}'
    return (
        f'<article id="{operations.operation_id(route)}"><h3>{title}</h3>'
        f"<p><strong>{escape(route.summary)}.</strong></p>{paragraphs(route.details)}"
        f"{DIFFERS if route.differs else ''}{TOKEN[route.bearer]}{CLOSABLE if route.closable else ''}"
        f"{_parameters(told[0].get('parameters', []))}{_body(document, told)}"
        f"{_command(document, route, told[0])}{_answers(document, route, told)}"
        "</article>"
    )


def _parameters(parameters: list[Node]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(each['name'])}</code></td><td>{each['in']}</td>"
        f"<td>{inline(each['description'])}<br>{of_type(each['schema'])}</td><td>{_value(each['example'])}</td></tr>"
        for each in parameters
    )
    return f"<table><tr><th>Parameter</th><th>In</th><th></th><th>Example</th></tr>{rows}</table>" if rows else ""


def _value(value: object) -> str:
    return f"<code>{escape(str(value))}</code>"


def _body(document: Node, told: list[Node]) -> str:
    bodies = [each["requestBody"]["content"][JSON] for each in told if "requestBody" in each]
    return f"<p>Body: {_types(bodies)}</p>{_examples(document, 'Body', bodies)}" if bodies else ""


def _types(forms: list[Node]) -> str:
    return " or ".join(of_type(form["schema"]) for form in forms)


def _examples(document: Node, what: str, forms: Iterable[Node]) -> str:
    shown = [each["$ref"].rpartition("/")[2] for form in forms for each in form.get("examples", {}).values()]
    return "".join(_example(document, what, name) for name in shown)


def _example(document: Node, what: str, name: str) -> str:
    value = json.dumps(document["components"]["examples"][name]["value"], indent=2, ensure_ascii=False)
    label = name.rpartition(".")[2].replace("_", " ")
    return f"<details><summary>{what}, for example: {escape(label)}</summary><pre>{escape(value)}</pre></details>"


def _command(document: Node, route: Route, told: Node) -> str:
    """Return the call as a command for the shell."""
    path = route.path.replace("{game}", HOUSE)
    for parameter in told.get("parameters", []):
        path = path.replace(f"{{{parameter['name']}}}", str(parameter["example"]))
    method = "" if route.method == "GET" else f" -X {route.method}"
    lines = [f"curl{' -N' if route.streams else ''}{method} http://127.0.0.1:8080{path}"]
    if route.bearer == "needed":
        lines.append("-H 'Authorization: Bearer …'")
    if "requestBody" in told:
        shown = next(iter(told["requestBody"]["content"][JSON]["examples"].values()))["$ref"]
        body = json.dumps(document["components"]["examples"][shown.rpartition("/")[2]]["value"], ensure_ascii=False)
        lines += ["-H 'Content-Type: application/json'", f"-d '{body}'" if len(body) < SHORT else "-d @body.json"]
    return f"<pre>{escape(NEXT_LINE.join(lines))}</pre>"


# --- answers


def _answers(document: Node, route: Route, told: list[Node]) -> str:
    success = [each["responses"][str(route.status)] for each in told]
    rows = [_row(str(route.status), _forms(success), success[0])]
    for status in told[0]["responses"]:
        if status != str(route.status):
            answers = [_found(document, each["responses"][status]) for each in told]
            rows.append(_row(status, _other(answers), answers[0]))
    table = f"<table><tr><th>Status</th><th>Answer</th><th>Headers</th></tr>{''.join(rows)}</table>"
    forms = [form for each in success for form in each.get("content", {}).values()]
    return f"{table}{_examples(document, 'Answer', forms)}{_links(document, success[0])}"


def _row(status: str, answer: str, told: Node) -> str:
    own = [name for name in told["headers"] if name not in USUAL]
    headers = ", ".join(f'<a href="#header-{name}">{name}</a>' for name in own)
    return f"<tr><td>{status}</td><td>{answer}</td><td>{headers}</td></tr>"


def _forms(success: list[Node]) -> str:
    kinds = success[0]["content"]
    return "<br>".join(f"<code>{kind}</code>: {_types([each['content'][kind] for each in success])}" for kind in kinds)


def _found(document: Node, response: Node) -> Node:
    found: Node = document["components"]["responses"].get(response.get("$ref", "").rpartition("/")[2], response)
    return found


def _other(answers: list[Node]) -> str:
    """Return the problems of a status, or what else it stands for."""
    codes = {code for each in answers for code in each.get("content", {}).get(CONTENT_TYPE, {}).get("examples", {})}
    links = (
        f'<a href="#{code}" title="{escape(KINDS[code].en.title)}"><code>{code}</code></a>' for code in sorted(codes)
    )
    return ", ".join(links) or inline(answers[0]["description"])


def _links(document: Node, success: Node) -> str:
    told = document["components"]["links"]
    items = "".join(
        f'<li><a href="#{name}"><code>{name}</code></a>: {inline(told[name]["description"])}</li>'
        for name in success.get("links", {})
    )
    return f"<p>From here:</p><ul>{items}</ul>" if items else ""
