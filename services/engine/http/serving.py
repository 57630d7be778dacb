"""The server under the application: what aiohttp itself refuses is told as everything else is."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, cast

from aiohttp import web

from services.engine.http.access import Front
from services.engine.http.headers import SAFE_HEADERS
from services.engine.http.problems import problem, response

_Serve: TypeAlias = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

CAREFUL = SAFE_HEADERS | {"Cache-Control": "no-store"}


class _Connection(web.RequestHandler):
    """A client's connection."""

    __slots__ = ()

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
        answer = response(told, headers=CAREFUL)
        answer.force_close()
        return answer


class _Server(web.Server):
    """What accepts connections."""

    def __call__(self) -> web.RequestHandler:
        """Return what serves a new connection. It unpacks no bodies: a small one could make work for a second."""
        return _Connection(self, loop=self._loop, auto_decompress=False, **self._kwargs)


class Runner(web.AppRunner):
    """Runs the application on connections of our own."""

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        front = Front(self.app, made.request_handler)
        serve = cast("_Serve", front.serve)  # its requests are what the application's own factory makes
        return _Server(serve, request_factory=made.request_factory, **self._kwargs)
