"""A request, and where it came to."""

from collections.abc import Mapping

from aiohttp import web

from services.engine.http.house import House

BODY_LIMIT = 65_536
"""Bytes."""


class Request(web.BaseRequest):
    """A request to the house."""

    ATTRS = web.BaseRequest.ATTRS | {"house", "named", "_body"}

    _body: bytes | None = None

    house: House
    named: Mapping[str, str]
    """What its path names: a table, a seat, …"""

    async def read(self) -> bytes:
        """Return the body: in one step where all of it has come, as that of a small request has."""
        if self._body is None:
            whole = self.content.is_eof()
            self._body = self.content.read_nowait() if whole else await super().read()
            if len(self._body) > BODY_LIMIT:
                raise web.HTTPRequestEntityTooLarge(BODY_LIMIT)
        return self._body
