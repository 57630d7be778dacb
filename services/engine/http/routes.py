"""Every call of the API, declared once: the server and its OpenAPI document both come from this table."""

from collections.abc import Awaitable

from aiohttp import web

from services.engine.faults import FaultError
from services.engine.http.access import Serve, surrounded
from services.engine.http.answers import Answer
from services.engine.http.handlers import catalogue, playing, stateless, system, tables, watching
from services.engine.http.house import House
from services.engine.http.paths import Paths
from services.engine.http.problems import REFUSALS
from services.engine.http.request import Request
from services.engine.http.route import UNLIMITED, Handler, Route
from shared import messages

GAMES = "games"
RULES = "rules"
TABLES = "tables"
PLAY = "play"
WATCH = "watch"
HOUSE = "house"

GAME = "/v1/games/{game}"
TABLE = "/v1/tables/{table}"
SEAT = "/v1/tables/{table}/seats/{seat}"

ROUTES: tuple[Route, ...] = (
    Route(
        method="GET",
        path="/v1/games",
        handler=catalogue.games,
        summary="Every game",
        tag=GAMES,
        gives=messages.Catalogue,
    ),
    Route(
        method="GET",
        path=GAME,
        handler=catalogue.game,
        summary="A game with its rules",
        tag=GAMES,
        gives=messages.GameDetails,
    ),
    Route(
        method="POST",
        path=f"{GAME}/deals",
        handler=stateless.deals,
        summary="Deal the cards",
        tag=RULES,
        details="Nothing is stored. The same options, seats, dealer and seed always give the same deal.",
        takes=messages.DealRequest,
        gives=messages.DealBody,
        refusals=("impossible",),
    ),
    Route(
        method="POST",
        path=f"{GAME}/moves",
        handler=stateless.moves,
        summary="Every legal move in a deal",
        tag=RULES,
        takes=messages.DealBody,
        gives=messages.LegalMoves,
        refusals=("impossible",),
    ),
    Route(
        method="POST",
        path=f"{GAME}/check",
        handler=stateless.check,
        summary="Is a move legal in a deal, and if not, why",
        tag=RULES,
        takes=messages.MoveRequest,
        gives=messages.Verdict,
        refusals=("impossible",),
    ),
    Route(
        method="POST",
        path=f"{GAME}/play",
        handler=stateless.play,
        summary="The deal after a move",
        tag=RULES,
        takes=messages.MoveRequest,
        gives=messages.PlayAnswer,
        refusals=("deal_over", "impossible", *REFUSALS),
    ),
    Route(
        method="POST",
        path=f"{GAME}/view",
        handler=stateless.view,
        summary="What a seat, or a spectator, may see of a deal",
        tag=RULES,
        takes=messages.ViewRequest,
        gives=messages.ViewAnswer,
        refusals=("impossible",),
    ),
    Route(
        method="POST",
        path="/v1/tables",
        handler=tables.open_table,
        summary="Open a table",
        tag=TABLES,
        details="Who opens a table is its host, on seat 0. The token in the answer is shown this once.",
        takes=messages.OpenTable,
        gives=messages.Seated,
        status=201,
        writes=True,
        versioned=True,
        refusals=("impossible",),
        closable=True,
        counted=True,
    ),
    Route(
        method="GET",
        path="/v1/tables",
        handler=tables.listed,
        summary="Open tables that anyone may join",
        tag=TABLES,
        gives=messages.TablePage,
        query=tables.PageQuery,
        refusals=("impossible",),
    ),
    Route(
        method="GET",
        path=TABLE,
        handler=watching.look,
        summary="The table as the bearer may see it",
        tag=WATCH,
        details=(
            "Without a token, as a spectator does. With `after` and `wait`, the answer comes as soon as the table is "
            "newer than that version, or once the time is up."
        ),
        gives=messages.Table,
        query=watching.LookQuery,
        bearer="optional",
        versioned=True,
    ),
    Route(
        method="PATCH",
        path=TABLE,
        handler=tables.change,
        summary="Change an open table",
        tag=TABLES,
        details="Host only. What is left out stays as it is.",
        takes=messages.ChangeTable,
        gives=messages.Table,
        bearer="needed",
        writes=True,
        versioned=True,
        refusals=("impossible", "not_host", "not_open", "too_many_players"),
    ),
    Route(
        method="POST",
        path=f"{TABLE}/seats",
        handler=tables.sit,
        summary="Sit down, or seat a computer player",
        tag=TABLES,
        details="A computer player is seated with the host's token. A person's token is shown this once.",
        takes=messages.SitDown,
        gives=messages.Seated,
        status=201,
        bearer="optional",
        writes=True,
        versioned=True,
        refusals=("impossible", "not_host", "not_open", "table_full"),
        counted=True,
    ),
    Route(
        method="DELETE",
        path=SEAT,
        handler=tables.leave,
        summary="Leave a seat, or remove somebody as the host",
        tag=TABLES,
        details="Those behind move up while the table is open; once cards are dealt a computer player takes the hand.",
        gives=messages.Table,
        bearer="needed",
        writes=True,
        versioned=True,
        refusals=("not_host", "not_your_seat", "already_computer"),
    ),
    Route(
        method="PUT",
        path=f"{SEAT}/seed",
        handler=tables.give_seed,
        summary="Give one's own share in the coming shuffle",
        tag=TABLES,
        takes=messages.GiveSeed,
        gives=messages.Table,
        bearer="needed",
        writes=True,
        versioned=True,
        refusals=("not_your_seat", "already_playing"),
    ),
    Route(
        method="POST",
        path=f"{SEAT}/return",
        handler=tables.come_back,
        summary="Take one's hand back from a computer player",
        tag=PLAY,
        gives=messages.Table,
        bearer="needed",
        writes=True,
        versioned=True,
        refusals=("not_your_seat", "not_away"),
    ),
    Route(
        method="POST",
        path=f"{TABLE}/start",
        handler=playing.start,
        summary="Start the match, or the rematch once it is over",
        tag=PLAY,
        details="Host only.",
        gives=messages.Table,
        bearer="needed",
        writes=True,
        versioned=True,
        refusals=("not_host", "already_playing", "too_few_players"),
    ),
    Route(
        method="GET",
        path=f"{TABLE}/moves",
        handler=playing.moves,
        summary="The bearer's legal moves now",
        tag=PLAY,
        gives=messages.LegalMoves,
        bearer="needed",
    ),
    Route(
        method="POST",
        path=f"{TABLE}/moves",
        handler=playing.play,
        summary="Play a move",
        tag=PLAY,
        takes=messages.PlayMove,
        gives=messages.Moved,
        bearer="needed",
        writes=True,
        versioned=True,
        refusals=("impossible", "not_playing", "not_your_turn", "deal_over", *REFUSALS),
    ),
    Route(
        method="POST",
        path=f"{TABLE}/moves/check",
        handler=playing.check,
        summary="Is a move, or a half-made selection, legal now, and if not, why",
        tag=PLAY,
        details="Changes nothing.",
        takes=messages.PlayMove,
        gives=messages.Verdict,
        bearer="needed",
        refusals=("impossible",),
    ),
    Route(
        method="GET",
        path=f"{TABLE}/events",
        handler=watching.events,
        summary="The table's events, as a stream or as a page",
        tag=WATCH,
        details=(
            "`Accept: text/event-stream` (or anything): server-sent events, each with the version as its `id`, "
            "`change` or `gap` as its `event`, and the whole table as the bearer sees it as its `data`. "
            "The stream begins with the table as it is, or after `Last-Event-ID`; a `gap` says that some events are "
            "gone. "
            "`Accept: application/json`: the events that the table still remembers, after `after`."
        ),
        gives=messages.EventPage,
        query=watching.EventsQuery,
        bearer="optional",
        streams=True,
        refusals=("not_acceptable",),
        counted=True,
    ),
    Route(
        method="GET",
        path=f"{TABLE}/deals/{{deal}}",
        handler=playing.proof,
        summary="A finished deal with all that proves its shuffle",
        tag=WATCH,
        gives=messages.Proof,
        query=playing.MatchQuery,
        refusals=("match_not_over",),
    ),
    Route(
        method="GET",
        path="/healthz",
        handler=system.healthz,
        summary="Is the process alive",
        tag=HOUSE,
        gives=system.Health,
    ),
    Route(
        method="GET",
        path="/readyz",
        handler=system.readyz,
        summary="Can calls be served",
        tag=HOUSE,
        gives=system.Health,
        refusals=("store_down", "closing"),
    ),
    Route(
        method="GET",
        path="/metrics",
        handler=system.metrics,
        summary="Prometheus metrics",
        tag=HOUSE,
        gives="text/plain",
    ),
    Route(
        method="GET",
        path="/openapi.json",
        handler=system.document,
        summary="This document",
        tag=HOUSE,
        gives="application/json",
    ),
    Route(
        method="GET",
        path="/docs",
        handler=system.page,
        summary="This document as a page to read",
        tag=HOUSE,
        gives="text/html",
    ),
    Route(
        method="GET",
        path="/problems",
        handler=system.problems,
        summary="Every problem, as a page to read",
        tag=HOUSE,
        details="In English or Italian, as `Accept-Language` asks for.",
        gives="text/html",
    ),
    Route(
        method="GET",
        path="/problems/{code}",
        handler=system.problem,
        summary="What a problem means and what to do about it, as a page to read",
        tag=HOUSE,
        details="In English or Italian, as `Accept-Language` asks for.",
        gives="text/html",
        refusals=("not_found",),
    ),
)


def calls(house: House) -> Paths[Serve]:
    """Return every call with all that surrounds it."""
    paths: Paths[Serve] = Paths()
    for route in ROUTES:
        strict = route.query is None and route.path.startswith("/v1")
        handler = _without_query(route.handler) if strict else route.handler
        call = surrounded(house, route.path, handler, limited=route.path not in UNLIMITED)
        paths.add(route.method, route.path, call)
        if route.method == "GET" and not route.streams:
            paths.add("HEAD", route.path, call)
    return paths


def _without_query(handler: Handler) -> Handler:
    def strict(request: Request) -> Awaitable[Answer | web.StreamResponse]:
        if request.query_string:
            for name in request.query:
                raise FaultError(name, "the call has no such parameter")
        return handler(request)

    return strict
