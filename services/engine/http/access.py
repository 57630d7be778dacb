"""What surrounds every request: its id, its line in the log, its count, and a problem where it fails."""

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


class Front:
    """Where requests come in and answers go out: between the server and the application, which need no middlewares."""

    def __init__(self, app: web.Application, handle: Handler) -> None:
        self._handle = handle
        self._limits, self._clients, self._metrics = app[LIMITS], app[CLIENTS], app[METRICS]
        self._cors, self._headers = app[CORS], app[HEADERS]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Give the request an id, count it, and log one line without its path: a table's id lets spectators in."""
        given = request.headers.get("X-Request-ID", "")
        # Nobody takes it back: each request is served by a task of its own.
        request_id.set(given if GIVEN_ID.fullmatch(given) else next(FRESH_IDS))
        began = time.perf_counter()
        status = 499
        try:
            answer = await self._answer(request)
            status = answer.status
        finally:
            self._tell(request, status, time.perf_counter() - began)
        if not answer.prepared:
            self._headers.set_on(request, answer)
        return answer

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        try:
            try:
                return await self._handle(request)
            except web.HTTPException:
                nowhere = request.match_info.http_exception
                if nowhere is None:
                    raise
                self._limits.request(self._clients.of(request))  # what leads nowhere counts too
                allowed = self._cors.preflight(request)
                if allowed is None:
                    raise nowhere from None
                return allowed
        except ConnectionError:  # the client has gone: nobody is there to be told
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told as a problem
            return failed(request, error)

    def _tell(self, request: web.Request, status: int, seconds: float) -> None:
        """Count and log; 499 stands for a client that went away, as in nginx."""
        resource = request.match_info.route.resource
        route = resource.canonical if resource else "unmatched"
        method = request.method if request.method in METHODS else "OTHER"
        streamed = route.endswith("/events")
        self._metrics.request(method, route, status, None if streamed else seconds)
        log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1))
