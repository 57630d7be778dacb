"""A call as OpenAPI tells it: one operation, or one for each game where they differ."""

from http import HTTPStatus
from typing import Any, TypeAlias

from msgspec import Struct

from services.engine.games.registry import GAMES
from services.engine.http.answers import JSON
from services.engine.http.examples import examples
from services.engine.http.negotiation import STREAM
from services.engine.http.parameters import of_problem, of_success, parameters
from services.engine.http.problems import CONTENT_TYPE, KINDS, REFUSALS
from services.engine.http.route import Route
from services.engine.http.schemas import differs, of_game, reference

Node: TypeAlias = dict[str, Any]

NOT_MODIFIED = "The table is still at a version that the client knows."

TEXTS = {
    "text/plain": "# TYPE locanda_streams gauge\nlocanda_streams 3.0\n",
    "text/html": '<!doctype html><html lang="en">…</html>',
}

REFUSED = {frozenset(REFUSALS): "refused"} | {
    frozenset(game.refusals): f"{game.name}_refused" for game in GAMES.values()
}
"""What the refusals of all games, or of one, are called together."""

BODY_TABLE = {"table": "$response.body#/table/id"}
BODY_SEAT = BODY_TABLE | {"seat": "$response.body#/seat"}
LINKS: dict[str, Node] = {
    operation: {"operationId": operation, "parameters": parameters, "description": text}
    for operation, parameters, text in (
        ("look", BODY_TABLE, "The table, with the token of this answer as its bearer may see it."),
        ("events", BODY_TABLE, "What happens there from now on."),
        ("sit", BODY_TABLE, "Let others sit down; with the host's token, seat computer players."),
        ("change", BODY_TABLE, "With the host's token: other options."),
        ("start", BODY_TABLE, "With the host's token: start the match."),
        ("table_moves", BODY_TABLE, "With the token: the legal moves, once the match has begun."),
        ("play", BODY_TABLE, "With the token: play."),
        ("give_seed", BODY_SEAT, "With the token: a share in the coming shuffle."),
        ("leave", BODY_SEAT, "With the token: leave the seat."),
    )
}
"""Where to go from a seat just taken."""


def of(route: Route) -> dict[str, Node]:
    """Return the operations of a call by their paths."""
    if not route.differs:
        return {route.path: _operation(route, None)}
    return {route.path.replace("{game}", game): _operation(route, game) for game in GAMES}


def operation_id(route: Route, game: str | None = None) -> str:
    """Return the call's name: its handler's, behind its game's or its room's where another handler has the same."""
    module = getattr(route.handler, "__module__", "").rpartition(".")[2]
    name = str(getattr(route.handler, "__name__", ""))
    if module == "stateless":
        return f"{game or 'rules'}_{name}"
    return f"table_{name}" if name in ("moves", "check") else name


def _operation(route: Route, game: str | None) -> Node:
    found: Node = {
        "tags": [route.tag],
        "operationId": operation_id(route, game),
        "summary": route.summary,
        "description": route.details,
        "parameters": parameters(route),
        "responses": _responses(route, game),
    }
    if route.takes:
        found["requestBody"] = {"required": True, "content": {JSON: _content(_schema(route.takes, game))}}
    if route.bearer != "none":
        found["security"] = [{"seat": []}] if route.bearer == "needed" else [{}, {"seat": []}]
    if route.closable:
        found["security"] = [{}, {"key": []}]
    return {key: value for key, value in found.items() if value not in ([], "")}


def _schema(message: type[Struct], game: str | None) -> str:
    return of_game(message.__name__, game) if game and differs(message) else message.__name__


def _content(schema: str) -> Node:
    """Return what a body of a schema looks like."""
    labels = examples().get(schema, {})
    shown = {label: {"$ref": f"#/components/examples/{schema}.{label}"} for label in labels}
    return {"schema": reference(schema), "examples": shown}


# --- answers


def _responses(route: Route, game: str | None) -> Node:
    found = {str(route.status): _success(route, game)}
    if route.versioned and not route.writes:
        found["304"] = {"description": NOT_MODIFIED, "headers": of_success(route)}
    return found | {
        str(status): {"$ref": f"#/components/responses/{_name(codes)}"}
        for status, codes in by_status(route, game).items()
    }


def _success(route: Route, game: str | None) -> Node:
    links = {name: {"$ref": f"#/components/links/{name}"} for name in LINKS} if route.makes_token else {}
    answer: Node = {
        "description": HTTPStatus(route.status).phrase,
        "headers": of_success(route),
        "content": _forms(route, game),
        "links": links,
    }
    return {key: value for key, value in answer.items() if value}


def _forms(route: Route, game: str | None) -> Node:
    """Return the forms in which a call answers."""
    if isinstance(route.gives, type):
        form = {JSON: _content(_schema(route.gives, game))}
        return {STREAM: _content("StreamedEvent")} | form if route.streams else form
    if route.gives == JSON:
        return {JSON: {"schema": {"type": "object"}, "example": {"openapi": "3.1.0", "info": {}, "paths": {}}}}
    return {route.gives: {"schema": {"type": "string"}, "example": TEXTS[route.gives]}}


def by_status(route: Route, game: str | None) -> dict[int, tuple[str, ...]]:
    """Return the codes of a call's problems by their statuses."""
    codes = [code for code in route.problems if game is None or code in GAMES[game].refusals or code not in REFUSALS]
    statuses = sorted({KINDS[code].status for code in codes})
    return {status: tuple(code for code in codes if KINDS[code].status == status) for status in statuses}


def _name(codes: tuple[str, ...]) -> str:
    """Return what the answer with one of these problems is called."""
    refusals = REFUSALS.keys() & set(codes)
    others = [code for code in codes if code not in refusals]
    return "-or-".join([REFUSED[frozenset(refusals)], *others] if refusals else others)


def shared_responses(routes: tuple[Route, ...]) -> dict[str, Node]:
    """Return the problems that calls answer with, by the names that the operations call them."""
    found = {
        (status, codes)
        for route in routes
        for game in (GAMES if route.differs else (None,))
        for status, codes in by_status(route, game).items()
    }
    everywhere = {(KINDS[code].status, (code,)) for code in ("not_found", "method_not_allowed")}
    return {_name(codes): _failure(status, codes) for status, codes in sorted(found | everywhere)}


def _failure(status: int, codes: tuple[str, ...]) -> Node:
    shown = {code: {"$ref": f"#/components/examples/problem.{code}"} for code in codes}
    schema = reference("Problem") | {"properties": {"code": {"enum": list(codes)}}}
    return {
        "description": "; ".join(f"`{code}`: {KINDS[code].en.title}" for code in codes),
        "headers": of_problem(status),
        "content": {CONTENT_TYPE: {"schema": schema, "examples": shown}},
    }
