"""The operations of the OpenAPI document: parameters, request body, responses and headers of each call."""

from http import HTTPStatus
from typing import get_type_hints

import msgspec
from msgspec import Struct

from locanda.games.rules import GAMES
from locanda.messages import CheckRequest, JsonObject, MoveRequest
from services.engine.http.api import decoding
from services.engine.http.api.binding import KEPT, STREAM
from services.engine.http.api.route import Route
from services.engine.http.document.examples import CURSOR, EXAMPLE_GAME, SUBSCRIPTION_ID, TOKEN, examples
from services.engine.http.document.references import Schema, reference
from services.engine.http.document.schemas import differs, of_game
from services.engine.http.problems.responses import CONTENT_TYPE
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES, REFUSALS_BY_GAME
from services.engine.http.server.responses import JSON
from services.engine.rehearsal import TABLE_ID

NOT_MODIFIED = "Not changed since the version in `If-None-Match`."

TEXT_EXAMPLES = {
    "text/plain": "# TYPE locanda_streams gauge\nlocanda_streams 3.0\n",
    "text/html": '<!doctype html><html lang="en">…</html>',
}

REFUSAL_GROUPS = {frozenset(REFUSAL_TYPES): "refused"} | {
    frozenset(codes): f"{game}_refused" for game, codes in REFUSALS_BY_GAME.items()
}
"""Names in the document for sets of refused moves: those of all games, and those of each game."""

BODY_TABLE = {"table": "$response.body#/table/id"}
BODY_SEAT = BODY_TABLE | {"seat": "$response.body#/seat"}
LINKS: dict[str, JsonObject] = {
    operation: {"operationId": operation, "parameters": parameters, "description": text}
    for operation, parameters, text in (
        ("look", BODY_TABLE, "Get the table, with the token for the view of its seat."),
        ("events", BODY_TABLE, "Follow the table's events."),
        ("sit", BODY_TABLE, "Let others sit down or, with the host's token, seat computer players."),
        ("change", BODY_TABLE, "With the host's token: change the options."),
        ("start", BODY_TABLE, "With the host's token: start the match."),
        ("table_moves", BODY_TABLE, "With the token: list the legal moves during the match."),
        ("play", BODY_TABLE, "With the token: play a move."),
        ("give_seed", BODY_SEAT, "With the token: set a client seed for the next shuffle."),
        ("leave", BODY_SEAT, "With the token: leave the seat."),
    )
}
"""The calls that may follow after taking a seat (OpenAPI links)."""


def operations_of(route: Route) -> dict[str, JsonObject]:
    """Return the operations of a route, by path: a single one, or one for each game."""
    if not route.per_game:
        return {route.path: _operation(route, None)}
    return {route.path.replace("{game}", game): _operation(route, game) for game in GAMES}


def operation_id(route: Route, game: str | None = None) -> str:
    """Return the operation id of a route; `game` selects the game if each game has its own operation."""
    return route.operation_id.replace("{game}", game or "rules")


def _operation(route: Route, game: str | None) -> JsonObject:
    operation: JsonObject = {
        "tags": [route.group.name],
        "operationId": operation_id(route, game),
        "summary": route.summary,
        "description": route.details or f"{route.summary}.",
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in parameters(route)],
        "responses": _responses(route, game),
    }
    if route.body:
        operation["requestBody"] = {"required": True, "content": {JSON: _content(_schema(route.body, game))}}
    if route.bearer != "none":
        operation["security"] = [{"seat": []}] if route.bearer == "required" else [{}, {"seat": []}]
    if route.opens_table:
        operation["security"] = [{}, {"key": []}]
    if route.group.operators:
        operation["security"] = [{"operator": []}]
    return {key: value for key, value in operation.items() if value not in ([], "")}


def _schema(message: type[Struct], game: str | None) -> str:
    return of_game(message.__name__, game) if game and differs(message) else message.__name__


def _content(schema: str) -> JsonObject:
    # `CheckRequest` and `MoveRequest` have the same examples
    alike = schema.replace(CheckRequest.__name__, MoveRequest.__name__)
    shown = {label: {"$ref": f"#/components/examples/{alike}.{label}"} for label in examples().get(alike, {})}
    return {"schema": reference(schema), "examples": shown}


# --- parameters

PARAMETER_EXAMPLES: dict[str, object] = {
    "game": EXAMPLE_GAME,
    "table": TABLE_ID,
    "seat": 1,
    "deal": 1,
    "code": "stale",
    "subscription": SUBSCRIPTION_ID,
    "cursor": CURSOR,
    "limit": 20,
    "after": 17,
    "wait": 25,
    "match": 1,
    "status": "playing",
    "entry": "anna",
    "days": 7,
    "last": 100,
    "If-Match": '"17"',
    "If-None-Match": '"17"',
    "Last-Event-ID": 17,
    "Seat-Tokens": TOKEN,
    "Accept-Language": "it",
    "words": True,
    "remarks": True,
}
"""An example of each parameter, except idempotency keys: two people who try the same key would get the same table."""


