"""The server: connections, requests, and what aiohttp itself refuses, told as everything else is."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

from aiohttp import StreamReader, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import RawRequestMessage

from services.engine.http.access import Front
from services.engine.http.headers import Headers
from services.engine.http.house import House
from services.engine.http.problems import answer, problem
from services.engine.http.request import BODY_LIMIT, Request
from services.engine.http.routes import calls
from services.engine.http.sending import response

log = logging.getLogger("aiohttp.server")

KEEP_ALIVE = 75.0
"""Seconds that a connection may rest between two requests."""
GRACE = 5.0
"""Seconds that requests in flight, and what is held open, get at the end."""

_Serve: TypeAlias = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class _Connection(web.RequestHandler):
    """A client's connection."""

    __slots__ = ("_headers",)

    def __init__(self, server: web.Server, headers: Headers, **settings: Any) -> None:  # noqa: ANN401 - aiohttp's
        super().__init__(server, **settings)
        self._headers = headers

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no HTTP, and so reaches no handler, with a problem that repeats none of it."""
        super().handle_error(request, status, exc, message)
        told = problem("internal") if status >= 500 else problem("malformed", "the request is not well-formed HTTP")
        told_as = answer(told, headers={"Connection": "close"})
        return response(request, told_as, self._headers)


class _Server(web.Server):
    """What accepts connections, and makes requests of what comes on them."""

    def __init__(self, house: House) -> None:
        # It is given none but the requests that it makes.
        serve = cast("_Serve", Front(house, calls(house)).serve)
        super().__init__(
            serve, request_factory=self._request, access_log=None, keepalive_timeout=KEEP_ALIVE, logger=log
        )
        self._house = house

    def __call__(self) -> web.RequestHandler:
        """Return what serves a new connection. It unpacks no bodies: a small one could make work for a second."""
        headers = self._house.elsewhere
        return _Connection(self, headers, loop=self._loop, auto_decompress=False, **self._kwargs)

    def _request(
        self,
        message: RawRequestMessage,
        payload: StreamReader,
        protocol: web.RequestHandler,
        writer: AbstractStreamWriter,
        task: "asyncio.Task[None]",
    ) -> Request:
        request = Request(message, payload, protocol, writer, task, self._loop, client_max_size=BODY_LIMIT)
        request.house = self._house
        return request


class Runner(web.ServerRunner):
    """Runs a server until it is cleaned up: then streams are asked to end, and requests in flight are finished."""

    def __init__(self, house: House) -> None:
        super().__init__(_Server(house), shutdown_timeout=GRACE)
        self._house = house
        log.addFilter(_quietly)

    async def shutdown(self) -> None:
        """Ask what is held open to end."""
        await self._house.doors.close(GRACE)


def _quietly(record: logging.LogRecord) -> bool:
    """Log what is no HTTP at all as one line at a low level, and none of its words: they may hold a token."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError | web.RequestPayloadError):
        record.exc_info = None
        record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        return logging.getLogger().isEnabledFor(logging.DEBUG)
    return True
