"""What surrounds every request: its id, its limit, a problem where it fails, its count and its line in the log."""

import itertools
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import HttpVersion11, hdrs, web

from services.engine.http.answers import Answer
from services.engine.http.failures import failed
from services.engine.http.house import House
from services.engine.http.paths import Paths
from services.engine.http.problems import ProblemError
from services.engine.http.request import Request
from services.engine.http.route import Handler
from services.engine.http.sending import response
from shared.logs import request_id, served

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
PROCESS = secrets.token_hex(8)
FRESH_IDS = (f"{PROCESS}{number:016x}" for number in itertools.count())
"""One of the process, and a number: drawing each at random would cost a call of the system's."""
METHODS = hdrs.METH_ALL

Serve: TypeAlias = Callable[[Request], Awaitable[web.StreamResponse]]
"""Answers a request as aiohttp wants it."""


def surrounded(house: House, route: str, handler: Handler, *, limited: bool = True) -> Serve:
    """Return a handler with all that surrounds it. Its line in the log has no path: a table's id lets spectators in."""
    limits, clients = house.limits, house.clients
    headers = house.on_tables if route.startswith("/v1/tables") else house.elsewhere
    count = house.metrics.serving(route, timed=not route.endswith("/events"))

    async def serve(request: Request) -> web.StreamResponse:
        given = request.headers.get("X-Request-ID")
        # Nobody takes it back: each request is served by a task of its own.
        request_id.set(given if given and GIVEN_ID.fullmatch(given) else next(FRESH_IDS))
        began = time.perf_counter()
        answer: Answer | web.StreamResponse
        status = 499  # a client that went away, as in nginx
        try:
            if hdrs.EXPECT in request.headers:
                await _encourage(request)
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
            count(method, status, seconds)
            served("engine.http", method, route, status, seconds)
        return response(request, answer, headers) if isinstance(answer, Answer) else answer

    return serve


async def _encourage(request: Request) -> None:
    """Let a client go on that asks before it sends its body; pass over any other (RFC 9110, section 10.1.1)."""
    if request.version >= HttpVersion11 and request.headers[hdrs.EXPECT].lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


class Front:
    """Leads each request to its call."""

    def __init__(self, house: House, calls: Paths[Serve]) -> None:
        self._calls = calls
        self._cors = house.cors
        self._nowhere = surrounded(house, "unmatched", self._refuse)

    def serve(self, request: Request) -> Awaitable[web.StreamResponse]:
        """Answer a request."""
        calls, request.named = self._calls.find(request.rel_url.path_safe)
        return calls.get(request.method, self._nowhere)(request)

    async def _refuse(self, request: Request) -> Answer:
        allowed = self._cors.preflight(request)
        if allowed is not None:
            return allowed
        calls, _ = self._calls.find(request.rel_url.path_safe)
        if calls:
            raise ProblemError("method_not_allowed", headers={"Allow": ",".join(sorted(calls))})
        raise ProblemError("not_found")
