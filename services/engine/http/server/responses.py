"""Complete responses: how handlers' results become responses, and how a response is written to its connection."""

import asyncio
import time
from collections.abc import Mapping
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Literal

import msgspec
from aiohttp import HttpVersion11, hdrs, web
from aiohttp.abc import AbstractStreamWriter
from msgspec import Struct, field

from services.engine.http.server.headers import ResponseHeaders
from services.engine.service.idempotency import TableReply

JSON = "application/json"
JSON_HEADERS: Mapping[str, str] = {"Content-Type": JSON}
REASONS = {status.value: status.phrase for status in HTTPStatus}
SLOWEST_CLIENT = 30.0
"""Seconds after which a client that takes nothing is disconnected."""
WITHOUT_BODY = (204, 304)
"""The statuses of responses without a body."""

_encoder = msgspec.json.Encoder()


class Response(Struct, frozen=True):
    """A complete response; streams are aiohttp's own."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Its own headers, besides those that all responses carry (`ResponseHeaders`)."""


def json_response(message: Struct, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with a message."""
    return Response(_encoder.encode(message), status, {**JSON_HEADERS, **headers} if headers else JSON_HEADERS)


def table_response(
    reply: TableReply, status: Literal[200, 201] = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response that shows a table, with its version as the entity tag."""
    own = {"Content-Type": JSON, "ETag": f'"{reply.version}"'}
    if headers:
        own.update(headers)
    return Response(reply.body, status, own)


def not_modified(version: int) -> Response:
    """Return a response to a viewer who already knows this version of the table."""
    return Response(status=304, headers={"ETag": f'"{version}"'})


# --- writing


class _WholeResponse(web.StreamResponse):
    """A response that is sent in one write. aiohttp takes fourteen steps more for its own."""

    def __init__(self, octets: bytes, writer: AbstractStreamWriter, transport: asyncio.Transport | None) -> None:
        super().__init__()
        self._octets = octets
        self._writer = writer
        self._transport = transport

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:  # noqa: ARG002 - the writer is its own
        """Send it."""
        await self._writer.write(self._octets)
        return self._writer

    async def write_eof(self, data: bytes = b"") -> None:  # noqa: ARG002 - all is sent
        """Wait while the client has too many bytes to read, so that pipelined requests cannot fill the memory.

        Raises `ConnectionResetError` where it takes none of them for `SLOWEST_CLIENT` seconds.
        """
        if self._transport is None or not self._transport.get_write_buffer_size():
            return
        try:
            async with asyncio.timeout(SLOWEST_CLIENT):
                await self._writer.drain()
        except TimeoutError:
            self._transport.abort()
            raise ConnectionResetError("the client takes nothing") from None

    @property
    def keep_alive(self) -> bool:
        """Whether the connection stays open for another request."""
        return True


def write_response(request: web.BaseRequest, response: Response, headers: ResponseHeaders) -> web.StreamResponse:
    """Return the aiohttp response that writes a response; aiohttp's own writes HEAD, HTTP/1.0 and last responses."""
    if (
        request.version != HttpVersion11
        or request.method == hdrs.METH_HEAD
        or response.status in WITHOUT_BODY
        or hdrs.CONNECTION in response.headers
        or not request.keep_alive
    ):
        return _aiohttp_response(response, headers.of(request, response.headers))
    head = (
        f"HTTP/1.1 {response.status} {REASONS[response.status]}\r\n{headers.lines(request, response.headers)}"
        f"Content-Length: {len(response.body)}\r\nDate: {_date(int(time.time()))}\r\n\r\n"
    )
    return _WholeResponse(head.encode() + response.body, request.writer, request.transport)


def _aiohttp_response(response: Response, headers: dict[str, str]) -> web.Response:
    found = web.Response(body=response.body or None, status=response.status, headers=headers)
    if headers.get(hdrs.CONNECTION) == "close":  # aiohttp would send the header and keep the connection
        found.force_close()
    return found


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)
