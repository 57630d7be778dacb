"""The OpenAPI document as one page to read: no scripts, nothing loaded from elsewhere."""

import json
from functools import cache
from html import escape
from typing import Any

from services.engine.http import openapi
from services.engine.http.html import inline, paragraphs, whole
from services.engine.http.problems import KINDS

Node = dict[str, Any]


@cache
def page() -> str:
    """Return the page."""
    document = openapi.document()
    info = document["info"]
    main = (
        f"<h1>{escape(info['title'])}</h1>"
        f'{paragraphs(info["description"])}<p>The same for machines: <a href="/openapi.json">openapi.json</a>.</p>'
        f"{''.join(_section(document, tag) for tag in document['tags'])}{_problems()}{_schemas(document)}"
    )
    return whole(f"{info['title']} API", "en", _contents(document), main)


def _operations(document: Node, tag: str) -> list[tuple[str, str, Node]]:
    return [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if tag in operation["tags"]
    ]


def _contents(document: Node) -> str:
    found = []
    for tag in document["tags"]:
        items = "".join(
            f'<li><a href="#{operation["operationId"]}">{escape(operation["summary"])}</a></li>'
            for _, _, operation in _operations(document, tag["name"])
        )
        found.append(f"<h2>{escape(tag['name'])}</h2><ul>{items}</ul>")
    return (
        "".join(found)
        + '<h2>reference</h2><ul><li><a href="#problems">Problems</a></li><li><a href="#schemas">Schemas</a></li></ul>'
    )


def _section(document: Node, tag: Node) -> str:
    calls = "".join(_call(*each) for each in _operations(document, tag["name"]))
    return f"<section><h2>{escape(tag['name'].capitalize())}</h2>{paragraphs(tag['description'])}{calls}</section>"


def _call(method: str, path: str, operation: Node) -> str:
    title = f'<span class="{method}">{method.upper()}</span> {escape(path)}'
    return (
        f'<article id="{operation["operationId"]}"><h3>{title}</h3>'
        f"<p><strong>{escape(operation['summary'])}.</strong></p>{paragraphs(operation.get('description', ''))}"
        f"{_security(operation.get('security', []))}"
        f"{_parameters(operation.get('parameters', []))}{_body(operation)}{_answers(operation)}</article>"
    )


def _security(ways: list[Node]) -> str:
    """Return what a call asks of its caller."""
    if {"key": []} in ways:
        return "<p>Needs one of the house's keys, where its host has closed it to strangers.</p>"
    if {} in ways:
        return "<p>With a seat's token, or without.</p>"
    return "<p>Needs a seat's token.</p>" if ways else ""


def _parameters(parameters: list[Node]) -> str:
    if not parameters:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(each['name'])}</code></td><td>{each['in']}</td><td>{inline(each['description'])}</td></tr>"
        for each in parameters
    )
    return f"<table><tr><th>Parameter</th><th>In</th><th></th></tr>{rows}</table>"


def _body(operation: Node) -> str:
    if "requestBody" not in operation:
        return ""
    return f"<p>Body: {_type(operation['requestBody']['content']['application/json']['schema'])}</p>"


def _answers(operation: Node) -> str:
    rows = "".join(
        f"<tr><td>{status}</td><td>{_answer(each)}</td></tr>" for status, each in operation["responses"].items()
    )
    return f"<table><tr><th>Status</th><th>Answer</th></tr>{rows}</table>"


def _answer(answer: Node) -> str:
    problems = answer.get("content", {}).get("application/problem+json")
    if problems:
        return ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in problems["examples"])
    forms = [f"{_type(form['schema'])} as <code>{kind}</code>" for kind, form in answer.get("content", {}).items()]
    return ", or ".join(forms) or inline(answer["description"])


def _problems() -> str:
    rows = "".join(
        f'<tr id="{code}"><td><a href="/problems/{code}"><code>{code}</code></a></td><td>{kind.status}</td>'
        f"<td>{escape(kind.en.title)}.</td></tr>"
        for code, kind in KINDS.items()
    )
    table = f"<table><tr><th>Code</th><th>Status</th><th></th></tr>{rows}</table>"
    return f'<section id="problems"><h2>Problems</h2>{table}</section>'


def _schemas(document: Node) -> str:
    schemas = document["components"]["schemas"]
    return (
        f'<section id="schemas"><h2>Schemas</h2>{"".join(_schema(name, schemas[name]) for name in schemas)}</section>'
    )


def _schema(name: str, schema: Node) -> str:
    needed = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(key)}</code>{'' if key in needed else ' (optional)'}</td><td>{_type(part)}</td>"
        f"<td>{inline(part.get('description', ''))}</td></tr>"
        for key, part in schema.get("properties", {}).items()
    )
    table = f"<table>{rows}</table>" if rows else f"<p>{_type(schema)}</p>"
    example = json.dumps(schema["examples"][0], indent=2, ensure_ascii=False) if "examples" in schema else ""
    shown = f"<details><summary>Example</summary><pre>{escape(example)}</pre></details>" if example else ""
    told = paragraphs(schema.get("description", ""))
    return f'<article id="schema-{name}"><h3>{name}</h3>{told}{table}{shown}</article>'


def _type(schema: Node) -> str:
    """Return a schema in a few words, with links to those that it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#schema-{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(json.dumps(each))}</code>" for each in schema["enum"])
    if schema.get("items"):
        return f"list of {_type(schema['items'])}"
    return escape(str(schema.get("type", "anything"))) + _bounds(schema)


def _bounds(schema: Node) -> str:
    words = {"minimum": "at least", "maximum": "at most", "minLength": "no shorter than", "maxLength": "no longer than"}
    return "".join(f", {text} {schema[word]}" for word, text in words.items() if word in schema)
