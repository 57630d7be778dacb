"""The declaration of an API call, from which the server decodes and answers, and the OpenAPI document derives."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from aiohttp import web
from msgspec import Struct

from locanda.games.registry import GAME_NAMES
from services.engine.http.api import decoding
from services.engine.http.api.decoding import BearerUse
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.context import HttpRequest
from services.engine.http.server.limits import LimitedAction
from services.engine.http.server.responses import Response
from services.engine.service.idempotency import TableReply

JsonSchema: TypeAlias = dict[str, Any]
Handler: TypeAlias = Callable[..., Awaitable[Struct | TableReply | Response]]
"""Gets the `AppContext`, and by keyword the values that its route declares (`Route.values`).

It returns what its route declares as well: a message; a `TableReply`, where the response bears a table's version; or a
`Response`, where it is no message.
"""
StreamHandler: TypeAlias = Callable[..., Awaitable[web.StreamResponse]]
"""Gets the `HttpRequest` too, and returns once the stream has ended."""

BODY_PROBLEMS = ("malformed", "bad_json", "too_large", "too_slow", "unsupported_media_type")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathParameter:
    """A named part of a path, such as `{table}`."""

    name: str
    decode: Callable[[HttpRequest], object]
    description: str
    schema: JsonSchema
    problems: tuple[str, ...]
    """The codes of the problems of a value that names nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderParameter:
    """A header that a call takes."""

    name: str
    description: str
    schema: JsonSchema
    variant: str = ""
    """What tells it from another header of the same name."""

    @property
    def in_document(self) -> str:
        """Its name in the OpenAPI document."""
        return f"{self.name}.{self.variant}" if self.variant else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteGroup:
    """Calls that the OpenAPI document shows together, and their common properties."""

    name: str
    description: str
    on_tables: bool = False
    """Whether the calls need the store, and their responses are for one bearer alone and for no cache."""
    any_query: bool = False
    """Whether the calls ignore query parameters that they do not know."""
    operators: bool = False
    """Whether only the operator may make the calls, where they have set a key for it."""


# --- groups and paths

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
ADMIN = RouteGroup(
    name="admin", description="What the operator sees and does while engines run.", on_tables=True, operators=True
)
GROUPS = (GAMES, RULES, TABLES, PLAY, WATCH, NOTICES, SYSTEM)

GAME_PATH = "/v1/games/{game}"
TABLE_PATH = "/v1/tables/{table}"
SEAT_PATH = f"{TABLE_PATH}/seats/{{seat}}"

# --- parameters

GAME = PathParameter(
    name="game",
    decode=decoding.game,
    description="The game's name.",
    schema={"enum": list(GAME_NAMES)},
    problems=("no_such_game",),
)
TABLE = PathParameter(
    name="table",
    decode=decoding.table_id,
    description="The table's id.",
    schema={"$ref": "#/components/schemas/TableId"},
    problems=("no_such_table", "rules_changed", "newer_release", "damaged_table"),
)
SEAT = PathParameter(
    name="seat",
    decode=decoding.seat_number,
    description="The seat's number, counted from 0.",
    schema={"type": "integer", "minimum": 0, "maximum": 9},
    problems=("no_such_seat",),
)
DEAL = PathParameter(
    name="deal",
    decode=decoding.deal_number,
    description="The deal's number in its match, counted from 1.",
    schema={"type": "integer", "minimum": 1},
    problems=("no_such_deal", "proof_lost"),
)
SUBSCRIPTION = PathParameter(
    name="subscription",
    decode=decoding.subscription,
    description="The subscription's id.",
    schema={"type": "string", "pattern": f"^{decoding.TABLE.pattern}$"},
    problems=("no_such_subscription",),
)
CODE = PathParameter(
    name="code",
    decode=decoding.problem_code,
    description="The problem's code.",
    schema={"enum": list(PROBLEM_TYPES)},
    problems=("not_found",),
)
ENTRY = PathParameter(
    name="entry",
    decode=decoding.entry,
    description="The name of the entry, percent-encoded: an engine's, a key's, a client's, or a blocked name.",
    schema={"type": "string"},
    problems=("no_such_entry",),
)
PATH_PARAMETERS = {each.name: each for each in (GAME, TABLE, SEAT, DEAL, SUBSCRIPTION, CODE, ENTRY)}

