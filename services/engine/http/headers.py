"""The headers of every answer: they keep browsers and caches careful."""

from aiohttp import hdrs, web

from services.engine.http.cors import Cors
from shared.logs import request_id

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


class Headers:
    """Puts them on answers, before these go out."""

    def __init__(self, cors: Cors) -> None:
        self._cors = cors

    def set_on(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Set what browsers and caches should know; a page's own policy stays."""
        given = response.headers
        policy, varied = given.get(POLICY), given.get(hdrs.VARY)
        tables = request.path.startswith("/v1/tables")
        given.update(TABLES_HEADERS if tables else SAFE_HEADERS)
        given["X-Request-ID"] = request_id.get() or ""
        if policy:
            given[POLICY] = policy
        if varied and tables:
            given[hdrs.VARY] = f"{TABLES_HEADERS[hdrs.VARY]}, {varied}"
        self._cors.tell(request, response)
