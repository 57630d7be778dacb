"""What surrounds every request: its id, its limit, a problem where it fails, its count and its line in the log."""

import itertools
import re
import secrets
import time

import structlog
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from services.engine.http.failures import failed
from services.engine.http.keys import CLIENTS, CORS, HEADERS, LIMITS, METRICS
from shared.logs import request_id

log = structlog.stdlib.get_logger("engine.http")

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
PROCESS = secrets.token_hex(8)
FRESH_IDS = (f"{PROCESS}{number:016x}" for number in itertools.count())
"""One of the process, and a number: drawing each at random would cost a call of the system's."""
METHODS = hdrs.METH_ALL


def surrounded(app: web.Application, route: str, handler: Handler, *, limited: bool = True) -> Handler:
    """Return a handler with all that surrounds it. Its line in the log has no path: a table's id lets spectators in."""
    limits, clients, headers, metrics = app[LIMITS], app[CLIENTS], app[HEADERS], app[METRICS]
    streams = route.endswith("/events")

    async def serve(request: web.Request) -> web.StreamResponse:
        given = request.headers.get("X-Request-ID")
        # Nobody takes it back: each request is served by a task of its own.
        request_id.set(given if given and GIVEN_ID.fullmatch(given) else next(FRESH_IDS))
        began = time.perf_counter()
        status = 499  # a client that went away, as in nginx
        try:
            if limited:
                limits.request(clients.of(request))
            answer = await handler(request)
            status = answer.status
        except ConnectionError:  # nobody is there to be told
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told as a problem
            answer = failed(request, error)
            status = answer.status
        finally:
            seconds = time.perf_counter() - began
            method = request.method if request.method in METHODS else "OTHER"
            metrics.request(method, route, status, None if streams else seconds)
            log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1))
        if not answer.prepared:
            headers.set_on(request, answer)
        return answer

    return serve


class Front:
    """Between the server and the application: what leads nowhere in there is surrounded as every call is."""

    def __init__(self, app: web.Application, handle: Handler) -> None:
        self._handle = handle
        self._cors = app[CORS]
        self._nowhere = surrounded(app, "unmatched", self._refuse)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        try:
            return await self._handle(request)
        except web.HTTPException:  # what calls raise is told before it comes here
            return await self._nowhere(request)

    async def _refuse(self, request: web.Request) -> web.StreamResponse:
        allowed = self._cors.preflight(request)
        if allowed is None:
            raise request.match_info.http_exception or web.HTTPNotFound
        return allowed