def parameters(route: Route) -> dict[str, JsonObject]:
    """Return the parameters of a route in path, query and headers, by their names in the document."""
    # If each game has its own operation, the path names the game and has no parameter for it.
    path = [place for place in route.path_parameters if not (place.name == "game" and route.per_game)]
    types = [type_ for type_ in (route.query, decoding.WordsQuery if route.worded else None) if type_]
    in_query = [parameter for type_ in types for parameter in _of_query(type_)]
    headers = route.header_parameters
    return {
        **{place.name: _parameter("path", place.name, place.description, place.schema) for place in path},
        **{parameter["name"]: parameter for parameter in in_query},
        **{field.in_document: _parameter("header", field.name, field.description, field.schema) for field in headers},
    }


def parameter_components(routes: tuple[Route, ...]) -> dict[str, JsonObject]:
    """Return the parameters of all routes, which operations refer to by name."""
    return dict(sorted((name, parameter) for route in routes for name, parameter in parameters(route).items()))


def _of_query(type_: type[Struct]) -> list[JsonObject]:
    _, components = msgspec.json.schema_components([type_])
    (schema,) = components.values()
    return [
        _parameter("query", name, part["description"], {key: part[key] for key in part if key != "description"})
        for name, part in schema["properties"].items()
    ]


def _parameter(place: str, name: str, description: str, schema: Schema) -> JsonObject:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": description,
        "schema": schema,
        **({"example": PARAMETER_EXAMPLES[name]} if name in PARAMETER_EXAMPLES else {}),
    }


# --- responses


def _responses(route: Route, game: str | None) -> JsonObject:
    responses = {str(route.status): _success(route, game)}
    if route.remembered:
        responses["304"] = {"description": NOT_MODIFIED, "headers": success_headers(route)}
    return responses | {
        str(status): {"$ref": f"#/components/responses/{_response_name(codes)}"}
        for status, codes in problems_by_status(route, game).items()
    }


def _success(route: Route, game: str | None) -> JsonObject:
    links = {name: {"$ref": f"#/components/links/{name}"} for name in LINKS} if route.creates_token else {}
    answer: JsonObject = {
        "description": HTTPStatus(route.status).phrase,
        "headers": success_headers(route),
        "content": _media_types(route, game),
        "links": links,
    }
    return {key: value for key, value in answer.items() if value}


def _media_types(route: Route, game: str | None) -> JsonObject:
    if isinstance(route.response, type):
        form = {JSON: _content(_schema(route.response, game))}
        streamed = "StreamedEvent" if route.on_table else "StreamedLobby"
        return {STREAM: _content(streamed)} | form if route.stream else form
    if route.response == JSON:
        return {JSON: {"schema": {"type": "object"}, "example": {"openapi": "3.1.0", "info": {}, "paths": {}}}}
    form = {route.response: {"schema": {"type": "string"}, "example": TEXT_EXAMPLES[route.response]}}
    if route.as_json is not None:
        form[JSON] = _content(get_type_hints(route.as_json)["return"].__name__)
    return form


def problems_by_status(route: Route, game: str | None) -> dict[int, tuple[str, ...]]:
    """Return the codes of a route's problems, by status. With `game`, refusals of other games are left out."""
    possible = REFUSAL_TYPES if game is None else REFUSALS_BY_GAME[game]
    codes = [code for code in route.problems if code in possible or code not in REFUSAL_TYPES]
    statuses = sorted({PROBLEM_TYPES[code].status for code in codes})
    return {status: tuple(code for code in codes if PROBLEM_TYPES[code].status == status) for status in statuses}


def _response_name(codes: tuple[str, ...]) -> str:
    """Return the name of the response that lists this set of problems."""
    refusals = REFUSAL_TYPES.keys() & set(codes)
    others = [code for code in codes if code not in refusals]
    return "-or-".join([REFUSAL_GROUPS[frozenset(refusals)], *others] if refusals else others)


def problem_responses(routes: tuple[Route, ...]) -> dict[str, JsonObject]:
    """Return the responses with problems, which operations refer to by name."""
    responses_by_status = {
        (status, codes)
        for route in routes
        for game in (GAMES if route.per_game else (None,))
        for status, codes in problems_by_status(route, game).items()
    }
    return {_response_name(codes): _problem_response(status, codes) for status, codes in sorted(responses_by_status)}


