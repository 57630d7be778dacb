"""What a request may carry besides its body, and what an answer says in its headers."""

import re
from typing import Any, TypeAlias

import msgspec

from services.engine.games.registry import GAMES
from services.engine.http import examples, parsing
from services.engine.http.problems import KINDS
from services.engine.http.route import Route
from services.engine.http.schemas import PREFIX, Schema

Node: TypeAlias = dict[str, Any]

IF_MATCH: Schema = {"type": "string", "pattern": rf"^(?:\*|{parsing.ENTITY_TAG.pattern})$"}

PATH: dict[str, tuple[str, Schema, object]] = {
    "game": ("The game's name.", {"enum": list(GAMES)}, examples.HOUSE),
    "table": ("The table's id.", {"$ref": f"{PREFIX}TableId"}, examples.ID),
    "seat": ("The seat's number, counted from 0.", {"type": "integer", "minimum": 0, "maximum": 9}, 1),
    "deal": ("The deal's number in its match, counted from 1.", {"type": "integer", "minimum": 1}, 1),
    "code": ("The problem's code.", {"enum": list(KINDS)}, "stale"),
}

QUERY_EXAMPLES: dict[str, object] = {"cursor": examples.CURSOR, "limit": 20, "after": 17, "wait": 25, "match": 1}

KEY = (
    "Makes a repetition of the request safe: it acts once, and is answered as the first time, for an hour. Send the "
    "same key with each repetition, and a fresh one, a random UUID say, with each new request."
)
SECRET_KEY = f"{KEY.replace('an hour', 'a day')} The token in the answer comes from it, so let nobody guess it."


def parameters(route: Route) -> list[Node]:
    """Return what a call takes in its path, its query and its headers."""
    return [*_in_path(route), *_in_query(route), *_in_headers(route)]


def _in_path(route: Route) -> list[Node]:
    names = re.findall(r"{(\w+)}", route.path)
    return [
        {"name": name, "in": "path", "required": True, "description": text, "schema": schema, "example": example}
        for name, (text, schema, example) in PATH.items()
        if name in names and not (name == "game" and route.differs)
    ]


def _in_query(route: Route) -> list[Node]:
    if route.query is None:
        return []
    _, found = msgspec.json.schema_components([route.query])
    (schema,) = found.values()
    return [_query_parameter(name, part) for name, part in schema["properties"].items()]


def _query_parameter(name: str, schema: Schema) -> Node:
    rest = {key: value for key, value in schema.items() if key != "description"}
    told = {"name": name, "in": "query", "required": False, "description": schema["description"]}
    return told | {"schema": rest, "example": QUERY_EXAMPLES[name]}


def _in_headers(route: Route) -> list[Node]:
    found = []
    if route.writes:
        shortest = parsing.SHORTEST_SECRET_KEY if route.makes_token else 1
        schema: Schema = {"type": "string", "minLength": shortest, "maxLength": 128, "pattern": "^[\\x21-\\x7e]+$"}
        text = SECRET_KEY if route.makes_token else KEY
        found.append(_header("Idempotency-Key", text, schema, "0e8ff1a2-6d0b-4b8e-9a35-3f7b8f7c2d11"))
    if route.writes and route.on_table:
        text = "Act only while the table is at this version: the `ETag` of an earlier answer. `*` stands for any."
        found.append(_header("If-Match", text, IF_MATCH, '"17"'))
    if route.versioned and not route.writes:
        text = "Versions that are known already: an `ETag`, or several; where one is the table's the answer is 304."
        found.append(_header("If-None-Match", text, {"type": "string"}, '"17"'))
    if route.streams:
        text = "Go on after this event, the last one that was read. Counts before `after`."
        schema = {"type": "integer", "minimum": 0, "maximum": 999_999}
        found.append(_header("Last-Event-ID", text, schema, 17))
    return found


def _header(name: str, text: str, schema: Schema, example: object) -> Node:
    return {"name": name, "in": "header", "required": False, "description": text, "schema": schema, "example": example}


# --- answers

TEXT: Schema = {"type": "string"}
SECONDS: Schema = {"type": "integer", "minimum": 1}

HEADERS: dict[str, tuple[str, Schema, object]] = {
    "ETag": ("The table's version.", {"type": "string", "pattern": '^"[0-9]+"$'}, '"17"'),
    "Location": ("The table's path.", {"type": "string", "format": "uri-reference"}, f"/v1/tables/{examples.ID}"),
    "RateLimit-Policy": (
        "What a client may do (draft-ietf-httpapi-ratelimit-headers-11); left out where there is no limit.",
        TEXT,
        '"tables";q=300;w=60',
    ),
    "RateLimit": ("How much of it is left, and after how many seconds all is again.", TEXT, '"tables";r=299;t=60'),
    "Retry-After": ("Seconds after which to try again.", SECONDS, 2),
    "WWW-Authenticate": ("How to authenticate.", TEXT, 'Bearer realm="seat", error="invalid_token"'),
    "Accept-Encoding": ("How a body may be encoded, where it came in another way.", {"const": "identity"}, "identity"),
    "Allow": ("The methods that the path takes.", TEXT, "GET,HEAD,POST"),
    "Cache-Control": ("Nothing of a table is for caches.", {"const": "no-store"}, "no-store"),
    "Content-Language": ("The language of the texts for people.", {"enum": ["en", "it"]}, "en"),
    "Vary": ("The headers of the request that the answer depends on.", TEXT, "Accept-Language"),
    "X-Request-ID": (
        "The request's id in the logs of the house: the one that came with the request, or a new one.",
        {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        "5d3c4a0f9f2b4c0aa7a7a7d0b0e6c1f2",
    ),
}

ALWAYS = ("X-Request-ID",)
RATE_LIMIT = ("RateLimit-Policy", "RateLimit")
SOMETIMES = (*RATE_LIMIT, "Accept-Encoding")
OF_STATUS = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    412: ("ETag",),
    415: ("Accept-Encoding",),
    429: ("Retry-After", *RATE_LIMIT),
    503: ("Retry-After",),
}


def header_components() -> dict[str, Node]:
    """Return every header that an answer can carry and that says something of the answer."""
    return {
        name: {"description": text, "required": name not in SOMETIMES, "schema": schema, "example": example}
        for name, (text, schema, example) in HEADERS.items()
    }


def of_success(route: Route) -> Node:
    """Return the headers of a call's answer when all is well."""
    names = ["ETag"] if route.versioned else []
    if route.writes and not route.on_table:
        names.append("Location")
    if route.counted:
        names += RATE_LIMIT
    if route.path.startswith("/v1/tables"):
        names += ["Cache-Control", "Vary"]
    if route.gives == "text/html":
        names += ["Content-Language", "Vary"] if "/problems" in route.path else ["Content-Language"]
    return _references(*names)


def of_problem(status: int) -> Node:
    """Return the headers of a problem."""
    return _references(*OF_STATUS.get(status, ()), "Cache-Control", "Content-Language", "Vary")


def _references(*names: str) -> Node:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*names, *ALWAYS)}
