"""A declared call of the API. The request handler and the OpenAPI document are both derived from it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from aiohttp import web
from msgspec import Struct

from locanda import messages
from services.engine.http.api.decoding import BearerUse
from services.engine.http.api.parameters import (
    ACCEPT_LANGUAGE,
    GAME,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    LAST_EVENT_ID,
    SEAT_TOKENS,
    SECRET_IDEMPOTENCY_KEY,
    TABLE,
    HeaderParameter,
    PathParameter,
    path_parameters,
)
from services.engine.http.api.words import ADDERS
from services.engine.http.server.limits import LimitedAction
from services.engine.http.server.responses import Response
from services.engine.service.idempotency import TableReply

Handler: TypeAlias = Callable[..., Awaitable[Struct | TableReply | Response]]
"""Takes the `AppContext` and, as keyword arguments, the decoded values."""
StreamHandler: TypeAlias = Callable[..., Awaitable[web.StreamResponse]]
"""Takes the `HttpRequest` besides the arguments of a `Handler`, and returns when the stream has ended."""
Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Kind: TypeAlias = Literal["call", "kept", "write", "question"]
"""`kept`: the response stays the same until the next release, so browsers may cache it; its `ETag` is a digest.
`write`: a transition of a table. `question`: computer players think, which counts towards the client's limit."""

BODY_PROBLEMS = ("malformed", "bad_json", "too_large", "too_slow", "unsupported_media_type")


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteGroup:
    """Calls that the OpenAPI document lists in one section, with the properties that they share."""

    name: str
    description: str
    on_tables: bool = False
    """Whether the calls need the store. If so, their responses are private and not cached."""
    any_query: bool = False
    """Whether the calls ignore unknown query parameters."""
    operators: bool = False
    """Whether the calls need the operator's key."""
    probes: bool = False
    """Whether the calls are health checks and metrics. Banned clients may call them, and successes are logged at
    `debug` only.
    """

    @property
    def bans(self) -> bool:
        """Whether banned clients are refused. Operators and probes are exempt: operators could lock themselves out."""
        return not (self.probes or self.operators)


GAMES = RouteGroup(name="games", description="The games of the server, their options and their rules.")
RULES = RouteGroup(name="rules", description="Stateless calls, which apply the rules to a deal in the request.")
TABLES = RouteGroup(name="tables", description="Opening, joining and leaving tables.", on_tables=True)
PLAY = RouteGroup(name="play", description="Starting matches, playing moves, hints and remarks.", on_tables=True)
WATCH = RouteGroup(name="watch", description="Following a table, as a player or as a spectator.", on_tables=True)
NOTICES = RouteGroup(
    name="notices",
    description="Notices of a table, such as your turn or the end of a match, sent to a server or browser.",
    on_tables=True,
)
SYSTEM = RouteGroup(
    name="system", description="Health, metrics and release of the server, and descriptions of the API.", any_query=True
)
PROBES = RouteGroup(name=SYSTEM.name, description=SYSTEM.description, any_query=True, probes=True)
ADMIN = RouteGroup(
    name="admin", description="Administration by the operator while engines run.", on_tables=True, operators=True
)
GROUPS = (GAMES, RULES, TABLES, PLAY, WATCH, NOTICES, SYSTEM)
"""The groups in the document for clients. It lists the calls of `PROBES` under `SYSTEM`, which has the same name."""

GAME_PATH = "/v1/games/{game}"
TABLE_PATH = "/v1/tables/{table}"
SEAT_PATH = f"{TABLE_PATH}/seats/{{seat}}"


