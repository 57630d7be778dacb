"""Hooks for schemathesis: tables for the calls, their tokens, and the selection of cases for a quick run."""

import json
import os
import re
from dataclasses import dataclass
from itertools import count, cycle
from typing import Any, TypeAlias
from urllib.request import Request, urlopen
from uuid import uuid4

import schemathesis
from schemathesis import AuthContext, Case, HookContext, Response
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData

from locanda.games.registry import GAME_NAMES
from locanda.messages import JsonObject
from services.common.names import is_name

AnyCase: TypeAlias = Case[Any]

TABLE = re.compile(r"[A-Za-z0-9_-]{22}")
LONGEST_WAIT = 0.05
IN_PLAY = ("/moves", "/moves/check", "/return", "/events", "/seats/{seat}")
USES = 8
"""The number of uses after which another table is opened, because calls change the table."""
EXAMPLE_KEY = "0e8ff1a2-6d0b-4b8e-9a35-3f7b8f7c2d11"
EXAMPLE_VERSION = '"17"'


QUICK = os.environ.get("HYPOTHESIS_PROFILE") == "quick"
STATELESS = re.compile(r"/v1/games/(?P<game>\w+)/(?:deals|moves|check|playouts|play|view|suggest)")
"""The calls that need no table. For one game they all use the same schema and decoder of deals."""
STATELESS_SHARE = 3
"""In the coverage phase, a quick run keeps one in this number of cases of the stateless calls."""
SAME_BODY = {
    "PATCH /v1/tables/{table}": "POST /v1/tables",
    "POST /v1/tables/{table}/moves/check": "POST /v1/tables/{table}/moves",
}
"""Calls whose bodies a quick run does not try. It tries the same options or moves in the call on the right."""


@dataclass
class TrialSeat:
    """The seat with which one operation is tried, and a move that may be played from it."""

    table: str
    token: str
    seat: int
    move: JsonObject | None
    uses: int = 0


trial_seats: dict[str, TrialSeat] = {}
"""The seat with which each operation is currently tried."""
tokens: dict[str, str] = {}
"""The host's token of each table that schemathesis opened itself."""
games = cycle(GAME_NAMES)


def _ask(base: str, path: str, body: JsonObject | None = None, token: str | None = None) -> JsonObject:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(base + path, data, headers)) as answer:
        content: JsonObject = json.load(answer)
    return content


def _open_table(base: str, *, in_play: bool) -> TrialSeat:
    """Open a table for two, and start the match if the operation needs a table in play."""
    host = _ask(base, "/v1/tables", {"game": next(games), "name": "Anna"})
    table: str = host["table"]["id"]
    guest = _ask(base, f"/v1/tables/{table}/seats", {"name": "Bruno"})
    if not in_play:
        return TrialSeat(table, host["token"], 0, None)
    _ask(base, f"/v1/tables/{table}/start", {}, host["token"])
    for seat, token in enumerate((host["token"], guest["token"])):
        seen = _ask(base, f"/v1/tables/{table}", token=token)
        if seen["moves"]:
            return TrialSeat(table, token, seat, seen["moves"][0])
    raise AssertionError("nobody is on turn")


def _seat_for(case: AnyCase) -> TrialSeat:
    label = case.operation.label
    seat = trial_seats.get(label)
    if seat is None or seat.uses >= USES:
        base = str(case.operation.base_url).rstrip("/")
        seat = trial_seats[label] = _open_table(base, in_play=case.operation.path.endswith(IN_PLAY))
    seat.uses += 1
    return seat


@schemathesis.auth(refresh_interval=None)
class SeatToken:
    """Directs a case to an existing table, with the token of one of its seats."""

    def get(self, case: AnyCase, context: AuthContext) -> TrialSeat | str | None:
        table = str((case.path_parameters or {}).get("table"))
        return tokens.get(table) or (_seat_for(case) if TABLE.fullmatch(table) else None)

    def set(self, case: AnyCase, data: TrialSeat | str, context: AuthContext) -> None:
        token = data if isinstance(data, str) else data.token
        case.headers["Authorization"] = f"Bearer {token}"
        if isinstance(data, TrialSeat):
            _move_to(case, data)


