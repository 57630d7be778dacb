"""The headers of every answer: they keep browsers and caches careful."""

from collections.abc import Mapping

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
    """What some calls say with each answer, besides what is the answer's own."""

    def __init__(self, always: Mapping[str, str], cors: Cors) -> None:
        self._always = always
        self._names = frozenset(always)
        self._lines = _lines(always)
        self._cors = cors
        self._plain = not cors.open

    def of(self, request: web.BaseRequest, own: Mapping[str, str]) -> dict[str, str]:
        """Return all headers of an answer: its own come first, but what it varies by counts together."""
        told = self._cors.told(request)
        given = {**self._always, **own, **told}
        varied = [held[hdrs.VARY] for held in (self._always, own, told) if hdrs.VARY in held]
        if varied:
            given[hdrs.VARY] = ", ".join(varied)
        asked = request_id.get()
        if asked is not None:  # what is no HTTP has none
            given["X-Request-ID"] = asked
        return given

    def lines(self, request: web.BaseRequest, own: Mapping[str, str]) -> str:
        """Return the same as lines of an answer."""
        if self._plain and self._names.isdisjoint(own):
            return f"{self._lines}{_lines(own)}X-Request-ID: {request_id.get()}\r\n"
        return _lines(self.of(request, own))


def _lines(headers: Mapping[str, str]) -> str:
    return "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
