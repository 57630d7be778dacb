"""What schemathesis cannot know: whose token opens which table, and that nobody else moves while it waits."""

import json
import re
from dataclasses import dataclass
from itertools import cycle
from typing import Any, TypeAlias
from urllib.request import Request, urlopen
from uuid import uuid4

import schemathesis
from schemathesis import AuthContext, Case, HookContext, Response

from services.engine.games.registry import GAMES
from services.engine.http.parsing import TABLE

AnyCase: TypeAlias = Case[Any]
JsonObject: TypeAlias = dict[str, Any]

LONGEST_WAIT = 0.05
IN_PLAY = ("/moves", "/moves/check", "/return", "/events", "/seats/{seat}")
USES = 8
"""How often a table is used before another one is opened: what was done to it leaves its traces."""
EXAMPLE_KEY = "0e8ff1a2-6d0b-4b8e-9a35-3f7b8f7c2d11"
EXAMPLE_VERSION = '"17"'


@dataclass
class Place:
    """A seat at a table of its own, and a move that may be played from it."""

    table: str
    token: str
    seat: int
    move: JsonObject | None
    uses: int = 0


places: dict[str, Place] = {}
"""The table that each call is tried on now."""
tokens: dict[str, str] = {}
"""The token of the host of each table that schemathesis has opened itself."""
games = cycle(GAMES)


def _ask(base: str, path: str, body: JsonObject | None = None, token: str | None = None) -> JsonObject:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(base + path, data, headers)) as answer:
        found: JsonObject = json.load(answer)
    return found


def _place(base: str, *, in_play: bool) -> Place:
    """Open a table for two, and start the match where it should be in play."""
    host = _ask(base, "/v1/tables", {"game": next(games), "name": "Anna"})
    table: str = host["table"]["id"]
    guest = _ask(base, f"/v1/tables/{table}/seats", {"name": "Bruno"})
    if not in_play:
        return Place(table, host["token"], 0, None)
    _ask(base, f"/v1/tables/{table}/start", {}, host["token"])
    for seat, token in enumerate((host["token"], guest["token"])):
        seen = _ask(base, f"/v1/tables/{table}", token=token)
        if seen["moves"]:
            return Place(table, token, seat, seen["moves"][0])
    raise AssertionError("nobody is on turn")


def _place_for(case: AnyCase) -> Place:
    label = case.operation.label
    place = places.get(label)
    if place is None or place.uses >= USES:
        base = str(case.operation.base_url).rstrip("/")
        place = places[label] = _place(base, in_play=case.operation.path.endswith(IN_PLAY))
    place.uses += 1
    return place


@schemathesis.auth(refresh_interval=None)
class SeatToken:
    """Acts on a table that is there, with the token of one of its seats."""

    def get(self, case: AnyCase, context: AuthContext) -> Place | str | None:
        table = str((case.path_parameters or {}).get("table"))
        return tokens.get(table) or (_place_for(case) if TABLE.fullmatch(table) else None)

    def set(self, case: AnyCase, data: Place | str, context: AuthContext) -> None:
        token = data if isinstance(data, str) else data.token
        case.headers["Authorization"] = f"Bearer {token}"
        if isinstance(data, Place):
            _move_to(case, data)


def _move_to(case: AnyCase, place: Place) -> None:
    """Let a case be about a table, now and then about the own seat and with a move that is legal there."""
    case.path_parameters["table"] = place.table
    if case.path_parameters.get("seat") == 0:
        case.path_parameters["seat"] = place.seat
    positive = case.meta is not None and case.meta.generation.mode.is_positive
    if positive and place.move and isinstance(case.body, dict) and "move" in case.body and place.uses % 2:
        case.body["move"] = place.move
        place.uses = USES


@schemathesis.hook
def after_call(context: HookContext, case: AnyCase, response: Response) -> None:
    """Keep the token of a host."""
    if response.status_code == 201:
        seated = response.json()
        if seated["token"]:
            tokens.setdefault(seated["table"]["id"], seated["token"])


@schemathesis.hook
def before_call(context: HookContext, case: AnyCase, kwargs: dict[str, Any]) -> None:
    """Cut a long poll short; send a fresh key, and a version that may be the table's, in place of the examples."""
    wait = str((case.query or {}).get("wait"))
    if re.fullmatch(r"\d+(\.\d+)?", wait, re.ASCII) and LONGEST_WAIT < float(wait) <= 86_400:
        case.query["wait"] = LONGEST_WAIT
    if case.headers.get("Idempotency-Key") == EXAMPLE_KEY:
        case.headers["Idempotency-Key"] = str(uuid4())
    if case.headers.get("If-Match") == EXAMPLE_VERSION:
        case.headers["If-Match"] = "*"
    # It takes a bare 0 for an example of any header that has a pattern and no shortest length.
    if case.headers.get("If-Match") == "0":
        del case.headers["If-Match"]
