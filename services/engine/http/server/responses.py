"""Builds and writes complete responses: common headers, CORS, JSON, and HTML pages.

HTML pages use the style in `html.css`, have no scripts, and load nothing from other hosts.
"""

import asyncio
import base64
import hashlib
import re
import time
import zlib
from collections.abc import Iterable, Mapping
from email.utils import formatdate
from functools import lru_cache
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Literal

import msgspec
from aiohttp import HttpVersion11, hdrs, web
from aiohttp.abc import AbstractStreamWriter
from msgspec import Struct, field

from locanda.messages import Language
from services.common.logs import request_id
from services.engine.http.server.unread import UNREAD
from services.engine.service.accounts import Group
from services.engine.service.idempotency import TableReply

# --- headers

POLICY = "Content-Security-Policy"
NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'"
SAFE_HEADERS = {
    "Server": "locanda",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    POLICY: NOTHING_MAY_LOAD,
}
TABLES_HEADERS = SAFE_HEADERS | {"Cache-Control": "no-store", "Vary": "Authorization, Accept"}

ANY_ORIGIN = "*"
EXPOSED = ", ".join(
    (
        "ETag",
        "Idempotency-Replayed",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "WWW-Authenticate",
        "X-Request-ID",
    )
)
PREFLIGHT: Mapping[str, str] = {
    hdrs.ACCESS_CONTROL_ALLOW_METHODS: "GET, HEAD, POST, PUT, PATCH, DELETE",
    hdrs.ACCESS_CONTROL_ALLOW_HEADERS: ", ".join(
        (
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
            "Seat-Tokens",
            "X-API-Key",
            "X-Request-ID",
        )
    ),
    hdrs.ACCESS_CONTROL_MAX_AGE: "7200",
}


