"""Renders the OpenAPI document as an HTML page: contents, calls with examples, headers, problems, schemas.

`RouteDocumentation` caches the documents and pages that the engine serves.
"""

import asyncio
import json
from collections.abc import Iterable
from functools import cache, cached_property, partial
from html import escape

from locanda.messages import JsonObject
from services.engine.http.api.route import Route
from services.engine.http.document.administration import admin_document
from services.engine.http.document.examples import EXAMPLE_GAME
from services.engine.http.document.openapi import Document, as_json, openapi_document
from services.engine.http.document.operations import operation_id, operations_of, parameters, problem_headers
from services.engine.http.document.problem_pages import list_page, problem_page
from services.engine.http.problems.responses import CONTENT_TYPE
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.responses import JSON, html_document, inline, paragraphs

ADDRESS = "http://127.0.0.1:8080"
"""The address in example commands. In the served page, the engine's own address replaces it."""
ADDRESSES = 8
"""The number of addresses for which the page is cached."""
NEXT_LINE = " \\\n  "
SHORT = 200
"""Maximum characters of a body that is shown in a command."""
BEARER_TEXTS = {
    "none": "",
    "optional": "<p>A seat's token is optional.</p>",
    "required": "<p>Needs a seat's token.</p>",
}
COMMON_HEADERS = problem_headers(0)
"""Headers that every problem and most other responses have."""
API_KEY_TEXT = "<p>Needs an API key if the server's operator has set any.</p>"
PER_GAME_TEXT = "<p>There is a path for each game, with the game's own types in body and response.</p>"
BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "minLength": "no shorter than",
    "maxLength": "no longer than",
    "minItems": "no fewer than",
    "maxItems": "no more than",
    "default": "by default",
}


def html_page(document: JsonObject, routes: tuple[Route, ...]) -> str:
    """Return the HTML page of a document, which was generated from `routes`."""
    info = document["info"]
    main = (
        f"<h1>{escape(info['title'])}</h1>"
        f'{paragraphs(info["description"])}<p>This document for programs: <a href="openapi.json">openapi.json</a>.</p>'
        f"{''.join(_section(document, tag, routes) for tag in document['tags'])}"
        f"{_headers(document)}{_problems()}{_schemas(document)}"
    )
    return html_document(f"{info['title']} API", "en", _contents(document, routes), main)


def _contents(document: JsonObject, routes: tuple[Route, ...]) -> str:
    sections = []
    for tag in document["tags"]:
        items = "".join(
            f'<li><a href="#{operation_id(route)}">{escape(route.summary)}</a></li>'
            for route in routes
            if route.group.name == tag["name"]
        )
        sections.append(f"<h2>{escape(tag['name'])}</h2><ul>{items}</ul>")
    reference = "".join(
        f'<li><a href="#all-{name}">{name.capitalize()}</a></li>' for name in ("headers", "problems", "schemas")
    )
    return f"{''.join(sections)}<h2>reference</h2><ul>{reference}</ul>"


def _section(document: JsonObject, tag: JsonObject, routes: tuple[Route, ...]) -> str:
    calls = "".join(_call(document, route) for route in routes if route.group.name == tag["name"])
    return f"<section><h2>{escape(tag['name'].capitalize())}</h2>{paragraphs(tag['description'])}{calls}</section>"


# --- reference


def _headers(document: JsonObject) -> str:
    rows = "".join(
        f'<tr id="header-{name}"><td><code>{name}</code></td><td>{inline(header["description"])}<br>'
        f"{_schema_text(header['schema'])}</td><td><code>{escape(str(header['example']))}</code></td></tr>"
        for name, header in document["components"]["headers"].items()
    )
    table = f"<table><tr><th>Header</th><th></th><th>Example</th></tr>{rows}</table>"
    names = ", ".join(f"<code>{name}</code>" for name in COMMON_HEADERS)
    common = f"<p>{names} are in every problem response, and not listed for each call.</p>"
    return f'<section id="all-headers"><h2>Headers of responses</h2>{common}{table}</section>'


def _problems() -> str:
    rows = "".join(
        f'<tr id="{code}"><td><a href="problems/{code}"><code>{code}</code></a></td><td>{type_.status}</td>'
        f"<td>{escape(type_.title)}.</td></tr>"
        for code, type_ in PROBLEM_TYPES.items()
    )
    table = f"<table><tr><th>Code</th><th>Status</th><th></th></tr>{rows}</table>"
    note = "<p>Each code links to a page with an example and a remedy.</p>"
    return f'<section id="all-problems"><h2>Problems</h2>{note}{table}</section>'


# --- calls


