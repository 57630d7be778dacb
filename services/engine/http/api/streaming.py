"""Sends server-sent events to a client that may be slow, disconnect, or stop reading."""

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
    """A stream of server-sent events to a client."""

    def __init__(self, request: HttpRequest, response: web.StreamResponse) -> None:
        self.request = request
        self._response = response

    async def write(self, octets: bytes) -> None:
        """Send bytes. Raises `ConnectionError` if the client has disconnected or stopped reading."""
        transport = self.request.transport
        if transport is None or transport.get_write_buffer_size():
            await _taken(self._response.write(octets))
        else:  # the client has read all bytes sent so far, so no timer is needed
            await self._response.write(octets)


async def send_stream(
    context: AppContext,
    request: HttpRequest,
    send: Callable[[SentStream], Awaitable[None]],
    headers: Mapping[str, str] | None = None,
) -> web.StreamResponse:
    """Answer with a stream that `send` writes. The stream counts towards the client's limit of streams.

    It ends when `send` returns, the engine shuts down, the client disconnects, or a client at its limit opens another
    stream.
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
            if request.transport is not None:  # `abort` drops unread bytes, which would keep the connection open
                request.transport.abort()
        return response


async def _taken(writing: Awaitable[None]) -> None:
    """Wait until the client has taken the data. Raises `ConnectionError` if it has disconnected or stopped reading."""
    try:
        async with asyncio.timeout(SLOWEST_CLIENT):
            await writing
    except TimeoutError:
        raise ConnectionResetError("the client does not read") from None
