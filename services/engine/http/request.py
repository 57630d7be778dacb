"""A request, and where it came to."""

from collections.abc import Mapping

from aiohttp import web

from services.engine.http.house import House

BODY_LIMIT = 65_536
"""Bytes."""


class Request(web.BaseRequest):
    """A request to the house."""

    ATTRS = web.BaseRequest.ATTRS | {"house", "named", "body"}

    house: House
    named: Mapping[str, str]
    """What its path names: a table, a seat, …"""
    body: bytes | None = None
    """Once it is read."""

    async def read(self) -> bytes:
        """Return the body: in one step where all of it has come, as that of a small request has."""
        if self.body is None:
            body = self.content.read_nowait() if self.content.is_eof() else await super().read()
            if len(body) > BODY_LIMIT:
                raise web.HTTPRequestEntityTooLarge(BODY_LIMIT)
            self.body = body
        return self.body
