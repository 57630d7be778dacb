"""What surrounds every request: its id, its line in the log, its count, and the headers that keep browsers careful."""

import itertools
import re
import secrets
import time

import structlog
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from services.engine.http.keys import CLIENTS, LIMITS, METRICS, REQUEST_ID
from services.engine.http.route import UNLIMITED
from shared.logs import request_id

log = structlog.stdlib.get_logger("engine.http")

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
PROCESS = secrets.token_hex(8)
FRESH_IDS = (f"{PROCESS}{number:016x}" for number in itertools.count())
"""One of the process, and a number: drawing each at random would cost a call of the system's."""
METHODS = hdrs.METH_ALL
POLICY = "Content-Security-Policy"
NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'"
SAFE_HEADERS = {
    "Server": "locanda",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    POLICY: NOTHING_MAY_LOAD,
}
TABLES_HEADERS = SAFE_HEADERS | {"Cache-Control": "no-store", "Vary": "Authorization, Accept"}


@web.middleware
async def accessed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give the request an id, count it, and log one line without its path: a table's id lets spectators in."""
    given = request.headers.get("X-Request-ID", "")
    request[REQUEST_ID] = name = given if GIVEN_ID.fullmatch(given) else next(FRESH_IDS)
    before = request_id.set(name)
    began = time.perf_counter()
    status = 499
    try:
        answer = await handler(request)
        status = answer.status
    finally:
        _tell(request, status, time.perf_counter() - began)
        request_id.reset(before)
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
    """Set on every answer what browsers and caches should know; a page's own policy stays."""
    given = response.headers
    policy, varied = given.get(POLICY), given.get(hdrs.VARY)
    tables = request.path.startswith("/v1/tables")
    given.update(TABLES_HEADERS if tables else SAFE_HEADERS)
    given["X-Request-ID"] = request.get(REQUEST_ID, "")
    if policy:
        given[POLICY] = policy
    if varied and tables:
        given[hdrs.VARY] = f"{TABLES_HEADERS[hdrs.VARY]}, {varied}"
