"""The OpenAPI 3.1 document, generated from the routes and the messages.

`python -m services.engine.http.openapi` writes it to `services/engine/openapi.json`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from services.engine.http import keyring, operations, parsing
from services.engine.http.examples import TOKEN, examples
from services.engine.http.parameters import header_components
from services.engine.http.problems import KINDS, REFUSALS, example
from services.engine.http.route import Route
from services.engine.http.schemas import Schema, components, differs, reference
from shared import messages

FILE = Path(__file__).parent.parent / "openapi.json"

VERSION = "1.0.0"
"""The contract's, which has little to do with the release's."""

Document: TypeAlias = dict[str, Any]

ABOUT = """Italian card games over plain HTTP: open a table, sit down, play.

**Tokens.** Who takes a seat gets a token, shown just once. Send it as `Authorization: Bearer …`; without one you are \
a spectator, who sees what lies open on the table. A table's id lets spectators in: give it to those who may watch.

**Versions.** Every step of a table makes its version grow by one. Answers carry it as `ETag`. With `If-Match` a write \
acts only on the version that you know, and is refused with 412 where the table has moved on; with `If-None-Match` a \
read is answered with 304 where it has not.

**Retries.** Writes take an `Idempotency-Key`. When an answer is lost, or is 500 or 503, send the same request with \
the same key again: it acts once, and you get the first answer. 429 and 503 say in `Retry-After` when to come back.

**Following a table.** `GET /v1/tables/{table}/events` streams server-sent events, each with the whole table as you \
may see it. When the connection ends, connect again with the last id as `Last-Event-ID`: nothing is missed, and a \
`gap` says that what lies between is no longer kept. Where streams are no good, ask for `GET /v1/tables/{table}` with \
`after` and `wait`, or for the events as a page of JSON.

**Problems.** What goes wrong is told as a problem (RFC 9457) with a stable `code`, which says more than the status. \
400 means that a request is not as this document says; 422 that it is, and still cannot be. Any path may answer 404 \
`not_found`, and a path that is here 405 `method_not_allowed` to other methods, with `Allow`.

**Requests.** Send an `X-Request-ID` of your own, and the logs of the house will name it; send `Accept-Language: it`, \
and titles of problems come in Italian. Bodies are JSON in UTF-8, at most 65536 bytes, and hold no field that is not \
named here.

**Methods.** `HEAD` is answered wherever `GET` is, but for the stream of events, as `GET` without the body. Answers \
also carry headers that keep browsers careful, and those of CORS where the host lets other pages in."""

TAGS = {
    "games": "The games of the house, their options and their rules.",
    "rules": "The rules alone: deals go in, deals come out, nothing is stored.",
    "tables": "Coming and going.",
    "play": "Playing.",
    "watch": "Looking at a table, as the bearer of a token or as a spectator.",
    "house": "Is the house open, how does it fare, and how is it described.",
}

TABLE_ID: Schema = {
    "title": "TableId",
    "description": "An unguessable id of 128 bits.",
    "type": "string",
    "pattern": f"^{parsing.TABLE.pattern}$",
}
STREAMED_EVENT: Schema = {
    "title": "StreamedEvent",
    "description": "A server-sent event: its fields, as the reader of a stream gets them.",
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The table's version."},
        "event": {"enum": ["change", "gap"], "description": "`gap`: some events before this one are no longer kept."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": reference("Table"),
            "description": "The table as the bearer may see it, as JSON.",
        },
    },
    "required": ["id", "event", "data"],
}


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
        for path, operation in operations.of(route).items():
            paths.setdefault(path, {})[route.method.lower()] = operation
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
            "headers": header_components(),
            "responses": operations.shared_responses(routes),
            "examples": _examples(),
            "links": operations.LINKS,
        },
    }


def _schemas(routes: tuple[Route, ...]) -> dict[str, Schema]:
    alike: set[type[Struct]] = {messages.OpenTable}
    of_games: set[type[Struct]] = set()
    for route in routes:
        for type_ in (route.takes, route.gives):
            if isinstance(type_, type):
                (of_games if route.differs and differs(type_) else alike).add(type_)
    found = components(alike, of_games) | {"TableId": TABLE_ID, "StreamedEvent": STREAMED_EVENT}
    found["Verdict"]["properties"]["code"]["enum"] = ["deal_over", "impossible", "not_your_turn", *REFUSALS]
    return found


def _examples() -> dict[str, Document]:
    of_schemas = {
        f"{schema}.{label}": {"value": value} for schema, found in examples().items() for label, value in found.items()
    }
    of_problems = {
        f"problem.{code}": {"summary": kind.en.title, "value": msgspec.to_builtins(example(code))}
        for code, kind in KINDS.items()
    }
    return of_schemas | of_problems


if __name__ == "__main__":
    FILE.write_bytes(document_bytes())
