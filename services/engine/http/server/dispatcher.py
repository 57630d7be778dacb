"""The middleware around every handler, and the dispatcher, which finds a request's handler by path and method.

It replaces aiohttp's application and router, which take about thirty steps per request, a tenth of the time of a read.
"""

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypeVar

from aiohttp import HttpVersion11, hdrs, web

from services.common.logs import log_request, request_id
from services.engine.errors import ProblemError
from services.engine.http.problems.responses import HttpProblemError
from services.engine.http.server.context import AppContext, HttpRequest
from services.engine.http.server.errors import error_response
from services.engine.http.server.responses import Response, ResponseHeaders, write_response

H = TypeVar("H")

BoundHandler: TypeAlias = Callable[[HttpRequest], Awaitable[Response | web.StreamResponse]]
"""A handler with its decoders. It returns a response or raises. When it returns a stream, the stream has been sent."""
ServeRequest: TypeAlias = Callable[[HttpRequest], Awaitable[web.StreamResponse]]
"""Answers a request with an aiohttp response, even if the handler raises."""
SentenceOf: TypeAlias = Callable[[HttpRequest, Exception], Awaitable[str]]

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
ID_BYTES = 16
IDS_AT_ONCE = 256
METHODS = hdrs.METH_ALL
FIRST_ERROR = 400
"""Lowest status of an error (RFC 9110, section 15)."""
CLIENT_CLOSED = 499
"""Status in logs and metrics for a request whose client has disconnected, as in nginx."""


@dataclass(slots=True)
class _Node(Generic[H]):
    """Node of the path tree: the handlers of the path that ends here, and the child nodes."""

    handlers: dict[str, H] = field(default_factory=dict)
    """Handlers by HTTP method."""
    literals: dict[str, "_Node[H]"] = field(default_factory=dict)
    """Child nodes by literal part of the path. They take precedence over the parameter."""
    parameter: "tuple[str, _Node[H]] | None" = None
    """Name and child node of a parameter, which matches any other part."""


def _fresh_ids() -> Iterator[str]:
    """Yield random request ids, drawn many at once. Sequential ids would reveal how many others ask."""
    while True:
        drawn = secrets.token_bytes(ID_BYTES * IDS_AT_ONCE).hex()
        for at in range(0, len(drawn), 2 * ID_BYTES):
            yield drawn[at : at + 2 * ID_BYTES]


FRESH_IDS = _fresh_ids()


class PathTree(Generic[H]):
    """The handlers of all paths. A parameter such as `{table}` matches any part that is not empty."""

    def __init__(self) -> None:
        self._root: _Node[H] = _Node()
        self._added: list[tuple[str, str]] = []

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield the method and path of each handler."""
        return iter(self._added)

    def add(self, method: str, path: str, handler: H) -> None:
        """Add the handler of a method and path."""
        node = self._root
        for part in path.split("/"):
            node = _child(node, part)
        node.handlers[method] = handler
        self._added.append((method, path))

    def find(self, path: str) -> tuple[Mapping[str, H], dict[str, str]]:
        """Return the handlers of a path by method, and the values of its parameters; empty if no route matches."""
        node = self._root
        values: dict[str, str] = {}
        for part in path.split("/"):
            child = node.literals.get(part)
            if child is None:
                if node.parameter is None or not part:
                    return {}, values
                name, child = node.parameter
                values[name] = part
            node = child
        return node.handlers, values


def _child(node: _Node[H], part: str) -> _Node[H]:
    """Return the child node for a part of a path. Creates it if necessary."""
    if not part.startswith("{"):
        return node.literals.setdefault(part, _Node())
    if node.parameter is None:
        node.parameter = part[1:-1], _Node()
    return node.parameter[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Properties of a route that its middleware needs."""

    bans: bool = True
    """Whether banned clients are refused."""
    timed: bool = True
    """False for streams, whose durations are meaningless."""
    probe: bool = False
    """Whether successful responses are logged only at level `debug`."""
    sentence_of: SentenceOf | None = None
    """Returns the sentence for a problem, if the request asks for `words`."""


