"""A request, and where it came to."""

from collections.abc import Mapping

from aiohttp import web

from services.engine.http.house import House

BODY_LIMIT = 65_536
"""Bytes."""


class Request(web.BaseRequest):
    """A request to the house."""

    ATTRS = web.BaseRequest.ATTRS | {"house", "named"}

    house: House
    named: Mapping[str, str]
    """What its path names: a table, a seat, …"""
