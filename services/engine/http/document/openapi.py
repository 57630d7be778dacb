"""The OpenAPI 3.1 document, generated from the routes and the messages."""

import json
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from locanda import messages
from services.engine.http.api import decoding
from services.engine.http.api.handlers.tables import LONGEST_WAIT
from services.engine.http.api.route import GROUPS, Route
from services.engine.http.document.examples import TOKEN, examples
from services.engine.http.document.operations import (
    LINKS,
    header_components,
    operations_of,
    parameter_components,
    problem_responses,
)
from services.engine.http.document.references import Schema, reference
from services.engine.http.document.schemas import components, differs
from services.engine.http.problems.responses import example
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES
from services.engine.http.server.context import BODY_LIMIT
from services.engine.http.server.limits import API_KEY_HEADER
from services.engine.service.feeds import KEEP_ALIVE_SECONDS
from services.engine.service.idempotency import ANSWER_SECONDS, TOKEN_SECONDS
from services.engine.settings import EngineSettings
from services.engine.table.state import DAY, HOUR, TABLE_SECONDS, UNPLAYED_SECONDS

FILE = Path(__file__).parents[2] / "openapi.json"

VERSION = "1.1.0"
"""The API's version, independent of releases. The second number grows with each addition."""

DEFAULTS = EngineSettings()
KEPT_CHANGES, KEPT_ANSWERS = 32, 16
"""Number of changes of a table whose events are stored (`KEPT` in `commit.lua`); number of stored answers of a caller.
"""

Document: TypeAlias = dict[str, Any]

