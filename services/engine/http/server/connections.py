"""The HTTP server: connections, requests, and graceful shutdown."""

import asyncio
import logging
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias, cast

from aiohttp import StreamReader, hdrs, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import RawRequestMessage

from services.common.timed_connections import TimedConnection
from services.engine.http.problems.responses import make_problem, problem_response
from services.engine.http.server.client_connections import ClientConnections
from services.engine.http.server.context import BODY_LIMIT, AppContext, HttpRequest
from services.engine.http.server.dispatcher import Dispatcher, PathTree, ServeRequest
from services.engine.http.server.responses import write_response
from services.engine.http.server.unread import SEND_BUFFER

log = logging.getLogger("aiohttp.server")

KEEP_ALIVE = 75.0
"""Seconds that a connection may be idle between two requests."""
LINGERING = 5.0
"""Seconds for which the rest of a refused body is read, so that the client can read the response."""
KEEP_ALIVE_OPTIONS = [
    (getattr(socket, name), value)
    for name, value in (
        ("TCP_KEEPIDLE", 10),
        ("TCP_KEEPINTVL", 5),
        ("TCP_KEEPCNT", 2),
        ("TCP_USER_TIMEOUT", 20_000),
    )
    if hasattr(socket, name)
]
"""TCP options that detect a vanished client within 20 seconds. The last value is in milliseconds."""
GRACE = 5.0
"""Seconds that requests, streams and long polls in progress get at shutdown."""

DRAIN = 3.0
"""Seconds for which connections from proxies are still served at shutdown. The time is longer than `keepalive` in
deploy/Caddyfile, so that Caddy has closed its idle connections by then.
"""
LOOK_AGAIN_AFTER = 0.05
"""Seconds between two checks for open connections."""

NOT_HTTP = "the request is not well-formed HTTP"

_Serve: TypeAlias = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class _Connection(TimedConnection):
    """A client's connection. Its processing time is charged to the client's account."""

    __slots__ = ("_address", "_clients", "_context", "_reading")

    def __init__(
        self,
        server: web.Server,
        context: AppContext,
        clients: ClientConnections,
        **settings: Any,  # noqa: ANN401 - aiohttp's
    ) -> None:
        super().__init__(server, context.request_seconds, **settings)
        self._context = context
        self._clients = clients
        self._address = ""
        self._reading = 0.0
        """Seconds spent on received bytes that are not charged yet."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Set TCP keepalive options, and a small send buffer."""
        super().connection_made(transport)
        opened = transport.get_extra_info("socket")
        if opened is not None:
            with suppress(OSError):
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            for option, value in KEEP_ALIVE_OPTIONS:
                with suppress(OSError):  # fails on a Unix socket, and on a socket that is already closed
                    opened.setsockopt(socket.IPPROTO_TCP, option, value)
        self._address = self._context.clients.peer(transport.get_extra_info("peername"))
        self._clients.add(self._address, self)

    # from Python 3.12 on, aiohttp starts its tasks at once, so its own loop is fast enough
    @property
    def idle(self) -> bool:
        """Whether no request is in progress."""
        return self._current_request is None

    def data_received(self, data: bytes) -> None:
        """Process received bytes, and measure the time."""
        began = time.perf_counter()
        super().data_received(data)
        self._reading += time.perf_counter() - began

    async def _handle_request(
        self,
        request: web.BaseRequest,
        start_time: float | None,
        request_handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
    ) -> tuple[web.StreamResponse, bool]:
        """Answer a request, and charge the time for handling the request and sending the response to its client."""
        accounts = self._context.admission.accounts
        account = cast("HttpRequest", request).account
        spent, self._reading = self._reading, 0.0
        return await accounts.charged(account, super()._handle_request(request, start_time, request_handler), spent)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Cancel a read, such as a stream, whose client has disconnected. Writes are completed."""
        self._clients.remove(self._address, self)
        request, task = self._current_request, self._task_handler
        super().connection_lost(exc)
        if request is not None and request.method == hdrs.METH_GET and task is not None:
            task.cancel()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Answer malformed HTTP, which reaches no handler, with a problem that quotes no part of the request."""
        super().handle_error(request, status, exc, message)
        problem = make_problem("internal") if status >= 500 else make_problem("malformed", NOT_HTTP)
        if status < 500:  # the middleware has not counted this problem
            self._context.metrics.problem(problem.code)
        response = problem_response(problem, headers={"Connection": "close"})
        client = cast("HttpRequest", request).account
        return write_response(request, response, self._context.default_headers, client)


class _Server(web.Server):
    """Creates a protocol for each connection, and an `HttpRequest` for each request."""

    def __init__(self, context: AppContext, paths: PathTree[ServeRequest]) -> None:
        # aiohttp's type is wider, but the server only gets requests from its own factory.
        serve = cast("_Serve", Dispatcher(context, paths).serve)
        super().__init__(
            serve,
            request_factory=self._request,
            access_log=None,
            keepalive_timeout=KEEP_ALIVE,
            lingering_time=LINGERING,
            logger=log,
        )
        self._context = context
        self._clients = ClientConnections(context.tracker.streams_per_client)

    def __call__(self) -> web.RequestHandler:
        """Return the protocol of a new connection. It does not decompress bodies: a small one could take a second."""
        return _Connection(self, self._context, self._clients, loop=self._loop, auto_decompress=False, **self._kwargs)

    def _request(
        self,
        message: RawRequestMessage,
        payload: StreamReader,
        protocol: web.RequestHandler,
        writer: AbstractStreamWriter,
        task: "asyncio.Task[None]",
    ) -> HttpRequest:
        request = HttpRequest(message, payload, protocol, writer, task, self._loop, client_max_size=BODY_LIMIT)
        request.context = self._context
        return request


class Runner(web.ServerRunner):
    """Runs the server. Cleanup cancels streams and long polls, and lets other requests finish."""

    def __init__(self, context: AppContext, paths: PathTree[ServeRequest]) -> None:
        super().__init__(_Server(context, paths), shutdown_timeout=GRACE)
        self._context = context
        log.addFilter(_hide_malformed_requests)

    async def rest(self) -> None:
        """Accept no new connections, and end streams and long polls. Open connections are served until `resume`."""
        for site in list(self.sites):
            await site.stop()
        await self.shutdown()

    def resume(self) -> None:
        """Allow streams again, before new sites are started."""
        self._context.tracker.closing = False

    async def drain(self) -> None:
        """Accept no new connections, and serve open ones until the clients close them.

        If the engine closed an idle connection just when a proxy sends a request, the proxy would answer with an error.
        So every response has `Connection: close`, and no connection is idle after `DRAIN`.
        """
        await self.rest()
        for _ in range(round(DRAIN / LOOK_AGAIN_AFTER)):
            if self.server is None or not self.server.connections:
                return
            await asyncio.sleep(LOOK_AGAIN_AFTER)

    async def shutdown(self) -> None:
        """Cancel streams and long polls."""
        await self._context.tracker.close(GRACE)


def _hide_malformed_requests(record: logging.LogRecord) -> bool:
    """Log malformed HTTP and lost connections at level `debug`, without messages, which may contain a token."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError | web.RequestPayloadError | OSError):
        record.exc_info = None
        record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        return logging.getLogger().isEnabledFor(logging.DEBUG)
    return True
