"""The application context that handlers get, the request, and content negotiation (RFC 9110)."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web

from locanda.messages import Language
from services.common.negotiation import LONGEST_HEADER, header_range
from services.engine.errors import ProblemError
from services.engine.http.problems.responses import HttpProblemError
from services.engine.http.server.admission import Admission
from services.engine.http.server.connection_tracker import ConnectionTracker
from services.engine.http.server.limits import ApiKeys, ClientLimits, Clients
from services.engine.http.server.metrics import Metrics
from services.engine.http.server.responses import Cors, ResponseHeaders
from services.engine.outbound.requests import Outbound
from services.engine.service.accounts import Group
from services.engine.service.assembly import Service
from services.engine.service.evenings import EveningCalls
from services.engine.service.subscriptions import Subscriptions

BODY_LIMIT = 65_536
"""Maximum bytes of a request's body."""


class Documentation(Protocol):
    """The API's documentation: the OpenAPI document, and HTML pages generated from the routes."""

    async def prepare(self) -> None:
        """Generate the document and its page, without blocking the event loop."""
        ...

    @property
    def openapi(self) -> bytes:
        """The OpenAPI document as JSON."""
        ...

    @property
    def admin_openapi(self) -> bytes:
        """The operator's OpenAPI document as JSON."""
        ...

    def page(self, address: str = ...) -> bytes:
        """Return the page of the whole document, with commands for an engine at this address."""
        ...

    def problem_list(self, language: Language) -> str:
        """Return the page that lists every problem type."""
        ...

    def problem_page(self, code: str, language: Language) -> str:
        """Return the page of a problem type."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """Shared objects of a running engine, for its handlers."""

    service: Service
    clients: Clients
    cors: Cors
    tracker: ConnectionTracker
    api_keys: ApiKeys
    admin_key: bytes
    """SHA-256 of the operator's key; empty if there is none."""
    admission: Admission
    limits: ClientLimits
    subscriptions: Subscriptions
    evenings: EveningCalls
    outbound: Outbound
    """Sends requests to servers of other people."""
    public_url: str
    """The public address of this installation; empty if unknown."""
    request_seconds: float
    """Seconds that a client has to send the head of a request, and the same time again to send its body."""
    metrics: Metrics
    documentation: Documentation
    table_headers: ResponseHeaders
    """Headers of every response about a table."""
    default_headers: ResponseHeaders
    """Headers of all other responses."""


class HttpRequest(web.BaseRequest):
    """A request to the engine."""

    ATTRS = web.BaseRequest.ATTRS | {"context", "path_values", "body", "_client", "_account"}

    context: AppContext
    path_values: Mapping[str, str]
    """The path's parameters, such as `table`, as the client sent them."""
    body: bytes | None = None
    """None until the body has been read."""
    _client: str | None = None
    _account: Group | None = None

    @property
    def client(self) -> str:
        """Key that identifies the client for limits (`Clients.of`)."""
        if self._client is None:
            self._client = self.context.clients.of(self)
        return self._client

    @property
    def account(self) -> Group:
        """The client's account of processor time."""
        if self._account is None:
            self._account = self.context.clients.group(self.client)
        return self._account

    @property
    def client_gone(self) -> bool:
        """Whether the connection is closed or lost."""
        return self.transport is None or self.transport.is_closing()

    async def read(self) -> bytes:
        """Return the body, which has usually arrived already.

        Raises `HTTPRequestEntityTooLarge` above `BODY_LIMIT`, and `ProblemError` `too_slow` if the body takes too long.
        """
        if self.body is None:
            body = self.content.read_nowait() if self.content.is_eof() else await self._read_slowly()
            if len(body) > BODY_LIMIT:
                raise web.HTTPRequestEntityTooLarge(BODY_LIMIT)
            self.body = body
        return self.body

    async def _read_slowly(self) -> bytes:
        seconds = self.context.request_seconds
        try:
            async with asyncio.timeout(seconds):
                return await super().read()
        except TimeoutError:
            detail = f"a body may take {seconds:g} seconds"
            raise HttpProblemError("too_slow", detail, headers={"Connection": "close"}) from None


# --- content negotiation


def best_media_type(accept: str | None, offers: tuple[str, ...]) -> str:
    """Return the offered media type with the highest quality; if several are equal, the first of them.

    Raises `ProblemError` `not_acceptable` if `Accept` excludes all offers.
    """
    qualities: dict[str, float] = {}
    for part in (accept or "*/*").split(","):
        kind, quality = header_range(part)
        qualities.setdefault(kind, quality)
    for kind, _ in sorted(qualities.items(), key=lambda accepted: -accepted[1]):
        for offer in offers:
            if kind in _ranges_of(offer) and _quality(offer, qualities) > 0:
                return offer
    raise ProblemError("not_acceptable", f"the answer comes as {' or '.join(offers)}", field="Accept")


def _quality(offer: str, qualities: Mapping[str, float]) -> float:
    """Return the quality of a media type, from the most specific range in the header that includes the type."""
    return next((qualities[kind] for kind in _ranges_of(offer) if kind in qualities), 0.0)


def _ranges_of(offer: str) -> tuple[str, str, str]:
    """Return the media ranges that include a media type, the most specific first."""
    return offer, f"{offer.partition('/')[0]}/*", "*/*"


def takes(request: web.BaseRequest, coding: str) -> bool:
    """Return whether `Accept-Encoding` names a coding.

    `*` does not count, since clients that send it may not decompress.
    """
    accepted = request.headers.get("Accept-Encoding", "")[:LONGEST_HEADER]
    return any(kind == coding and quality > 0 for kind, quality in map(header_range, accepted.split(",")))
