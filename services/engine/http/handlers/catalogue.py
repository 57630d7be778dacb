"""The games of the house."""

from aiohttp import web

from services.engine import catalogue
from services.engine.http import parsing
from services.engine.http.answers import encoded
from shared.messages import Catalogue


async def games(_: web.Request) -> web.Response:
    """Return every game."""
    return encoded(Catalogue(catalogue.catalogue()))


async def game(request: web.Request) -> web.Response:
    """Return one game with its rules."""
    return encoded(catalogue.details(parsing.game(request).name))