def with_middleware(
    context: AppContext, route: str, handler: BoundHandler, *, headers: ResponseHeaders, traits: Traits = Traits()
) -> ServeRequest:
    """Return a handler with request id, account, problem responses, metrics and a log line.

    `route` is the path with parameter names, for metrics and log. The real path may contain a table's id, which is all
    that a spectator needs.
    """
    admission, administration = context.admission, context.service.administration
    busy = admission.accounts.busy
    bans, probe, sentence_of = traits.bans, traits.probe, traits.sentence_of
    count = context.metrics.request_counter(route, timed=traits.timed)

    async def serve(request: HttpRequest) -> web.StreamResponse:
        request_header = request.headers.get("X-Request-ID")
        # The context variable needs no reset, since each request has its own task.
        request_id.set(request_header if request_header and GIVEN_ID.fullmatch(request_header) else next(FRESH_IDS))
        began = time.perf_counter()
        answer: Response | web.StreamResponse
        status, account, admitted = CLIENT_CLOSED, request.account, False
        try:
            if busy(account):
                await admission.admit(account)
            admitted = True
            if hdrs.EXPECT in request.headers:
                await _send_continue(request)
            if bans:
                administration.require_served(request.client)
            answer = await handler(request)
            status = answer.status
        except Exception as error:  # noqa: BLE001 - every exception becomes a problem
            if isinstance(error, OSError | web.RequestPayloadError) and request.client_gone:
                raise ConnectionResetError from None
            sentence = await sentence_of(request, error) if sentence_of and admitted else ""
            answer = error_response(request, error, sentence)
            status = answer.status
        finally:
            seconds = time.perf_counter() - began
            method = request.method if request.method in METHODS else "OTHER"
            count(method, status, seconds)
            if admission.logs(account, admitted=admitted):
                level: Literal["debug", "info"] = "debug" if probe and status < FIRST_ERROR else "info"
                log_request("engine.http", method, route, status, seconds, level)
        if not isinstance(answer, Response):
            return answer
        response = _last(answer) if context.tracker.closing else answer
        return write_response(request, response, headers, account)

    return serve


def _last(response: Response) -> Response:
    """Return a response with `Connection: close`."""
    return Response(response.body, response.status, {**response.headers, hdrs.CONNECTION: "close"})


async def _send_continue(request: HttpRequest) -> None:
    """Answer `Expect: 100-continue`. Ignore other expectations (RFC 9110, section 10.1.1)."""
    if request.version >= HttpVersion11 and request.headers[hdrs.EXPECT].lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


class Dispatcher:
    """Passes each request to its handler, or answers 404, 405, or a CORS preflight."""

    def __init__(self, context: AppContext, paths: PathTree[ServeRequest]) -> None:
        self._paths = paths
        self._cors = context.cors
        self._unmatched = with_middleware(context, "unmatched", self._refuse, headers=context.default_headers)

    def serve(self, request: HttpRequest) -> Awaitable[web.StreamResponse]:
        """Answer a request."""
        handlers, request.path_values = self._paths.find(request.rel_url.path_safe)
        return handlers.get(request.method, self._unmatched)(request)

    async def _refuse(self, request: HttpRequest) -> Response:
        allowed = self._cors.preflight(request)
        if allowed is not None:
            return Response(status=204, headers=allowed)
        handlers, _ = self._paths.find(request.rel_url.path_safe)
        if handlers:
            raise HttpProblemError("method_not_allowed", headers={"Allow": ",".join(sorted(handlers))})
        shorter = request.rel_url.path_safe.rstrip("/")
        with_slash = len(shorter) < len(request.rel_url.path_safe) and self._paths.find(shorter)[0]
        raise ProblemError("not_found", "the path must not end with a slash" if with_slash else "")