_KEY = (
    "Makes a repetition of the request safe: it acts once, and is answered as the first time, for {time} and "
    "among the caller's last 16 writes at the table. Send the same key with each repetition, and a fresh one, a random "
    "UUID say, with each new request. A key has 16 to 128 "
    "visible ASCII characters{fewer}."
)
_KEY_SCHEMA: JsonSchema = {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x21-\\x7e]+$"}

IDEMPOTENCY_KEY = HeaderParameter(
    name="Idempotency-Key",
    description=_KEY.format(time="up to an hour", fewer="; here fewer are taken too"),
    schema=_KEY_SCHEMA,
)
SECRET_IDEMPOTENCY_KEY = HeaderParameter(
    name="Idempotency-Key",
    description=f"{_KEY.format(time='up to a day, while the table lives,', fewer='')} "
    "The token in the answer comes from it, so let nobody guess it.",
    schema=_KEY_SCHEMA | {"minLength": decoding.SHORTEST_SECRET_KEY},
    variant="secret",
)
IF_MATCH = HeaderParameter(
    name="If-Match",
    description="Act only while the table is at this version: the `ETag` of an earlier answer. `*` stands for any.",
    schema={"type": "string", "pattern": rf"^(?:\*|{decoding.ENTITY_TAG.pattern})$"},
)
IF_NONE_MATCH = HeaderParameter(
    name="If-None-Match",
    description="What is known already: an `ETag`, or several; where one is that of the answer, it is 304.",
    schema={"type": "string"},
)
LAST_EVENT_ID = HeaderParameter(
    name="Last-Event-ID",
    description="Go on after this event, the last one that was read. Counts before `after`.",
    schema={"type": "integer", "minimum": 0, "maximum": 999_999_999},
)
SEAT_TOKENS = HeaderParameter(
    name="Seat-Tokens",
    description="Tokens of further seats, with commas between them: the stream then shows what these see as well.",
    schema={"type": "string", "pattern": f"^{decoding.SEAT_TOKENS.pattern}$"},
)
ACCEPT_LANGUAGE = HeaderParameter(
    name="Accept-Language",
    description="The language of the texts for people: Italian or, without the header or where none fits, English.",
    schema={"type": "string"},
)