def _problem_response(status: int, codes: tuple[str, ...]) -> JsonObject:
    shown = {code: {"$ref": f"#/components/examples/problem.{code}"} for code in codes}
    code = {"enum": list(codes), "description": "The problem's code; `/problems` explains each."}
    schema = reference("Problem") | {"properties": {"code": code}}
    return {
        "description": "; ".join(f"`{code}`: {PROBLEM_TYPES[code].title}" for code in codes),
        "headers": problem_headers(status),
        "content": {CONTENT_TYPE: {"schema": schema, "examples": shown}},
    }


# --- headers of responses

TEXT: Schema = {"type": "string"}
SECONDS: Schema = {"type": "integer", "minimum": 1}

RESPONSE_HEADERS: dict[str, tuple[str, Schema, object]] = {
    "ETag": (
        'The table\'s version, with the language if `words` is true (`"17-it"`). For games and documents, a digest.',
        {"type": "string", "pattern": '^"[0-9a-f]+(-[a-z]{2})?"$'},
        '"17"',
    ),
    "Location": ("The table's path.", {"type": "string", "format": "uri-reference"}, f"/v1/tables/{TABLE_ID}"),
    "RateLimit-Policy": (
        "The limit for a client (draft-ietf-httpapi-ratelimit-headers-11). Absent if there is none.",
        TEXT,
        '"tables";q=300;w=60',
    ),
    "RateLimit": (
        "The remaining quota, and the seconds until the limit resets.",
        TEXT,
        '"tables";r=299;t=60',
    ),
    "Idempotency-Replayed": (
        "This is the first response with this `Idempotency-Key`, sent again. Nothing was done now.",
        {"const": "true"},
        "true",
    ),
    "Retry-After": ("Seconds after which to try again.", SECONDS, 2),
    "WWW-Authenticate": ("How to authenticate.", TEXT, 'Bearer realm="seat", error="invalid_token"'),
    "Accept-Encoding": (
        "The accepted encoding of bodies, if the request had another one.",
        {"const": "identity"},
        "identity",
    ),
    "Cache-Control": ("Only games and documents can be cached.", {"enum": ["no-store", KEPT]}, "no-store"),
    "Content-Encoding": ("The compression of the body, if the client accepts it.", {"const": "gzip"}, "gzip"),
    "Content-Language": ("The language of the texts for people.", {"enum": ["en", "it"]}, "en"),
    "Content-Language-of-words": ("The language of the sentences, if `words` is true.", {"enum": ["en", "it"]}, "it"),
    "Vary": ("The request headers on which the response depends.", TEXT, "Accept-Language"),
    "X-Request-ID": (
        "The request's id in the server's logs: the one in the request, or a new one.",
        {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        "5d3c4a0f9f2b4c0aa7a7a7d0b0e6c1f2",
    ),
}

OF_WORDS: JsonObject = {"Content-Language": {"$ref": "#/components/headers/Content-Language-of-words"}}
ON_EVERY_RESPONSE = ("X-Request-ID",)
RATE_LIMIT = ("RateLimit-Policy", "RateLimit")
OPTIONAL_HEADERS = (
    *RATE_LIMIT,
    "Idempotency-Replayed",
    "Accept-Encoding",
    "Content-Encoding",
    "Content-Language-of-words",
)
HEADERS_OF_STATUS = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    415: ("Accept-Encoding",),
    429: ("Retry-After", *RATE_LIMIT),
    503: ("Retry-After",),
}


def header_components() -> dict[str, JsonObject]:
    """Return the response headers, except headers of HTTP itself and headers for browsers only."""
    return {
        name: {"description": text, "required": name not in OPTIONAL_HEADERS, "schema": schema, "example": example}
        for name, (text, schema, example) in RESPONSE_HEADERS.items()
    }


def success_headers(route: Route) -> JsonObject:
    """Return the headers of a successful response."""
    names = ["ETag"] if route.versioned or route.kind == "kept" else []
    if route.opens_table:
        names.append("Location")
    if route.writes:
        names.append("Idempotency-Replayed")
    if route.limit or route.stream:
        names += RATE_LIMIT
    if route.group.on_tables:
        names += ["Cache-Control", "Vary"]
    if route.response == "text/html" or route.localized:
        names.append("Content-Language")
    if route.kind == "kept":
        names += ["Cache-Control", "Content-Encoding"]
    if route.kind == "kept" or ((route.localized or "address" in route.takes) and not route.group.on_tables):
        names.append("Vary")
    return _references(*names) | (OF_WORDS if route.worded else {})


def problem_headers(status: int) -> JsonObject:
    """Return the headers of a problem response, by status."""
    return _references(*HEADERS_OF_STATUS.get(status, ()), "Cache-Control", "Content-Language", "Vary")


def _references(*names: str) -> JsonObject:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*names, *ON_EVERY_RESPONSE)}
