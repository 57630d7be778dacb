"""What surrounds every request: its id, its line in the log, its count, and the headers that keep browsers careful."""

import re
import time
from uuid import uuid4

import structlog
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from structlog.contextvars import bound_contextvars

from services.engine.http.keys import CLIENTS, LIMITS, METRICS, REQUEST_ID
from services.engine.http.route import UNLIMITED

log = structlog.stdlib.get_logger("engine.http")

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
METHODS = hdrs.METH_ALL
SAFE_HEADERS = {
    "Server": "locanda",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TABLES_VARY = "Authorization, Accept"
NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'"


@web.middleware
async def accessed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give the request an id, count it, and log one line without its path: a table's id lets spectators in."""
    given = request.headers.get("X-Request-ID", "")
    request[REQUEST_ID] = given if GIVEN_ID.fullmatch(given) else uuid4().hex
    began = time.perf_counter()
    with bound_contextvars(request_id=request[REQUEST_ID]):
        status = 499
        try:
            answer = await handler(request)
            status = answer.status
        finally:
            _tell(request, status, time.perf_counter() - began)
    return answer


def _tell(request: web.Request, status: int, seconds: float) -> None:
    """Count and log; 499 stands for a client that went away, as in nginx."""
    resource = request.match_info.route.resource
    route = resource.canonical if resource else "unmatched"
    method = request.method if request.method in METHODS else "OTHER"
    streamed = route.endswith("/events")
    request.app[METRICS].request(method, route, status, None if streamed else seconds)
    log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1))


@web.middleware
async def limited(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a client that asks too much at once."""
    if request.path not in UNLIMITED:
        request.app[LIMITS].request(request.app[CLIENTS].of(request))
    return await handler(request)


async def headers(request: web.Request, response: web.StreamResponse) -> None:
    """Set on every answer what browsers and caches should know."""
    response.headers.update(SAFE_HEADERS)
    response.headers.setdefault("Content-Security-Policy", NOTHING_MAY_LOAD)
    response.headers["X-Request-ID"] = request.get(REQUEST_ID, "")
    if request.path.startswith("/v1/tables"):
        response.headers["Cache-Control"] = "no-store"
        varied = response.headers.get("Vary")
        response.headers["Vary"] = f"{TABLES_VARY}, {varied}" if varied else TABLES_VARY
