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
"""How many changes have their events stored (`KEPT` in `commit.lua`), and how many answers of a caller are stored."""

Document: TypeAlias = dict[str, Any]

ABOUT = f"""Italian card games over plain HTTP: open a table, sit down, play.

**Tokens.** A player who takes a seat gets a token, which is shown only once. Send it as `Authorization: Bearer …`; \
without one you are a spectator, who sees what lies open on the table. A table's id lets spectators in: give it to \
those who may watch.

**Versions.** Every step of a table makes its version grow by one. Answers carry it as `ETag`. With `If-Match` a \
write acts only on the version that you know, and is refused with 412 where the table has changed: for a move where \
the cards have, for a start and for leaving a seat where seats or settings have. With `If-None-Match` a read is \
answered with 304 where nothing has.

**Retries.** Writes take an `Idempotency-Key`. When an answer is lost, or is 500 or 503, send the same request with \
the same key again: it acts once, and you get the first answer. 429 and 503 have in `Retry-After` the seconds to \
wait.

**Following a table.** `GET /v1/tables/{{table}}/events` streams server-sent events, each with the whole table as \
you may see it. When the connection ends, connect again with the last id as `Last-Event-ID`: nothing is missed, and \
a `gap` means that the events between are no longer kept. Where streams are no good, ask for `GET \
/v1/tables/{{table}}` with `after` and `wait`, or for the events as a page of JSON.

**Finding games.** `GET /v1/tables` lists tables opened with `listed`: those that wait for players or, with \
`status=playing`, those in play, to watch without a token. `GET /v1/lobby` streams the newest of both.

**Words.** With `words=true`, calls that answer a game, a table, a view, moves, events, a verdict or advice say the \
same in sentences too, in `words` and `text`, and so do their problems: in Italian or English, as `Accept-Language` \
asks for. They say what the bearer may see and no more; players' names in them are plain text, to be shown as such.

**Problems.** Every error is a problem (RFC 9457) with a stable `code`, which is more precise than the status. 400 \
means that a request does not have the form that this document describes; 422 that it has, and is still impossible. \
Any path may answer 404 `not_found`, and a path of this document 405 `method_not_allowed` to other methods, with \
`Allow`.

**Requests.** Send an `X-Request-ID` of your own, and the server's logs will show it; send `Accept-Language: it`, \
and titles of problems come in Italian. Bodies are JSON in UTF-8, at most {BODY_LIMIT} bytes, and hold no field \
that is not named here.

**Lifetimes.** A table and its tokens live for {TABLE_SECONDS["open"] // HOUR} hours after the last change while it \
is open, for {TABLE_SECONDS["playing"] // DAY} days after a person's last move while a match goes on, or \
{UNPLAYED_SECONDS // HOUR} hours while no person has moved, and for {TABLE_SECONDS["over"] // DAY} days once it is \
over; then it is gone, and its calls answer 404. The idempotency keys of a caller's last {KEPT_ANSWERS} writes at a \
table are known, for up to {ANSWER_SECONDS // HOUR} hour, or {TOKEN_SECONDS // HOUR} hours where the answer has a \
token, while the table lives. Who has opened tables that take more than half of what a client may hold keeps less: \
the keys of each caller's last 2 writes, and the last deals' proofs. The events of the last {KEPT_CHANGES} \
changes are kept. A stream sends a comment after {KEEP_ALIVE_SECONDS:g} seconds without an event, and a long poll \
waits for {LONGEST_WAIT:g} seconds at most. A person who lets two turns of a match pass is away: a computer player \
plays for them until they come back.

**Limits.** A client is an address, or of IPv6 a network of 64 bits. Unless the operator sets others, a server spends \
{DEFAULTS.engine_client_cpu_ms} milliseconds of processor time a second on its requests and on the events that it \
follows; it may change a table \
{DEFAULTS.engine_writes_per_second} times a second from each seat, open {
    DEFAULTS.engine_tables_per_minute
} tables and take \
{DEFAULTS.engine_seats_per_minute} seats a minute, have {
    DEFAULTS.engine_listed_tables
} tables in the list, open or in play, and tables that take \
{DEFAULTS.engine_client_mb} MB of the store with all that belongs to them, hold {
    DEFAULTS.engine_streams
} streams and long polls, and ask \
computer players {DEFAULTS.engine_thoughts} things at a time. Beyond, the answer is 429; a stream goes on \
with the newest version alone, as a `gap`. A request may take \
{DEFAULTS.engine_request_seconds:g} seconds to arrive.

**Compatibility.** All paths of this version begin with `/v1`, and within it things are only added: calls, optional \
fields and parameters of requests, fields of answers, values of `code`, `type` and `game`. So ignore what you do \
not know, and treat an unknown `code` by the status of its answer. What is to go some day is marked as `deprecated` \
in this document first, for six months at least, and its answers have the headers `Deprecation` and `Sunset`; a new \
form of a call that is not an addition gets a path of its own. The version above is the API's, not a release's: its \
second number grows with additions. `docs/stability.md` of the repository says the same of all else that you may \
build on.

**Methods.** `HEAD` is answered wherever `GET` is, but for streams, as `GET` without the body. Answers \
also carry security headers for browsers, and those of CORS where the operator admits other origins."""

TABLE_ID: Schema = {
    "title": "TableId",
    "description": "An unguessable id of 128 bits.",
    "type": "string",
    "pattern": f"^{decoding.TABLE.pattern}$",
}
STREAMED_EVENT: Schema = {
    "title": "StreamedEvent",
    "description": (
        "A server-sent event: its fields, as the client of a stream gets them. `seat` and `remark` have no `id`."
    ),
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The table's version."},
        "event": {
            "enum": ["change", "gap", "seat", "remark"],
            "description": (
                "`gap`: some events before this one are lost. `seat`: the table at the next event as one of "
                "`Seat-Tokens` sees it. `remark`: what somebody has said."
            ),
        },
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"anyOf": [reference("Table"), {"type": "null"}, reference("SaidRemark")]},
            "description": "The table as JSON; of a `seat`, `null` where its token is no seat's; of a `remark`, that.",
        },
    },
    "required": ["event", "data"],
}
STREAMED_LOBBY: Schema = {
    "title": "StreamedLobby",
    "description": "A server-sent event: its fields, as the client of a stream gets them.",
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
        "Signed with the subscription's secret, as [Standard Webhooks](https://www.standardwebhooks.com/) lay down: "
        "HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, with points between. A notice that is sent "
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
        "200": {"description": "It has arrived, as any other 2xx says."},
        "410": {"description": "The subscription ends."},
    },
}
CALLBACKS: dict[str, Document] = {"subscribe": {"callbacks": {"notice": {"{$request.body#/url}": {"post": NOTICE}}}}}
"""Callbacks, by the call that subscribes to them. They are not `webhooks`, since OpenAPI Generator would then overwrite
the calls with the same tag."""

SECURITY_SCHEMES: Document = {
    "seat": {"type": "http", "scheme": "bearer", "description": f"A seat's token, such as `{TOKEN}`."},
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": API_KEY_HEADER,
        "description": "One of the server's API keys: where its operator has set any, only they open tables.",
    },
}


def openapi_document(routes: tuple[Route, ...]) -> Document:
    """Return the OpenAPI document of some routes."""
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
    """Return a document as bytes, in the form that is served and committed."""
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
