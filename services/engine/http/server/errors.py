"""Maps exceptions of handlers to problem responses."""

from collections.abc import Mapping
from typing import TypeAlias

import structlog
from aiohttp import web
from msgspec.structs import replace

from locanda.messages import Problem
from services.common.negotiation import language
from services.engine.errors import ProblemError
from services.engine.http.problems.responses import HttpProblemError, make_problem, problem_response
from services.engine.http.server.context import BODY_LIMIT, HttpRequest
from services.engine.http.server.responses import Response
from services.engine.table.state import MoveRefusedError

log = structlog.stdlib.get_logger("engine.http")

ProblemAndHeaders: TypeAlias = tuple[Problem, dict[str, str]]

UNREADABLE = "the body could not be read"
TOO_LARGE = f"a body holds at most {BODY_LIMIT} bytes"
BEARER_CHALLENGE = 'Bearer realm="seat"'
INVALID_TOKEN = f'{BEARER_CHALLENGE}, error="invalid_token"'

HEADERS = {
    "no_token": {"WWW-Authenticate": BEARER_CHALLENGE},
    "wrong_token": {"WWW-Authenticate": INVALID_TOKEN},
    "newer_release": {"Retry-After": "2"},  # another replica may be able to serve the table
    "store_down": {"Retry-After": "2"},
    "busy": {"Retry-After": "1"},
    "no_thought": {"Retry-After": "1"},
}
"""Headers that problems always have, by code."""


def problem_of(error: Exception) -> ProblemAndHeaders | None:
    """Return the problem for an exception, or None for an internal error."""
    match error:
        case ProblemError():
            problem = make_problem(
                error.code, error.detail, field=error.field, facts=error.facts, version=error.version
            )
            return problem, _headers_of(error)
        case web.RequestPayloadError():
            return make_problem("malformed", UNREADABLE), {"Connection": "close"}
        case web.HTTPRequestEntityTooLarge():
            return make_problem("too_large", TOO_LARGE), {"Connection": "close"}
    return None


def _headers_of(error: ProblemError) -> dict[str, str]:
    if isinstance(error, HttpProblemError):
        return error.headers
    headers = dict(HEADERS.get(error.code, {}))
    if error.version is not None:
        headers["ETag"] = f'"{error.version}"'
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    return headers


def error_response(request: HttpRequest, error: Exception, sentence: str = "") -> Response:
    """Return the response for a handler's exception. Counts the problem, and logs internal errors."""
    try:
        known_problem = problem_of(error)
        if known_problem is not None:
            problem, headers = known_problem
            response = _response(request, replace(problem, text=sentence) if sentence else problem, headers)
            if isinstance(error, MoveRefusedError):
                request.context.metrics.refused_move()
            else:
                request.context.metrics.problem(problem.code)
            return response
    except Exception as wrong:  # noqa: BLE001 - the request always gets an answer, which is counted
        error = wrong
    log.error("internal_error", exc_info=error)
    request.context.metrics.problem("internal")
    return _response(request, make_problem("internal"), {})


def _response(request: HttpRequest, problem: Problem, headers: Mapping[str, str]) -> Response:
    return problem_response(problem, language(request), headers)
