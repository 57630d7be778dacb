"""Which web pages may use the API from a browser (CORS, in the Fetch standard): none, unless the host says so.

By hand: aiohttp-cors wants every route registered with it, and adds its headers only where a handler was reached.
Cookies play no part here, so that credentials are never allowed.
"""

from collections.abc import Iterable

from aiohttp import hdrs, web

EVERYBODY = "*"
EXPOSED = ", ".join(
    ("ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-ID")
)
PREFLIGHT = {
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
    """Lets the pages of some origins in."""

    def __init__(self, origins: Iterable[str]) -> None:
        self._origins = frozenset(origins)

    def preflight(self, request: web.BaseRequest) -> web.Response | None:
        """Return the answer to a browser that asks whether a page may make a call, and may; otherwise nothing."""
        asks = request.method == hdrs.METH_OPTIONS and hdrs.ACCESS_CONTROL_REQUEST_METHOD in request.headers
        return web.Response(status=204, headers=PREFLIGHT) if asks and self._allowed(request) else None

    def tell(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Say on an answer that the page may read it; without origins, leave it as it is."""
        if not self._origins:
            return
        allowed = self._allowed(request)
        if allowed:
            response.headers[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = allowed
            response.headers[hdrs.ACCESS_CONTROL_EXPOSE_HEADERS] = EXPOSED
        if EVERYBODY not in self._origins:
            varied = response.headers.get(hdrs.VARY)
            response.headers[hdrs.VARY] = f"{varied}, Origin" if varied else "Origin"

    def _allowed(self, request: web.BaseRequest) -> str | None:
        """Return the origin that may read the answer, or everybody."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None or EVERYBODY in self._origins:
            return origin and EVERYBODY
        return origin if origin in self._origins else None
