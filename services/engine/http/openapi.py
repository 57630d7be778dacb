"""The OpenAPI 3.1 document, generated from the routes and the messages.

`python -m services.engine.http.openapi` writes it to `services/engine/openapi.json`.
"""

import json
import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from services.engine.http import keyring, parsing
from services.engine.http.examples import TOKEN, examples
from services.engine.http.negotiation import JSON, STREAM
from services.engine.http.problems import CONTENT_TYPE, KINDS, example
from services.engine.http.route import Route
from services.engine.http.schemas import PREFIX, Schema, components

FILE = Path(__file__).parent.parent / "openapi.json"

VERSION = "1.0.0"
"""The contract's, which has little to do with the release's."""

Document: TypeAlias = dict[str, Any]

ABOUT = """Italian card games over plain HTTP: open a table, sit down, play.

Writes take an `Idempotency-Key`, so that a repeated request acts once and gets the first answer again, and \
`If-Match`, so that they act only on the version of the table that the client knows. What goes wrong is told as a \
problem (RFC 9457) with a stable `code`."""

TAGS = {
    "games": "The games of the house, their options and their rules.",
    "rules": "The rules alone: deals go in, deals come out, nothing is stored.",
    "tables": "Coming and going.",
    "play": "Playing.",
    "watch": "Looking at a table, as the bearer of a token or as a spectator.",
    "house": "Is the house open, and how does it fare.",
}

HEADERS: dict[str, tuple[str, Schema]] = {
    "ETag": ("The table's version.", {"type": "string", "pattern": '^"[0-9]+"$', "examples": ['"17"']}),
    "Location": ("The table's path.", {"type": "string", "format": "uri-reference"}),
    "Content-Language": ("The language of the title.", {"enum": ["en", "it"]}),
    "RateLimit-Policy": (
        "What a client may do (draft-ietf-httpapi-ratelimit-headers-11).",
        {"type": "string", "examples": ['"tables";q=300;w=60']},
    ),
    "RateLimit": (
        "How much of it is left, and after how many seconds all is again.",
        {"type": "string", "examples": ['"tables";r=299;t=60']},
    ),
    "Retry-After": ("Seconds after which to try again.", {"type": "integer", "minimum": 1}),
    "WWW-Authenticate": ("How to authenticate.", {"type": "string"}),
}
RATE_LIMIT = ("RateLimit-Policy", "RateLimit")

PATH_PARAMETERS: dict[str, tuple[str, Schema]] = {
    "game": ("The game's name.", {"type": "string", "examples": ["gatto_rosso"]}),
    "table": ("The table's id.", {"$ref": f"{PREFIX}TableId"}),
    "seat": ("The seat's number.", {"type": "integer", "minimum": 0, "maximum": 9}),
    "deal": ("The deal's number in its match, from 1.", {"type": "integer", "minimum": 1}),
}

TABLE_ID: Schema = {"title": "TableId", "type": "string", "pattern": f"^{parsing.TABLE.pattern}$"}


@cache
def document() -> Document:
    """Return the document."""
    from services.engine.http.routes import ROUTES  # noqa: PLC0415  (one of the routes serves this document)

    return build(ROUTES)


@cache
def document_bytes() -> bytes:
    """Return the document as JSON."""
    return (json.dumps(document(), indent=1, ensure_ascii=False) + "\n").encode()


def build(routes: tuple[Route, ...]) -> Document:
    """Return the document of some routes."""
    paths: dict[str, Document] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Locanda",
            "version": VERSION,
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": f"A seat's token, such as `{TOKEN}`."},
                "key": {
                    "type": "apiKey",
                    "in": "header",
                    "name": keyring.HEADER,
                    "description": "One of the house's keys, where its host has closed the opening of tables.",
                },
            },
            "schemas": _schemas(routes),
        },
    }


def _schemas(routes: tuple[Route, ...]) -> dict[str, Schema]:
    types = {type_ for route in routes for type_ in (route.takes, route.gives) if isinstance(type_, type)}
    found = components(sorted(types, key=lambda type_: type_.__name__))
    for name, message in examples().items():
        if name in found:
            found[name]["examples"] = [message]
    return found | {"TableId": TABLE_ID}


def _operation(route: Route) -> Document:
    found: Document = {
        "tags": [route.tag],
        "operationId": operation_id(route),
        "summary": route.summary,
        "parameters": [*_path_parameters(route), *_query_parameters(route), *_header_parameters(route)],
        "responses": _responses(route),
    }
    if route.details:
        found["description"] = route.details
    if route.takes:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": _reference(route.takes)}}}
    if route.bearer != "none":
        found["security"] = [{"seat": []}] if route.bearer == "needed" else [{}, {"seat": []}]
    if route.closable:
        found["security"] = [{}, {"key": []}]
    return {key: value for key, value in found.items() if value != []}