def _call(document: JsonObject, route: Route) -> str:
    """Return the article about a call. A call with one path for each game has a single article."""
    method = route.method.lower()
    operations = [document["paths"][path][method] for path in operations_of(route)]
    title = f'<span class="{method}">{route.method}</span> {escape(route.path)}'
    return (
        f'<article id="{operation_id(route)}"><h3>{title}</h3>'
        f"<p><strong>{escape(route.summary)}.</strong></p>{paragraphs(route.details)}"
        f"{PER_GAME_TEXT if route.per_game else ''}{BEARER_TEXTS[route.bearer]}"
        f"{API_KEY_TEXT if route.opens_table else ''}"
        f"{_parameters([*parameters(route).values()])}{_body(document, operations)}"
        f"{_command(document, route, operations[0])}{_responses(document, route, operations)}"
        "</article>"
    )


def _parameters(described: list[JsonObject]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(parameter['name'])}</code></td><td>{parameter['in']}</td>"
        f"<td>{inline(parameter['description'])}<br>{_schema_text(parameter['schema'])}</td><td>{_example_of(parameter)}</td></tr>"
        for parameter in described
    )
    return f"<table><tr><th>Parameter</th><th>In</th><th></th><th>Example</th></tr>{rows}</table>" if rows else ""


def _example_of(parameter: JsonObject) -> str:
    return f"<code>{escape(str(parameter['example']))}</code>" if "example" in parameter else ""


def _body(document: JsonObject, operations: list[JsonObject]) -> str:
    bodies = [operation["requestBody"]["content"][JSON] for operation in operations if "requestBody" in operation]
    return f"<p>Body: {_types(bodies)}</p>{_examples(document, 'Body', bodies)}" if bodies else ""


def _types(forms: list[JsonObject]) -> str:
    return " or ".join(_schema_text(form["schema"]) for form in forms)


def _examples(document: JsonObject, what: str, forms: Iterable[JsonObject]) -> str:
    shown = [example["$ref"].rpartition("/")[2] for form in forms for example in form.get("examples", {}).values()]
    return "".join(_example(document, what, name) for name in shown)


def _example(document: JsonObject, what: str, name: str) -> str:
    value = json.dumps(document["components"]["examples"][name]["value"], indent=2, ensure_ascii=False)
    label = name.rpartition(".")[2].replace("_", " ")
    return f"<details><summary>{what}, for example: {escape(label)}</summary><pre>{escape(value)}</pre></details>"


def _command(document: JsonObject, route: Route, operation: JsonObject) -> str:
    path = route.path.replace("{game}", EXAMPLE_GAME)
    for parameter in parameters(route).values():
        path = path.replace(f"{{{parameter['name']}}}", str(parameter.get("example")))
    method = "" if route.method == "GET" else f" -X {route.method}"
    lines = [f"curl{' -N' if route.stream else ''}{method} {ADDRESS}{path}"]
    if route.bearer == "required":
        lines.append("-H 'Authorization: Bearer …'")
    if "requestBody" in operation:
        shown = next(iter(operation["requestBody"]["content"][JSON]["examples"].values()))["$ref"]
        body = json.dumps(document["components"]["examples"][shown.rpartition("/")[2]]["value"], ensure_ascii=False)
        lines += ["-H 'Content-Type: application/json'", f"-d '{body}'" if len(body) < SHORT else "-d @body.json"]
    return f"<pre>{escape(NEXT_LINE.join(lines))}</pre>"


# --- responses of a call


def _responses(document: JsonObject, route: Route, operations: list[JsonObject]) -> str:
    success = [operation["responses"][str(route.status)] for operation in operations]
    rows = [_row(str(route.status), _forms(success), success[0])]
    for status in operations[0]["responses"]:
        if status != str(route.status):
            answers = [_found(document, operation["responses"][status]) for operation in operations]
            rows.append(_row(status, _other_text(answers), answers[0]))
    table = f"<table><tr><th>Status</th><th>Answer</th><th>Headers</th></tr>{''.join(rows)}</table>"
    forms = [form for response in success for form in response.get("content", {}).values()]
    return f"{table}{_examples(document, 'Answer', forms)}{_links(document, success[0])}"


def _row(status: str, answer: str, response: JsonObject) -> str:
    own = [name for name in response["headers"] if name not in COMMON_HEADERS]
    headers = ", ".join(f'<a href="#header-{name}">{name}</a>' for name in own)
    return f"<tr><td>{status}</td><td>{answer}</td><td>{headers}</td></tr>"


def _forms(success: list[JsonObject]) -> str:
    media_types = success[0]["content"]
    return "<br>".join(
        f"<code>{name}</code>: {_types([response['content'][name] for response in success])}" for name in media_types
    )


