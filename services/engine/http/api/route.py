"""A call of the API as its function declares it: the server decodes and answers by it, and the document derives."""

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
"""Gets the `AppContext`, and by keyword the values that its route takes."""
StreamHandler: TypeAlias = Callable[..., Awaitable[web.StreamResponse]]
"""Gets the `HttpRequest` too, and returns once the stream has ended."""
Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Kind: TypeAlias = Literal["call", "kept", "write", "question"]
"""`kept`: the answer is the same until the next release, and browsers keep it, by a digest of it as `ETag`; `write`: a
transition of a table; `question`: computer players think, which counts against the client's questions."""

BODY_PROBLEMS = ("malformed", "bad_json", "too_large", "too_slow", "unsupported_media_type")


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteGroup:
    """Calls that the OpenAPI document shows together, and their common properties."""

    name: str
    description: str
    on_tables: bool = False
    """Whether the calls need the store, and their responses are private and not cached."""
    any_query: bool = False
    """Whether the calls ignore query parameters that they do not know."""
    operators: bool = False
    """Whether only the operator may make the calls, with their key."""
    probes: bool = False
    """Whether machines ask all day: banned clients may too, and the log has other answers at level `debug`."""

    @property
    def bans(self) -> bool:
        """Whether banned clients are refused: probes are answered, and operators could lock themselves out."""
        return not (self.probes or self.operators)


GAMES = RouteGroup(name="games", description="The games of the server, their options and their rules.")
RULES = RouteGroup(name="rules", description="The rules alone: deals go in, deals come out, nothing is stored.")
TABLES = RouteGroup(name="tables", description="Opening, joining and leaving tables.", on_tables=True)
PLAY = RouteGroup(name="play", description="Playing.", on_tables=True)
WATCH = RouteGroup(
    name="watch", description="Looking at a table, as the bearer of a token or as a spectator.", on_tables=True
)
NOTICES = RouteGroup(
    name="notices", description="Having notices of a table sent: one's turn, the end of a match.", on_tables=True
)
SYSTEM = RouteGroup(
    name="system", description="Health and metrics of the server, and the descriptions of the API.", any_query=True
)
PROBES = RouteGroup(name=SYSTEM.name, description=SYSTEM.description, any_query=True, probes=True)
ADMIN = RouteGroup(
    name="admin", description="What the operator sees and does while engines run.", on_tables=True, operators=True
)
GROUPS = (GAMES, RULES, TABLES, PLAY, WATCH, NOTICES, SYSTEM)
"""The groups for clients, each name once."""

GAME_PATH = "/v1/games/{game}"
TABLE_PATH = "/v1/tables/{table}"
SEAT_PATH = f"{TABLE_PATH}/seats/{{seat}}"


@dataclass(frozen=True, slots=True)
class ClientCall:
    """How the clients show a call whose method is generated (`scripts/client_calls.py`)."""

    name: str = ""
    """The method's name, if that is not the operation id."""
    unpacks: tuple[str, ...] = ()
    """The fields of the body that are its arguments; by default it takes the body."""
    answer: str = ""
    """The field of the response that it returns; by default all of it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Route:
    """A call of the API, declared once (`declaring.py`), and compared by identity."""

    operation_id: str
    """Its name in the OpenAPI document; `{game}` is the game if each game has its own operation."""
    kind: Kind
    method: Method
    path: str
    handler: Handler
    summary: str
    details: str
    group: RouteGroup
    takes: Mapping[str, Any]
    """The values that its function takes, with their types."""
    bearer: BearerUse
    """Whether the call takes a seat's token."""
    response: type[Struct] | str
    """The message in the response, or its media type."""
    versioned: bool
    """Whether the response has the table's version as `ETag`; reads then take `If-None-Match`."""
    status: Literal[200, 201]
    limit: LimitedAction | None
    """The limit a minute that the call counts against."""
    own_problems: tuple[str, ...]
    """The codes of the problems that do not follow from the rest."""
    client: ClientCall | None
    """How the clients show it; None if they have no method of it, or one that is written by hand."""
    stream: StreamHandler | None = None
    """Answers with server-sent events; `handler` answers if `Accept` prefers JSON."""
    as_json: Handler | None = None
    """Answers with a message if `Accept` prefers JSON to the page of `handler`."""

    @property
    def path_parameters(self) -> tuple[PathParameter, ...]:
        """The parameters in its path."""
        return path_parameters(self.path)

    @property
    def query(self) -> type[Struct] | None:
        """Its own query parameters."""
        return self.takes.get("query")

    @property
    def body(self) -> type[Struct] | None:
        """The message in the request."""
        return self.takes.get("body")

    @property
    def on_table(self) -> bool:
        """Whether the path names a table."""
        return TABLE in self.path_parameters

    @property
    def per_game(self) -> bool:
        """Whether request and response have types of the game in the path."""
        return GAME in self.path_parameters and self.body is not None

    @property
    def writes(self) -> bool:
        """Whether the call changes a table: it takes `Idempotency-Key`, and on a table that exists `If-Match`."""
        return self.kind == "write"

    @property
    def opens_table(self) -> bool:
        """Whether the call creates a table: its holder's key is asked for, and the answer has the table's path."""
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
        """Whether the call takes `words`: its response, and its problems, then have sentences in that language too.

        The function of a `localized` call takes `words` itself, and makes them.
        """
        return self.response in ADDERS or "words" in self.takes

    @property
    def acts(self) -> bool:
        """Whether the call is an act of the operator's."""
        return "operator" in self.takes

    @property
    def header_parameters(self) -> tuple[HeaderParameter, ...]:
        """The headers that the call takes, besides those for authentication and content negotiation."""
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
        """Whether a client may know the response already, by its `ETag`."""
        return self.kind == "kept" or (self.versioned and not self.writes)

    @property
    def problems(self) -> tuple[str, ...]:
        """The codes of all problems that the call may answer with, sorted."""
        codes = {"internal", "too_many_requests", *self.own_problems}
        codes |= _problems_of_input(self) | _problems_of_caller(self)
        if self.group.bans:
            codes.add("banned")
        if self.group.on_tables:
            codes.add("store_down")
        return tuple(sorted(codes))


def _problems_of_input(route: Route) -> set[str]:
    codes = {code for parameter in route.path_parameters for code in parameter.problems}
    if route.per_game:  # the document has one path for each game, so no name of a game can be wrong there
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
