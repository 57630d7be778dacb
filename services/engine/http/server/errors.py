"""Maps each exception that a handler raises to a problem response."""

from collections.abc import Callable, Mapping
from math import ceil
from typing import TypeAlias

import structlog
from aiohttp import web
from msgspec.structs import replace

from locanda.messages import Problem
from services.common.negotiation import language
from services.engine.http.problems.responses import ProblemError, make_problem, problem_response
from services.engine.http.server.context import BODY_LIMIT, HttpRequest
from services.engine.http.server.responses import Response
from services.engine.service.errors import (
    BannedError,
    BusyError,
    LostLogError,
    NameBlockedError,
    NoSuchDealError,
    NoSuchTableError,
    NoThoughtError,
    NoTokenError,
    NotYourSeatError,
    TooSoonError,
    VersionMismatchError,
    WrongTokenError,
)
from services.engine.service.idempotency import KeyConflictError
from services.engine.service.validation import ImpossibleError, ValidationError
from services.engine.store.errors import DamagedError, NewerFormError, StoreDownError
from services.engine.store.holdings import NoRoomError
from services.engine.table.state import MoveRefusedError, NewerReleaseError, TableError

log = structlog.stdlib.get_logger("engine.http")

ProblemAndHeaders: TypeAlias = tuple[Problem, dict[str, str]]

UNREADABLE = "the body could not be read"
TOO_LARGE = f"a body holds at most {BODY_LIMIT} bytes"
BEARER_CHALLENGE = 'Bearer realm="seat"'
INVALID_TOKEN = f'{BEARER_CHALLENGE}, error="invalid_token"'

RETRY_ELSEWHERE = {"Retry-After": "2"}
"""The headers of a response that another replica would not have given."""

BY_CLASS: dict[type[Exception], tuple[str, dict[str, str]]] = {
    NoSuchTableError: ("no_such_table", {}),
    NoSuchDealError: ("no_such_deal", {}),
    NoTokenError: ("no_token", {"WWW-Authenticate": BEARER_CHALLENGE}),
    WrongTokenError: ("wrong_token", {"WWW-Authenticate": INVALID_TOKEN}),
    NotYourSeatError: ("not_your_seat", {}),
    KeyConflictError: ("key_reused", {}),
    LostLogError: ("proof_lost", {}),
    DamagedError: ("damaged_table", {}),
    NewerFormError: ("newer_release", RETRY_ELSEWHERE),
    BusyError: ("busy", {"Retry-After": "1"}),
    BannedError: ("banned", {}),
    NameBlockedError: ("name_blocked", {}),
    NoThoughtError: ("no_thought", {"Retry-After": "1"}),
    StoreDownError: ("store_down", {"Retry-After": "2"}),
}
"""The code and headers of exceptions that carry no data."""


def _stale(error: VersionMismatchError) -> ProblemAndHeaders:
    return make_problem("stale", version=error.version), {"ETag": f'"{error.version}"'}


def _too_soon(error: TooSoonError) -> ProblemAndHeaders:
    detail = "a seat may say one thing, and the next one a moment later"
    return make_problem("too_many_requests", detail), {"Retry-After": str(ceil(error.milliseconds / 1000))}


def _no_room(error: NoRoomError) -> ProblemAndHeaders:
    detail = f"a client's tables may hold {error.megabytes} MB; the first of them is gone in {error.seconds} seconds"
    return make_problem("too_many_requests", detail), {"Retry-After": str(error.seconds)}


_BY_DATA: tuple[tuple[type[Exception], Callable[..., ProblemAndHeaders]], ...] = (
    (ProblemError, lambda error: (make_problem(error.code, error.detail, field=error.field), error.headers)),
    (ImpossibleError, lambda error: (make_problem("impossible", error.detail, field=error.field), {})),
    (ValidationError, lambda error: (make_problem("malformed", error.detail, field=error.field), {})),
    (VersionMismatchError, _stale),
    (TooSoonError, _too_soon),
    (NoRoomError, _no_room),
    (NewerReleaseError, lambda error: (make_problem(error.code, facts=error.facts), RETRY_ELSEWHERE)),
    (TableError, lambda error: (make_problem(error.code, facts=error.facts), {})),
    (MoveRefusedError, lambda error: (make_problem(error.refusal.code, facts=error.refusal.facts), {})),
    (web.RequestPayloadError, lambda _: (make_problem("malformed", UNREADABLE), {"Connection": "close"})),
    (web.HTTPRequestEntityTooLarge, lambda _: (make_problem("too_large", TOO_LARGE), {"Connection": "close"})),
)
"""What makes a problem of the other exceptions; the first class that fits counts."""


def problem_of(error: Exception) -> ProblemAndHeaders | None:
    """Return the problem for an exception, None for an error of the engine itself."""
    if type(error) in BY_CLASS:
        code, headers = BY_CLASS[type(error)]
        return make_problem(code), headers
    convert = next((convert for type_, convert in _BY_DATA if isinstance(error, type_)), None)
    return convert(error) if convert else None


def error_response(request: HttpRequest, error: Exception, sentence: str = "") -> Response:
    """Return the response for an exception of a handler; count its problem, and log errors of the engine.

    `sentence` is the problem's sentence for people, if the request asks for words.
    """
    try:
        found = problem_of(error)
        if found is not None:
            problem, headers = found
            response = _response(request, replace(problem, text=sentence) if sentence else problem, headers)
            if isinstance(error, MoveRefusedError):
                request.context.metrics.refused_move()
            else:
                request.context.metrics.problem(problem.code)
            return response
    except Exception as wrong:  # noqa: BLE001 - whatever it is, the request gets an answer, and that one is counted
        error = wrong
    log.error("internal_error", exc_info=error)
    request.context.metrics.problem("internal")
    return _response(request, make_problem("internal"), {})


def _response(request: HttpRequest, problem: Problem, headers: Mapping[str, str]) -> Response:
    return problem_response(problem, language(request), headers)