class Cors:
    """The origins whose pages may use the API from a browser (CORS in the Fetch standard); none by default.

    The package aiohttp-cors is not used: it needs every route registered, and adds headers only to responses of
    handlers. Credentials are never allowed, since the API has no cookies.
    """

    def __init__(self, origins: Iterable[str]) -> None:
        self._origins = frozenset(origins)

    @property
    def enabled(self) -> bool:
        """Whether any origin is allowed."""
        return bool(self._origins)

    def preflight(self, request: web.BaseRequest) -> Mapping[str, str] | None:
        """Return the headers that allow a preflight request; None for other requests and other origins."""
        asks = request.method == hdrs.METH_OPTIONS and hdrs.ACCESS_CONTROL_REQUEST_METHOD in request.headers
        return PREFLIGHT if asks and self._allowed(request) else None

    def headers(self, request: web.BaseRequest) -> dict[str, str]:
        """Return the CORS headers of a response; empty if no origin is allowed."""
        headers: dict[str, str] = {}
        allowed = self._allowed(request)
        if allowed:
            headers[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = allowed
            headers[hdrs.ACCESS_CONTROL_EXPOSE_HEADERS] = EXPOSED
        if self._origins and ANY_ORIGIN not in self._origins:
            headers[hdrs.VARY] = "Origin"
        return headers

    def _allowed(self, request: web.BaseRequest) -> str | None:
        """Return the value of `Access-Control-Allow-Origin`, or None if the origin may not read the response."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None or ANY_ORIGIN in self._origins:
            return origin and ANY_ORIGIN
        return origin if origin in self._origins else None


class ResponseHeaders:
    """Headers that all responses of a group of calls have."""

    def __init__(self, always: Mapping[str, str], cors: Cors) -> None:
        self._always = always
        self._names = frozenset(always)
        self._lines = _lines(always)
        self._cors = cors
        self._plain = not cors.enabled

    def of(self, request: web.BaseRequest, own: Mapping[str, str]) -> dict[str, str]:
        """Return all headers of a response. Its own override the common ones, except that `Vary` is joined."""
        cors = self._cors.headers(request)
        all_headers = {**self._always, **own, **cors}
        varied = [headers[hdrs.VARY] for headers in (self._always, own, cors) if hdrs.VARY in headers]
        if varied:
            all_headers[hdrs.VARY] = ", ".join(varied)
        identifier = request_id.get()
        if identifier is not None:  # a malformed HTTP request has no id
            all_headers["X-Request-ID"] = identifier
        return all_headers

    def lines(self, request: web.BaseRequest, own: Mapping[str, str]) -> str:
        """Return the headers of `of` as header lines of HTTP/1.1."""
        if self._plain and self._names.isdisjoint(own):
            return f"{self._lines}{_lines(own)}X-Request-ID: {request_id.get()}\r\n"
        return _lines(self.of(request, own))


def _lines(headers: Mapping[str, str]) -> str:
    return "".join([f"{name}: {value}\r\n" for name, value in headers.items()])


# --- responses

JSON = "application/json"
JSON_HEADERS: Mapping[str, str] = {"Content-Type": JSON}
REASONS = {status.value: status.phrase for status in HTTPStatus}
GZIP = 16 + zlib.MAX_WBITS
"""Argument of zlib: gzip format with the largest window."""
WITHOUT_BODY = (204, 304)
"""Statuses of responses without a body."""

_encoder = msgspec.json.Encoder()


class Response(Struct, frozen=True):
    """A complete response. Streams use aiohttp's class instead."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers in addition to those that all responses have (`ResponseHeaders`)."""


def json_response(message: Struct, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with a message as JSON."""
    return Response(_encoder.encode(message), status, {**JSON_HEADERS, **headers} if headers else JSON_HEADERS)


def table_response(
    reply: TableReply, status: Literal[200, 201] = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response with a table, and its version as `ETag`."""
    own = {"Content-Type": JSON, "ETag": f'"{table_tag(reply, headers or {})}"'}
    if headers:
        own.update(headers)
    return Response(reply.body, status, own)


def table_tag(reply: TableReply, headers: Mapping[str, str]) -> str:
    """Return a table's entity tag without quotes: the version and, if the response has sentences, their language."""
    spoken = headers.get(hdrs.CONTENT_LANGUAGE)
    return f"{reply.version}-{spoken}" if spoken else str(reply.version)


def not_modified(tag: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a 304 response."""
    return Response(status=304, headers={**(headers or {}), "ETag": f'"{tag}"'})


# --- writing


class _WholeResponse(web.StreamResponse):
    """Sends a response in one write. aiohttp's own class takes fourteen steps more."""

    def __init__(
        self, octets: bytes, writer: AbstractStreamWriter, transport: asyncio.Transport | None, client: Group
    ) -> None:
        super().__init__()
        self._octets = octets
        self._size = len(octets)
        self._client = client
        self._writer = writer
        self._transport = transport

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:  # noqa: ARG002 - the writer is its own
        """Send the response, then release its bytes, since aiohttp keeps this object while the connection is idle."""
        octets, self._octets = self._octets, b""
        await self._writer.write(octets, drain=False)  # type: ignore[call-arg]  # aiohttp's StreamWriter has this argument
        return self._writer

    async def write_eof(self, data: bytes = b"") -> None:  # noqa: ARG002 - everything has been sent
        """Wait while the client has unread bytes, so that pipelined requests cannot fill the memory."""
        if self._transport and self._transport.get_write_buffer_size():
            async with UNREAD.reading(self._client, self._transport, self._size):
                await self._writer.drain()

    @property
    def keep_alive(self) -> bool:
        """Whether the connection stays open for another request."""
        return True


def write_response(
    request: web.BaseRequest, response: Response, headers: ResponseHeaders, client: Group
) -> web.StreamResponse:
    """Return the aiohttp response that sends a response, in a single write if possible.

    HEAD, HTTP/1.0 and the last response of a connection use aiohttp's own class.
    """
    if (
        request.version != HttpVersion11
        or request.method == hdrs.METH_HEAD
        or response.status in WITHOUT_BODY
        or hdrs.CONNECTION in response.headers
        or not request.keep_alive
    ):
        return _aiohttp_response(response, headers.of(request, response.headers), client)
    head = (
        f"HTTP/1.1 {response.status} {REASONS[response.status]}\r\n{headers.lines(request, response.headers)}"
        f"Content-Length: {len(response.body)}\r\nDate: {_date(int(time.time()))}\r\n\r\n"
    )
    return _WholeResponse(head.encode() + response.body, request.writer, request.transport, client)


class _PlainResponse(web.Response):
    """aiohttp's own response, with a timeout for a client that stops reading."""

    client: Group

    async def write_eof(self, data: bytes = b"") -> None:
        """Send the body, and wait until the client has read it."""
        request, body = self._req, self.body
        size = len(body) if isinstance(body, bytes) else 0
        if request is None or request.transport is None or not size:
            return await super().write_eof(data)
        async with UNREAD.reading(self.client, request.transport, size):
            return await super().write_eof(data)


def _aiohttp_response(response: Response, headers: dict[str, str], client: Group) -> web.Response:
    sent = _PlainResponse(body=response.body or None, status=response.status, headers=headers)
    sent.client = client
    if headers.get(hdrs.CONNECTION) == "close":  # without `force_close`, aiohttp would keep the connection open
        sent.force_close()
    return sent


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


# --- pages of HTML

STYLE = (Path(__file__).parent / "html.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HTML_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of an HTML page, which may use only the style inside the page."""


def html_document(title: str, language: Language, nav: str, main: str) -> str:
    """Return an HTML page; `nav` and `main` are HTML."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<nav>{nav}</nav><main>{main}</main></body></html>"
    )


def html_response(page: bytes, own: Mapping[str, str]) -> Response:
    """Return a response with an HTML page."""
    always = {"Content-Type": "text/html; charset=utf-8", POLICY: HTML_POLICY}
    return Response(page, headers=always | dict(own))


def paragraphs(text: str) -> str:
    """Return a text as HTML paragraphs. An empty line separates paragraphs."""
    return "".join(f"<p>{inline(part)}</p>" for part in text.split("\n\n") if part)


def inline(text: str) -> str:
    """Return a line of text as HTML. Backquotes mark code, double asterisks bold text."""
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))
