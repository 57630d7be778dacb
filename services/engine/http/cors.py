"""Which web pages may use the API from a browser (CORS, in the Fetch standard): none, unless the host says so.

By hand: aiohttp-cors wants every route registered with it, and adds its headers only where a handler was reached.
Cookies play no part here, so that credentials are never allowed.
"""

from collections.abc import Iterable, Mapping

from aiohttp import hdrs, web

from services.engine.http.answers import Answer

EVERYBODY = "*"
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
    """Lets the pages of some origins in."""

    def __init__(self, origins: Iterable[str]) -> None:
        self._origins = frozenset(origins)

    @property
    def open(self) -> bool:
        """Are there any?"""
        return bool(self._origins)

    def preflight(self, request: web.BaseRequest) -> Answer | None:
        """Return the answer to a browser that asks whether a page may make a call, and may; otherwise nothing."""
        asks = request.method == hdrs.METH_OPTIONS and hdrs.ACCESS_CONTROL_REQUEST_METHOD in request.headers
        return Answer(status=204, headers=PREFLIGHT) if asks and self._allowed(request) else None

    def told(self, request: web.BaseRequest) -> dict[str, str]:
        """Return the headers that say whether the page may read an answer; without origins, none."""
        told: dict[str, str] = {}
        allowed = self._allowed(request)
        if allowed:
            told[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = allowed
            told[hdrs.ACCESS_CONTROL_EXPOSE_HEADERS] = EXPOSED
        if self._origins and EVERYBODY not in self._origins:
            told[hdrs.VARY] = "Origin"
        return told

    def _allowed(self, request: web.BaseRequest) -> str | None:
        """Return the origin that may read the answer, or everybody."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None or EVERYBODY in self._origins:
            return origin and EVERYBODY
        return origin if origin in self._origins else None
