"""The headers of all responses: security, caching, request id, and which web pages may read them (CORS)."""

from collections.abc import Iterable, Mapping

from aiohttp import hdrs, web

from services.common.logs import request_id

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
    ("ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-ID")
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
            "X-API-Key",
            "X-Request-ID",
        )
    ),
    hdrs.ACCESS_CONTROL_MAX_AGE: "7200",
}


class Cors:
    """The origins whose pages may use the API from a browser (CORS, in the Fetch standard); by default none.

    aiohttp-cors wants every route registered with it, and adds its headers only where a handler was reached.
    Credentials are never allowed, as the API has no cookies.
    """

    def __init__(self, origins: Iterable[str]) -> None:
        self._origins = frozenset(origins)

    @property
    def enabled(self) -> bool:
        """Whether any origin is allowed."""
        return bool(self._origins)

    def preflight(self, request: web.BaseRequest) -> Mapping[str, str] | None:
        """Return the headers that allow a preflight request; None for any other request, and if its origin may not."""
        asks = request.method == hdrs.METH_OPTIONS and hdrs.ACCESS_CONTROL_REQUEST_METHOD in request.headers
        return PREFLIGHT if asks and self._allowed(request) else None

    def headers(self, request: web.BaseRequest) -> dict[str, str]:
        """Return the headers that tell a browser whether the page may read a response; without origins, none."""
        found: dict[str, str] = {}
        allowed = self._allowed(request)
        if allowed:
            found[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = allowed
            found[hdrs.ACCESS_CONTROL_EXPOSE_HEADERS] = EXPOSED
        if self._origins and ANY_ORIGIN not in self._origins:
            found[hdrs.VARY] = "Origin"
        return found

    def _allowed(self, request: web.BaseRequest) -> str | None:
        """Return the value of `Access-Control-Allow-Origin`, None if the origin may not read the response."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None or ANY_ORIGIN in self._origins:
            return origin and ANY_ORIGIN
        return origin if origin in self._origins else None


class ResponseHeaders:
    """The headers that every response of some calls carries, besides its own."""

    def __init__(self, always: Mapping[str, str], cors: Cors) -> None:
        self._always = always
        self._names = frozenset(always)
        self._lines = _lines(always)
        self._cors = cors
        self._plain = not cors.enabled

    def of(self, request: web.BaseRequest, own: Mapping[str, str]) -> dict[str, str]:
        """Return all headers of a response: its own replace the common ones, but for `Vary`, which is joined."""
        cors = self._cors.headers(request)
        found = {**self._always, **own, **cors}
        varied = [headers[hdrs.VARY] for headers in (self._always, own, cors) if hdrs.VARY in headers]
        if varied:
            found[hdrs.VARY] = ", ".join(varied)
        identifier = request_id.get()
        if identifier is not None:  # bytes that are not HTTP have none
            found["X-Request-ID"] = identifier
        return found

    def lines(self, request: web.BaseRequest, own: Mapping[str, str]) -> str:
        """Return the same as the lines of a response's head."""
        if self._plain and self._names.isdisjoint(own):
            return f"{self._lines}{_lines(own)}X-Request-ID: {request_id.get()}\r\n"
        return _lines(self.of(request, own))


def _lines(headers: Mapping[str, str]) -> str:
    return "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