def operation_id(route: Route) -> str:
    """Return the call's name: its handler's, behind its room's where another handler has the same."""
    module = getattr(route.handler, "__module__", "").rpartition(".")[2]
    name = getattr(route.handler, "__name__", "")
    return f"rules_{name}" if module == "stateless" else str(name)


def _reference(type_: type[Struct]) -> Schema:
    return {"$ref": PREFIX + type_.__name__}


def _path_parameters(route: Route) -> list[Document]:
    return [
        {"name": name, "in": "path", "required": True, "description": text, "schema": schema}
        for name, (text, schema) in PATH_PARAMETERS.items()
        if name in re.findall(r"{(\w+)}", route.path)
    ]


def _query_parameters(route: Route) -> list[Document]:
    if route.query is None:
        return []
    _, (found,) = (
        msgspec.json.schema_components([route.query])[0],
        msgspec.json.schema_components([route.query])[1].values(),
    )
    return [
        {"name": name, "in": "query", "required": False, **_flat(schema)}
        for name, schema in found["properties"].items()
    ]


def _flat(schema: Schema) -> Document:
    """Return a parameter's schema without null, which no query can say, and its description beside it."""
    options = [option for option in schema.get("anyOf", [schema]) if option.get("type") != "null"]
    plain = {key: value for key, value in options[0].items() if value is not None}
    if plain.get("default", 0) is None:
        del plain["default"]
    return {"description": plain.pop("description", ""), "schema": plain}


def _header_parameters(route: Route) -> list[Document]:
    found = []
    if route.writes:
        shortest = parsing.SHORTEST_SECRET_KEY if route.makes_token else 1
        text = "Makes a repetition of the request safe: it acts once, and is answered as the first time, for a day."
        if route.makes_token:
            text += " The token in the answer comes from it: make it of at least 16 characters that nobody can guess."
        schema = {"type": "string", "minLength": shortest, "maxLength": 128, "pattern": "^[\\x20-\\x7e]+$"}
        found.append(_header("Idempotency-Key", text, schema))
    if route.writes and route.on_table:
        text = "Act only while the table is at this version; `*` stands for any."
        found.append(_header("If-Match", text, {"type": "string", "examples": ['"17"']}))
    if route.versioned and not route.writes:
        found.append(_header("If-None-Match", "Versions that are known already.", {"type": "string"}))
    if route.streams:
        text = "Resume the stream after this event."
        found.append(_header("Last-Event-ID", text, {"type": "integer", "minimum": 0}))
    return found


def _header(name: str, text: str, schema: Schema) -> Document:
    return {"name": name, "in": "header", "required": False, "description": text, "schema": schema}


def _responses(route: Route) -> Document:
    found = {str(route.status): _success(route)}
    if route.versioned and not route.writes:
        text = "The table is still at a version that the client knows."
        found["304"] = {"description": text, "headers": _headers("ETag")}
    for status in sorted({KINDS[code].status for code in route.problems}):
        found[str(status)] = _failure(status, [code for code in route.problems if KINDS[code].status == status])
    return found


def _success(route: Route) -> Document:
    names: list[str] = ["ETag"] if route.versioned else []
    if route.writes and not route.on_table:
        names.append("Location")
    if isinstance(route.gives, str):
        content: Document = {route.gives: {"schema": {"type": "string"}}}
    else:
        content = {JSON: {"schema": _reference(route.gives)}}
    if route.counted:
        names += RATE_LIMIT
    if route.streams:
        content = {STREAM: {"schema": {"type": "string"}}} | content
    answer: Document = {"description": HTTPStatus(route.status).phrase, "content": content}
    return answer | ({"headers": _headers(*names)} if names else {})


def _failure(status: int, codes: list[str]) -> Document:
    of_status = {
        401: ["WWW-Authenticate"],
        412: ["ETag"],
        429: ["Retry-After", *RATE_LIMIT],
        503: ["Retry-After"],
    }
    told = {code: {"summary": KINDS[code].en.title, "value": msgspec.to_builtins(example(code))} for code in codes}
    answer: Document = {
        "description": "; ".join(f"`{code}`: {KINDS[code].en.title}" for code in codes),
        "content": {CONTENT_TYPE: {"schema": {"$ref": f"{PREFIX}Problem"}, "examples": told}},
    }
    return answer | {"headers": _headers("Content-Language", *of_status.get(status, ()))}


def _headers(*names: str) -> Document:
    return {name: {"description": HEADERS[name][0], "schema": HEADERS[name][1]} for name in names}


if __name__ == "__main__":
    FILE.write_bytes(document_bytes())