@dataclass(frozen=True, slots=True)
class ClientCall:
    """How a generated client method (`scripts/client_calls.py`) looks."""

    name: str = ""
    """The method's name, if it is not the operation id."""
    unpacks: tuple[str, ...] = ()
    """Fields of the body that become arguments of the method. If empty, the method takes the whole body."""
    answer: str = ""
    """Field of the response that the method returns; empty for the whole response."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Route:
    """A call of the API, declared with `declaring.py`. Two routes are equal only if they are the same object."""

    operation_id: str
    """The call's name in the OpenAPI document. `{game}` stands for the game, if each game has its own operation."""
    kind: Kind
    method: Method
    path: str
    handler: Handler
    summary: str
    details: str
    group: RouteGroup
    takes: Mapping[str, Any]
    """Names and types of the values that the call's function takes."""
    bearer: BearerUse
    """Whether the call takes a seat's token."""
    response: type[Struct] | str
    """The type of the response's message, or its media type."""
    versioned: bool
    """Whether the `ETag` of the response is the table's version. If so, reads take `If-None-Match`."""
    status: Literal[200, 201]
    limit: LimitedAction | None
    """The limit per minute that the call counts towards."""
    own_problems: tuple[str, ...]
    """Codes of the problems that do not follow from the other fields."""
    client: ClientCall | None
    """The generated client method. None if no method is generated, or if it is written by hand."""
    stream: StreamHandler | None = None
    """Answers with server-sent events; `handler` answers if `Accept` prefers JSON."""
    as_json: Handler | None = None
    """Answers with JSON, if `Accept` prefers it to the HTML of `handler`."""

    @property
    def path_parameters(self) -> tuple[PathParameter, ...]:
        """The parameters in the route's path."""
        return path_parameters(self.path)

    @property
    def query(self) -> type[Struct] | None:
        """The type of the call's query parameters, or None."""
        return self.takes.get("query")

    @property
    def body(self) -> type[Struct] | None:
        """The type of the message in the request, or None."""
        return self.takes.get("body")

    @property
    def on_table(self) -> bool:
        """Whether the path names a table."""
        return TABLE in self.path_parameters

    @property
    def per_game(self) -> bool:
        """Whether body and response have types of the game in the path."""
        return GAME in self.path_parameters and self.body is not None

    @property
    def writes(self) -> bool:
        """Whether the call changes or opens a table.

        Such a call takes `Idempotency-Key` and, for an existing table, `If-Match`.
        """
        return self.kind == "write"

    @property
    def opens_table(self) -> bool:
        """Whether the call creates a table. Such a call may need an API key, and its response has a `Location`."""
        return self.writes and not self.on_table

    @property
    def creates_token(self) -> bool:
        """Whether the response has a seat's token, which is derived from the idempotency key."""
        return self.response is messages.Seated

    @property
    def localized(self) -> bool:
        """Whether the response depends on `Accept-Language`."""
        return "language" in self.takes

    @property
    def worded(self) -> bool:
        """Whether the call takes the parameter `words`, which adds sentences to its response and its problems.

        The function of a `localized` call takes `words` as an argument and adds the sentences itself.
        """
        return self.response in ADDERS or "words" in self.takes

    @property
    def acts(self) -> bool:
        """Whether the call is an operator's act, which is written to the audit log."""
        return "operator" in self.takes

    @property
    def header_parameters(self) -> tuple[HeaderParameter, ...]:
        """The headers that the call takes, except headers for authentication and content negotiation."""
        headers: list[HeaderParameter] = []
        if self.writes:
            headers.append(SECRET_IDEMPOTENCY_KEY if self.creates_token else IDEMPOTENCY_KEY)
        if self.writes and self.on_table:
            headers.append(IF_MATCH)
        if self.remembered:
            headers.append(IF_NONE_MATCH)
        if self.stream and self.on_table:
            headers += [LAST_EVENT_ID, SEAT_TOKENS]
        if self.localized or self.worded:
            headers.append(ACCEPT_LANGUAGE)
        return tuple(headers)

    @property
    def remembered(self) -> bool:
        """Whether the call takes `If-None-Match`, so that it can answer 304."""
        return self.kind == "kept" or (self.versioned and not self.writes)

    @property
    def problems(self) -> tuple[str, ...]:
        """The codes of all problems that the call can answer with, sorted."""
        codes = {"internal", "too_many_requests", *self.own_problems}
        codes |= _problems_of_input(self) | _problems_of_caller(self)
        if self.group.bans:
            codes.add("banned")
        if self.group.on_tables:
            codes.add("store_down")
        return tuple(sorted(codes))


def _problems_of_input(route: Route) -> set[str]:
    codes = {code for parameter in route.path_parameters for code in parameter.problems}
    # the path of each game's operation names the game, so `GAME` is not a parameter and causes no problem
    if route.per_game:
        codes -= {*GAME.problems}
    if not route.group.any_query:
        codes.add("malformed")
    if route.body:
        codes.update(BODY_PROBLEMS)
    if route.stream:
        codes.add("not_acceptable")
    return codes


def _problems_of_caller(route: Route) -> set[str]:
    codes: set[str] = set()
    if route.bearer != "none":
        codes |= {"wrong_token", "bad_header"}
    if route.bearer == "required":
        codes.add("no_token")
    if route.group.operators:
        codes |= {"no_admin_key", "bad_header"}
    if route.acts:
        codes |= {"busy", "newer_release"}
    if route.opens_table:
        codes |= {"no_key", "bad_header"}
    if route.writes:
        codes |= {"bad_header", "key_reused", "too_large", "too_slow", "busy"}
        if route.on_table:
            codes.add("stale")
    return codes
