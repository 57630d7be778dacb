"""Sends a stream of server-sent events to a listener who may be slow, leave, or stop reading."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from services.engine.http.server.context import AppContext, HttpRequest
from services.engine.http.server.unread import SLOWEST_CLIENT

STORE_PAUSE = 2.0
"""Seconds between two attempts while the store is down."""
KEEP_ALIVE = b": keep-alive\n\n"
HELLO = b"retry: 1000\n\n"
STREAM_HEADERS = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


class SentStream:
    """A stream that is being sent."""

    def __init__(self, request: HttpRequest, response: web.StreamResponse) -> None:
        self.request = request
        self._response = response

    async def write(self, octets: bytes) -> None:
        """Send a part of the stream. Raises `ConnectionError` if the listener has left or takes nothing."""
        transport = self.request.transport
        if transport is None or transport.get_write_buffer_size():
            await _taken(self._response.write(octets))
        else:  # the client has read everything so far: no timer is needed
            await self._response.write(octets)


async def send_stream(
    context: AppContext,
    request: HttpRequest,
    send: Callable[[SentStream], Awaitable[None]],
    headers: Mapping[str, str] | None = None,
) -> web.StreamResponse:
    """Answer with a stream, which `send` sends; it counts against the streams of its client.

    It ends when `send` returns, the engine shuts down, the listener has left, or its client is at its limit and opens
    another stream.
    """
    with context.tracker.stream(request.client) as limits:
        sent = context.table_headers.of(request, {**STREAM_HEADERS, **limits, **(headers or {})})
        response = web.StreamResponse(headers=sent)
        try:
            await response.prepare(request)
            stream = SentStream(request, response)
            await stream.write(HELLO)
            with context.tracker.held():
                await send(stream)
            await _taken(response.write_eof())
        except asyncio.CancelledError:
            if not request.client_gone:
                raise
        except ConnectionError:
            if request.transport is not None:  # unread bytes are dropped: they would keep the connection open
                request.transport.abort()
        return response


async def _taken(writing: Awaitable[None]) -> None:
    """Wait until the listener has taken the written data. Raises `ConnectionError` if it left or stopped reading."""
    try:
        async with asyncio.timeout(SLOWEST_CLIENT):
            await writing
    except TimeoutError:
        raise ConnectionResetError("the listener takes nothing") from None