ABOUT = f"""Italian card games over plain HTTP: open a table, sit down, play.

**Tokens.** A player who takes a seat gets a token, which is shown only once. Send it as `Authorization: Bearer …`. \
Without a token you are a spectator, who sees only the public state of the table. A table's id is enough to watch it, \
so give it only to people who may watch.

**Versions.** Each change of a table increases its version by one. Responses have the version as `ETag`. With \
`If-Match`, a write acts only if the table has not changed since that version, and is refused with 412 otherwise. For \
a move, only changes of the cards count; for starting a match and leaving a seat, only changes of seats or settings. \
With `If-None-Match`, a read gets 304 if nothing has changed.

**Retries.** Writes take an `Idempotency-Key`. If a response is lost, or is 500 or 503, send the same request with \
the same key again: it acts only once, and you get the first response. 429 and 503 have `Retry-After`, the seconds to \
wait.

**Following a table.** `GET /v1/tables/{{table}}/events` streams server-sent events, each with your view of the whole \
table. If the connection breaks, connect again with the last id as `Last-Event-ID`, and you miss nothing; a `gap` \
means that the events in between are no longer stored. If you cannot use streams, call `GET /v1/tables/{{table}}` with \
`after` and `wait`, or get the events as a page of JSON.

**Finding games.** `GET /v1/tables` lists tables opened with `listed`: those that wait for players or, with \
`status=playing`, those in play, which you can watch without a token. `GET /v1/lobby` streams the newest of both.

**Words.** With `words=true`, calls that return a game, a table, a view, moves, events, a verdict or advice, and their \
problems, also describe them in sentences, in `words` and `text`. The language is Italian or English, by \
`Accept-Language`. The sentences contain only what the token's seat may see. Players' names in them are plain text: \
escape them if you show them as HTML.

**Problems.** Every error is a problem (RFC 9457) with a stable `code`, which is more precise than the status. 400 \
means that a request does not have the form that this document describes; 422 that its form is right, but it is \
impossible. Any path may return 404 `not_found`. A path of this document returns 405 `method_not_allowed` for other \
methods, with `Allow`.

**Requests.** You may send an `X-Request-ID`, which then appears in the server's logs. With `Accept-Language: it`, \
titles of problems are in Italian. Bodies are JSON in UTF-8, at most {BODY_LIMIT} bytes, with no other fields than \
those in this document.

**Lifetimes.** A table and its tokens expire {TABLE_SECONDS["open"] // HOUR} hours after the last change while it is \
open, {TABLE_SECONDS["playing"] // DAY} days after a person's last move during a match, or {UNPLAYED_SECONDS // HOUR} \
hours if no person has moved, and {TABLE_SECONDS["over"] // DAY} days after the match. Then its calls return 404. The \
idempotency keys of a caller's last {KEPT_ANSWERS} writes at a table are stored for up to {ANSWER_SECONDS // HOUR} \
hour, or {TOKEN_SECONDS // HOUR} hours if the response has a token, while the table exists. If a client's tables use \
more than half of its storage, they keep less: the keys of each caller's last 2 writes, and the proofs of the last \
deals. The events of the last {KEPT_CHANGES} changes are stored. A stream sends a comment after {KEEP_ALIVE_SECONDS:g} \
seconds without an event, and a long poll waits at most {LONGEST_WAIT:g} seconds. A person whose turn times out twice \
in a match is away: a computer player plays for them until they come back.

**Limits.** A client is an IPv4 address, or an IPv6 network of 64 bits. Operators can change the limits. By default, \
a server spends {DEFAULTS.engine_client_cpu_ms} milliseconds of processor time per second on a client's requests and \
events. Each seat can change its table {DEFAULTS.engine_writes_per_second} times per second. A client can open \
{DEFAULTS.engine_tables_per_minute} tables and take {DEFAULTS.engine_seats_per_minute} seats per minute, have \
{DEFAULTS.engine_listed_tables} listed tables, store {DEFAULTS.engine_client_mb} MB for its tables and all that \
belongs to them, hold {DEFAULTS.engine_streams} streams and long polls, and ask computer players \
{DEFAULTS.engine_thoughts} questions at a time. Above a limit, the response is 429; a stream skips versions, and \
sends only the newest as a `gap`. A request may take {DEFAULTS.engine_request_seconds:g} seconds to arrive.

**Compatibility.** All paths of this version begin with `/v1`. Within it, things are only added: calls, optional \
fields and parameters of requests, fields of responses, and values of `code`, `type` and `game`. So ignore what you do \
not know, and treat an unknown `code` by the status of its response. Before something is removed, it is marked as \
`deprecated` in this document for at least six months, and its responses have the headers `Deprecation` and `Sunset`. \
A change of a call that is not an addition gets a new path. The version above is the API's, not a release's: its \
second number increases with additions. `docs/stability.md` in the repository says the same for everything else that \
you can build on.

**Methods.** `HEAD` works wherever `GET` does, except for streams, and returns the same without the body. Responses \
also have security headers for browsers, and CORS headers if the operator allows other origins."""

TABLE_ID: Schema = {
    "title": "TableId",
    "description": "An unguessable id of 128 bits.",
    "type": "string",
    "pattern": f"^{decoding.TABLE.pattern}$",
}
STREAMED_EVENT: Schema = {
    "title": "StreamedEvent",
    "description": ("The fields of a server-sent event. `seat` and `remark` have no `id`."),
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The table's version."},
        "event": {
            "enum": ["change", "gap", "seat", "remark"],
            "description": (
                "`gap`: some events before this one are missing. `seat`: the table at the next event, in the view of "
                "one of `Seat-Tokens`. `remark`: a remark at the table."
            ),
        },
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"anyOf": [reference("Table"), {"type": "null"}, reference("SaidRemark")]},
            "description": "The table as JSON. For `seat`, `null` if the token is unknown. For `remark`, the remark.",
        },
    },
    "required": ["event", "data"],
}
STREAMED_LOBBY: Schema = {
    "title": "StreamedLobby",
    "description": "The fields of a server-sent event.",
    "type": "object",
    "properties": {
        "event": {"const": "lobby", "description": "The only event."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": reference("LobbyNow"),
            "description": "The newest listed tables as JSON.",
        },
    },
    "required": ["event", "data"],
}