def _move_to(case: AnyCase, seat: TrialSeat) -> None:
    """Set a case's table. Set its own seat where the case has seat 0, and a legal move in some cases."""
    case.path_parameters["table"] = seat.table
    if case.path_parameters.get("seat") == 0:
        case.path_parameters["seat"] = seat.seat
    positive = case.meta is not None and case.meta.generation.mode.is_positive
    if positive and seat.move and isinstance(case.body, dict) and "move" in case.body and seat.uses % 2:
        case.body["move"] = seat.move
        seat.uses = USES


UNKNOWN_HEADER = "x-schemathesis-unknown-property"
"""A header that schemathesis sends and expects to be refused. HTTP servers ignore unknown headers, so these cases are
left out.
"""


@schemathesis.hook
def filter_case(context: HookContext, case: AnyCase) -> bool:
    """Keep the cases whose answers the document describes. The quick profile keeps only some of them.

    A portable pattern cannot describe the characters of names (`services.common.names`).
    """
    positive = case.meta is None or case.meta.generation.mode.is_positive
    name = case.body.get("name") if isinstance(case.body, dict) else None
    admitted = not (positive and isinstance(name, str) and not is_name(name))
    return UNKNOWN_HEADER not in case.headers and admitted and _is_kept(case)


def _is_kept(case: AnyCase) -> bool:
    """Return whether a case is kept: every case, but in the quick profile only some of the coverage phase.

    Schemathesis tries several wrong values at each place of a body, and a game's deal in every call that takes one. A
    quick run keeps one case for each place and constraint, and tries deals, options and moves in only one of the calls
    that take them. Of the calls that need no table it keeps a share, and each case uses one of the games
    (`tests/e2e/test_contract.py`).
    """
    data = case.meta.phase.data if case.meta else None
    if not QUICK or not isinstance(data, CoveragePhaseData):
        return True
    place: tuple[object, ...] = (data.description, data.location)
    stateless = STATELESS.search(case.operation.label)
    if stateless and ("'deal'" in data.description or data.description.startswith("deal")):
        kept = _is_new(stateless["game"], *place)
    else:
        positive = case.meta is None or case.meta.generation.mode.is_positive
        label = case.operation.label
        in_body = data.parameter_location is ParameterLocation.BODY
        kept = positive or _is_new(SAME_BODY.get(label, label) if in_body else label, *place)
    return kept and not (stateless and next(_turns) % STATELESS_SHARE)


_turns = count()
_tried: set[tuple[object, ...]] = set()


def _is_new(*case: object) -> bool:
    known = case in _tried
    _tried.add(case)
    return not known


@schemathesis.hook
def after_call(context: HookContext, case: AnyCase, response: Response) -> None:
    """Store the token of a table's host."""
    if response.status_code == 201:
        seated = response.json()
        if seated["token"]:
            tokens.setdefault(seated["table"]["id"], seated["token"])


@schemathesis.hook
def before_call(context: HookContext, case: AnyCase, kwargs: dict[str, Any]) -> None:
    """Shorten long polls. Replace the example key by a new one, and the example version by any version."""
    wait = str((case.query or {}).get("wait"))
    if re.fullmatch(r"\d+(\.\d+)?", wait, re.ASCII) and LONGEST_WAIT < float(wait) <= 86_400:
        case.query["wait"] = LONGEST_WAIT
    if case.headers.get("Idempotency-Key") == EXAMPLE_KEY:
        case.headers["Idempotency-Key"] = str(uuid4())
    if case.headers.get("If-Match") == EXAMPLE_VERSION:
        case.headers["If-Match"] = "*"
    # Schemathesis uses a bare 0 as an example of a header with a pattern but no minimum length.
    if case.headers.get("If-Match") == "0":
        del case.headers["If-Match"]
