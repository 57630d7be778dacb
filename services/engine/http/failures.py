"""Exceptions become problems here, and nowhere else."""

from collections.abc import Callable
from typing import TypeAlias

import structlog
from aiohttp import web

from services.engine.errors import (
    BusyError,
    NoSuchDealError,
    NoSuchTableError,
    NoTokenError,
    NotYourSeatError,
    StaleError,
    WrongTokenError,
)
from services.engine.faults import FaultError, ImpossibleError
from services.engine.http.answers import Answer
from services.engine.http.negotiation import language
from services.engine.http.problems import KINDS, ProblemError, answer, problem
from services.engine.http.request import BODY_LIMIT, Request
from services.engine.idempotency import KeyReusedError
from services.engine.store.errors import StoreDownError
from services.engine.table.state import IllegalMoveError, TableError
from shared.messages import Problem

log = structlog.stdlib.get_logger("engine.http")

Told: TypeAlias = tuple[Problem, dict[str, str]]
"""A problem and the headers that come with it."""

TOO_LARGE = f"a body holds at most {BODY_LIMIT} bytes"
CHALLENGE = 'Bearer realm="seat"'

PLAIN: dict[type[Exception], tuple[str, dict[str, str]]] = {
    NoSuchTableError: ("no_such_table", {}),
    NoSuchDealError: ("no_such_deal", {}),
    NoTokenError: ("no_token", {"WWW-Authenticate": CHALLENGE}),
    WrongTokenError: ("wrong_token", {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}),
    NotYourSeatError: ("not_your_seat", {}),
    KeyReusedError: ("key_reused", {}),
    BusyError: ("busy", {"Retry-After": "1"}),
    StoreDownError: ("store_down", {"Retry-After": "2"}),
}
"""The exceptions that say it all by their class."""


def _stale(error: StaleError) -> Told:
    return problem("stale", version=error.version), {"ETag": f'"{error.version}"'}


_TELLERS: tuple[tuple[type[Exception], Callable[..., Told]], ...] = (
    (ProblemError, lambda error: (problem(error.code, error.detail, field=error.field), error.headers)),
    (ImpossibleError, lambda error: (problem("impossible", error.detail, field=error.field), {})),
    (FaultError, lambda error: (problem("malformed", error.detail, field=error.field), {})),
    (StaleError, _stale),
    (TableError, lambda error: (problem(error.code, facts=error.facts), {})),
    (IllegalMoveError, lambda error: (problem(error.refusal.code, facts=error.refusal.facts), {})),
    (web.RequestPayloadError, lambda _: (problem("malformed", "the body could not be read"), {"Connection": "close"})),
    (web.HTTPRequestEntityTooLarge, lambda _: (problem("too_large", TOO_LARGE), {"Connection": "close"})),
)


def told(error: Exception) -> Told | None:
    """Return the problem that an exception stands for, none where it is a fault of the house."""
    if type(error) in PLAIN:
        code, headers = PLAIN[type(error)]
        return problem(code), headers
    teller = next((teller for kind, teller in _TELLERS if isinstance(error, kind)), None)
    return teller(error) if teller else None


def failed(request: Request, error: Exception) -> Answer:
    """Return the answer to a request whose handler raised, and count it."""
    known = told(error)
    if known is None:
        log.error("internal_error", exc_info=error)
        known = problem("internal"), {}
    told_, headers = known
    request.house.metrics.problem(told_.code if told_.code in KINDS else "illegal")
    return answer(told_, language(request), headers)
