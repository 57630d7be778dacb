"""What is declared of a call: enough to register it, and to document it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aiohttp import web
from msgspec import Struct

from services.engine.http.answers import Answer
from services.engine.http.request import Request

Handler: TypeAlias = Callable[[Request], Awaitable[Answer | web.StreamResponse]]
"""Answers a request; a stream has been sent by then."""

BODY = ("malformed", "bad_json", "too_large", "unsupported_media_type")
ALWAYS = ("too_many_requests", "internal")
UNLIMITED = ("/healthz", "/readyz", "/metrics")
"""What watches over the house is never told that it asks too often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A call of the API."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    handler: Handler
    summary: str
    tag: str
    takes: type[Struct] | None = None
    gives: type[Struct] | str = ""
    """The answer's type; for what is no message, its media type."""
    status: Literal[200, 201] = 200
    query: type[Struct] | None = None
    bearer: Literal["none", "optional", "needed"] = "none"
    writes: bool = False
    """Is it a step of a table: with `If-Match` (but for opening one), `Idempotency-Key` and `ETag`?"""
    versioned: bool = False
    """Does the answer carry the table's version as `ETag`?"""
    streams: bool = False
    closable: bool = False
    """May the host keep it to those who hold one of the house's keys?"""
    counted: bool = False
    """Does the answer tell how much of a limit is left?"""
    details: str = ""
    refusals: tuple[str, ...] = ()
    """The codes of the problems that are this call's own."""

    @property
    def on_table(self) -> bool:
        """Is it a call on one table?"""
        return "{table}" in self.path

    @property
    def differs(self) -> bool:
        """Do its body and its answer depend on the game that the path names?"""
        return "{game}" in self.path and self.takes is not None

    @property
    def makes_token(self) -> bool:
        """Is its idempotency key what a token can be derived from?"""
        return self.status == 201

    @property
    def problems(self) -> tuple[str, ...]:
        """The codes of all problems that the call may answer with."""
        if not self.path.startswith("/v1"):
            always = ALWAYS[1:] if self.path in UNLIMITED else ALWAYS
            return tuple(sorted({*always, *self.refusals}))
        found = {*ALWAYS, *self.refusals, *_of_path(self), *_of_caller(self)}
        if self.takes:
            found.update(BODY)
        return tuple(sorted(found | {"malformed"}))


def _of_path(route: Route) -> set[str]:
    found: set[str] = set()
    if "{game}" in route.path and not route.differs:
        found.add("no_such_game")
    if route.path.startswith("/v1/tables"):
        found.add("store_down")
    if route.on_table:
        found |= {"no_such_table", "rules_changed"}
    if "{seat}" in route.path:
        found.add("no_such_seat")
    if "{deal}" in route.path:
        found.add("no_such_deal")
    return found


def _of_caller(route: Route) -> set[str]:
    found: set[str] = set()
    if route.bearer != "none":
        found |= {"wrong_token", "bad_header"}
    if route.closable:
        found |= {"no_key", "bad_header"}
    if route.bearer == "needed":
        found.add("no_token")
    if route.writes:
        found |= {"bad_header", "key_reused", "too_large", "busy"}
        if route.on_table:
            found.add("stale")
    return found