def _found(document: JsonObject, response: JsonObject) -> JsonObject:
    whole: JsonObject = document["components"]["responses"].get(response.get("$ref", "").rpartition("/")[2], response)
    return whole


def _other_text(answers: list[JsonObject]) -> str:
    """Return links to the problems of a status, or the response's description if the status has no problems."""
    codes = {code for answer in answers for code in answer.get("content", {}).get(CONTENT_TYPE, {}).get("examples", {})}
    titles = {code: escape(PROBLEM_TYPES[code].title) for code in sorted(codes)}
    links = (f'<a href="#{code}" title="{title}"><code>{code}</code></a>' for code, title in titles.items())
    return ", ".join(links) or inline(answers[0]["description"])


def _links(document: JsonObject, success: JsonObject) -> str:
    links = document["components"]["links"]
    items = "".join(
        f'<li><a href="#{name}"><code>{name}</code></a>: {inline(links[name]["description"])}</li>'
        for name in success.get("links", {})
    )
    return f"<p>Possible next calls:</p><ul>{items}</ul>" if items else ""


# --- schemas


def _schemas(document: JsonObject) -> str:
    articles = "".join(_schema(name, schema) for name, schema in document["components"]["schemas"].items())
    return f'<section id="all-schemas"><h2>Schemas</h2>{articles}</section>'


def _schema(name: str, schema: JsonObject) -> str:
    needed = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(key)}</code>{'' if key in needed else ' (optional)'}</td><td>{_schema_text(part)}</td>"
        f"<td>{inline(part.get('description', ''))}</td></tr>"
        for key, part in schema.get("properties", {}).items()
    )
    shape = f"<table>{rows}</table>" if rows else f"<p>{_schema_text(schema)}</p>"
    return f'<article id="schema-{name}"><h3>{name}</h3>{paragraphs(schema.get("description", ""))}{shape}</article>'


def _schema_text(schema: JsonObject) -> str:
    """Return a short description of a schema. It links to the schemas that it refers to."""
    match schema.get("type"):
        case [type_, "null"]:
            return f"{_schema_text(schema | {'type': type_})} or null"
    return _type_text(schema) + _bounds(schema)


def _type_text(schema: JsonObject) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#schema-{name}">{name}</a>'
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(_schema_text(schema_part) for schema_part in schema[word])
    if "enum" in schema or "const" in schema:
        return " or ".join(_code(value) for value in schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return f"list of {', '.join(_schema_text(item) for item in schema['prefixItems'])}"
    if schema.get("items"):
        return f"list of {_schema_text(schema['items'])}"
    return escape(str(schema.get("type", "anything")))


def _code(value: object) -> str:
    return f"<code>{escape(json.dumps(value, ensure_ascii=False))}</code>"


def _bounds(schema: JsonObject) -> str:
    bounds = "".join(f", {text} {_code(schema[word])}" for word, text in BOUNDS.items() if word in schema)
    return f"{bounds}, as <code>{escape(schema['pattern'])}</code>" if "pattern" in schema else bounds


# --- documentation that the engine serves


class RouteDocumentation:
    """Documentation of routes, as in `AppContext.documentation`. Each part is generated when it is first requested."""

    def __init__(self, routes: tuple[Route, ...], admin_routes: tuple[Route, ...] = ()) -> None:
        self._routes = routes
        self._admin_routes = admin_routes
        self.problem_list = cache(list_page)
        self.problem_page = cache(partial(problem_page, routes=(*routes, *admin_routes)))
        self._pages: dict[str, bytes] = {}
        """The rendered page, by engine address."""

    async def prepare(self) -> None:
        """Generate the document and its page in a thread, at the first request."""
        if "_page" not in vars(self):
            await asyncio.to_thread(lambda: (self.openapi, self._page))

    @cached_property
    def document(self) -> Document:
        """The OpenAPI document."""
        return openapi_document(self._routes)

    @cached_property
    def openapi(self) -> bytes:
        """The OpenAPI document as JSON."""
        return as_json(self.document)

    @cached_property
    def admin_openapi(self) -> bytes:
        """The operator's OpenAPI document as JSON."""
        return as_json(admin_document(self._admin_routes))

    @cached_property
    def _page(self) -> str:
        return html_page(self.document, self._routes)

    def page(self, address: str = ADDRESS) -> bytes:
        """Return the page of the whole document, with commands for an engine at this address.

        Clients may send any address. So the pages of the first few addresses are cached, and later addresses get the
        page with the default address.
        """
        if address not in self._pages and len(self._pages) >= ADDRESSES:
            address = ADDRESS
        if address not in self._pages:
            self._pages[address] = self._page.replace(ADDRESS, escape(address)).encode()
        return self._pages[address]
