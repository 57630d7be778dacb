"""HTTP connections with a time limit for the head of a request, which aiohttp lacks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web


class TimedConnection(web.RequestHandler):
    """A client's connection."""

    __slots__ = ("_head_seconds", "_head_timer")

    def __init__(self, server: web.Server, head_seconds: float, **settings: Any) -> None:  # noqa: ANN401 - aiohttp's
        super().__init__(server, **settings)
        self._head_seconds = head_seconds
        self._head_timer: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Process received bytes. Closes the connection if the head of a request takes too long."""
        super().data_received(data)
        incomplete = self._waiter is not None and not self._waiter.done()
        if incomplete and self._head_timer is None:
            self._head_timer = self._loop.call_later(self._head_seconds, self.force_close)
        elif not incomplete and self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT001, FBT002 - as aiohttp has it
        """Resume reading if it was paused. aiohttp's own method would parse and resume again after each body."""
        if self._reading_paused:
            super().resume_reading(resume_parser)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop the timer."""
        if self._head_timer is not None:
            self._head_timer.cancel()
        super().connection_lost(exc)


class TimedServer(web.Server):
    """Creates a `TimedConnection` for each new connection."""

    head_seconds: float

    def __call__(self) -> web.RequestHandler:
        """Return the protocol of a new connection."""
        return TimedConnection(self, self.head_seconds, loop=self._loop, **self._kwargs)


class TimedRunner(web.AppRunner):
    """Runs an application on connections with a time limit for the head of a request."""

    __slots__ = ("_head_seconds",)

    def __init__(self, application: web.Application, head_seconds: float, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(application, **settings)
        self._head_seconds = head_seconds

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        settings = made._kwargs  # noqa: SLF001 - aiohttp has no public option for this
        server = TimedServer(made.request_handler, request_factory=made.request_factory, **settings)
        server.head_seconds = self._head_seconds
        return server


@asynccontextmanager
async def serving(
    application: web.Application, host: str, port: int, head_seconds: float, *, finish_seconds: float | None = None
) -> AsyncIterator[None]:
    """Serve an application, without logging its requests. Raises `OSError` if the port is in use.

    When the context ends, requests in progress get `finish_seconds` to finish or, without it, aiohttp's default.
    """
    settings = {} if finish_seconds is None else {"shutdown_timeout": finish_seconds}
    runner = TimedRunner(application, head_seconds, access_log=None, **settings)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield
    finally:
        await runner.cleanup()