NOTICE: Document = {
    "operationId": "notice",
    "tags": ["notices"],
    "summary": "A notice to a server that has subscribed",
    "description": (
        "Signed with the subscription's secret as in [Standard Webhooks](https://www.standardwebhooks.com/): "
        "HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined with dots. A notice that is sent "
        "again has the same `webhook-id`. Ignore types that you do not know."
    ),
    "parameters": [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}, "description": description}
        for name, description in (
            ("webhook-id", "The notice's id."),
            ("webhook-timestamp", "When it was sent, in seconds since 1970."),
            ("webhook-signature", "`v1,` and the signature in base64."),
        )
    ],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": reference("WebhookNotice"),
                "examples": {"turn": {"$ref": "#/components/examples/WebhookNotice.turn"}},
            }
        },
    },
    "security": [{}],
    "responses": {
        "200": {"description": "The notice was received. Any 2xx means the same."},
        "410": {"description": "The subscription ends."},
    },
}
CALLBACKS: dict[str, Document] = {"subscribe": {"callbacks": {"notice": {"{$request.body#/url}": {"post": NOTICE}}}}}
"""Callbacks, by the call that subscribes to them. The document does not use `webhooks`, since OpenAPI Generator would
then overwrite the calls with the same tag.
"""

SECURITY_SCHEMES: Document = {
    "seat": {"type": "http", "scheme": "bearer", "description": f"A seat's token, such as `{TOKEN}`."},
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": API_KEY_HEADER,
        "description": "One of the server's API keys. If its operator has set any, opening a table needs one.",
    },
}


def openapi_document(routes: tuple[Route, ...]) -> Document:
    """Return the OpenAPI document of these routes."""
    paths: dict[str, Document] = {}
    for route in routes:
        for path, operation in operations_of(route).items():
            paths.setdefault(path, {})[route.method.lower()] = operation | CALLBACKS.get(route.operation_id, {})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Locanda",
            "version": VERSION,
            "description": ABOUT,
            "contact": {"name": "The Locanda maintainers"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{}],
        "tags": [{"name": group.name, "description": group.description} for group in GROUPS],
        "paths": paths,
        "components": {
            "securitySchemes": SECURITY_SCHEMES,
            "schemas": _schemas(routes),
            "parameters": parameter_components(routes),
            "headers": header_components(),
            "responses": problem_responses(routes),
            "examples": _examples() | problem_examples(routes),
            "links": LINKS,
        },
    }


def as_json(document: Document) -> bytes:
    """Return a document as bytes. The served and the committed documents have this form."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _schemas(routes: tuple[Route, ...]) -> dict[str, Schema]:
    alike: set[type[Struct]] = {
        messages.OpenTable,
        messages.ProblemDescription,
        messages.ProblemDescriptions,
        messages.WebhookNotice,
    }
    of_games: set[type[Struct]] = set()
    for route in routes:
        for type_ in (route.body, route.response):
            if isinstance(type_, type):
                (of_games if route.per_game and differs(type_) else alike).add(type_)
    schemas = components(alike, of_games) | {
        schema["title"]: schema for schema in (TABLE_ID, STREAMED_EVENT, STREAMED_LOBBY)
    }
    schemas["Verdict"]["properties"]["code"]["enum"] = ["deal_over", "impossible", "not_your_turn", *REFUSAL_TYPES]
    return schemas


def _examples() -> dict[str, Document]:
    return {
        f"{schema}.{label}": {"value": value} for schema, named in examples().items() for label, value in named.items()
    }


def problem_examples(routes: tuple[Route, ...]) -> dict[str, Document]:
    """Return an example of each problem that these routes can answer with."""
    had = {code for route in routes for code in route.problems}
    return {
        f"problem.{code}": {"summary": type_.title, "value": msgspec.to_builtins(example(code))}
        for code, type_ in PROBLEM_TYPES.items()
        if code in had
    }