# --- calls


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Route:
    """A call of the API, which is declared once and equals itself alone."""

    operation_id: str
    """Its name in the OpenAPI document; `{game}` stands for the game where each game has an operation of its own."""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    handler: Handler
    summary: str
    group: RouteGroup
    details: str = ""

    query: type[Struct] | None = None
    body: type[Struct] | None = None
    bearer: BearerUse = "none"
    """Whether the call takes a seat's token."""
    api_key: bool = False
    """Whether the call needs an API key, where the operator has set any."""
    writes: bool = False
    """Whether the call changes a table: it takes `Idempotency-Key`, and on a table that exists `If-Match`."""
    localized: bool = False
    """Whether the response depends on `Accept-Language`."""
    worded: bool = False
    """Whether the call takes `words`: its response, and its problems, then have sentences in that language too.

    The handler of a `localized` call is told, and makes them itself.
    """
    addressed: bool = False
    """Whether the response names the address at which the request came."""
    act: bool = False
    """Whether the call is an act of the operator: its handler is given who acts."""
    waits: bool = False
    """Whether its handler is given the client, to count what the client holds or lists."""
    stream: StreamHandler | None = None
    """Answers with server-sent events; `handler` answers where `Accept` prefers JSON."""
    as_json: Handler | None = None
    """Answers with a message where `Accept` prefers JSON to the page that `handler` answers with."""
    limit: LimitedAction | None = None
    """The limit a minute that the call counts against."""
    probe: bool = False
    """Whether machines ask it all day: banned clients may too, and the log has its other answers at level `debug`."""

    response: type[Struct] | str
    """The message in the response; where it is no message, its media type."""
    status: Literal[200, 201] = 200
    versioned: bool = False
    """Whether the response has the table's version as `ETag`; reads then take `If-None-Match`."""
    kept: bool = False
    """Whether the response is the same until the next release: browsers keep it, by a digest of it as `ETag`."""
    creates_token: bool = False
    """Whether the response has a seat's token, which is derived from the idempotency key."""
    location: Callable[[TableReply], str] | None = None
    """Returns the path of what the call has created."""
    own_problems: tuple[str, ...] = ()
    """The codes of the problems that do not follow from the fields above."""

    path_parameters: tuple[PathParameter, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find the parameters of the path."""
        names = re.findall(r"{(\w+)}", self.path)
        object.__setattr__(self, "path_parameters", tuple(PATH_PARAMETERS[name] for name in names))

    @property
    def on_table(self) -> bool:
        """Whether the path names a table."""
        return TABLE in self.path_parameters

    @property
    def per_game(self) -> bool:
        """Whether request and response have types of the game in the path."""
        return GAME in self.path_parameters and self.body is not None

    @property
    def header_parameters(self) -> tuple[HeaderParameter, ...]:
        """The headers that the call takes, besides those for authentication and content negotiation."""
        found: list[HeaderParameter] = []
        if self.writes:
            found.append(SECRET_IDEMPOTENCY_KEY if self.creates_token else IDEMPOTENCY_KEY)
        if self.writes and self.on_table:
            found.append(IF_MATCH)
        if self.kept or (self.versioned and not self.writes):
            found.append(IF_NONE_MATCH)
        if self.stream and self.on_table:
            found += [LAST_EVENT_ID, SEAT_TOKENS]
        if self.localized or self.worded:
            found.append(ACCEPT_LANGUAGE)
        return tuple(found)

    @property
    def values(self) -> tuple[str, ...]:
        """The names of its handler's keyword arguments: the path's parameters, and the other declared values."""
        given = {
            "query": self.query,
            "body": self.body,
            "caller": self.writes,
            "token": self.bearer != "none" and not self.writes,
            "language": self.localized,
            "words": self.localized and self.worded,
            "address": self.addressed,
            "client": self.waits,
            "operator": self.act,
        }
        return (*(each.name for each in self.path_parameters), *(name for name, there in given.items() if there))

    @property
    def bans(self) -> bool:
        """Whether banned clients are refused: probes are answered, and operators could lock themselves out."""
        return not (self.probe or self.group.operators)

    @property
    def problems(self) -> tuple[str, ...]:
        """The codes of all problems that the call may answer with, sorted."""
        found = {"internal", "too_many_requests", *self.own_problems}
        found |= _problems_of_input(self) | _problems_of_caller(self)
        if self.bans:
            found.add("banned")
        if self.group.on_tables:
            found.add("store_down")
        return tuple(sorted(found))


def _problems_of_input(route: Route) -> set[str]:
    found = {code for each in route.path_parameters for code in each.problems}
    if route.per_game:  # the document has one path for each game, so no name of a game can be wrong there
        found -= {*GAME.problems}
    if not route.group.any_query:
        found.add("malformed")
    if route.body:
        found.update(BODY_PROBLEMS)
    if route.stream:
        found.add("not_acceptable")
    return found


def _problems_of_caller(route: Route) -> set[str]:
    found: set[str] = set()
    if route.bearer != "none":
        found |= {"wrong_token", "bad_header"}
    if route.bearer == "required":
        found.add("no_token")
    if route.group.operators:
        found |= {"no_admin_key", "bad_header"}
    if route.act:
        found |= {"busy", "newer_release"}
    if route.api_key:
        found |= {"no_key", "bad_header"}
    if route.writes:
        found |= {"bad_header", "key_reused", "too_large", "too_slow", "busy"}
        if route.on_table:
            found.add("stale")
    return found
