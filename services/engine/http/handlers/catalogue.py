"""The games of the house."""

from services.engine import catalogue
from services.engine.http import parsing
from services.engine.http.answers import Answer, encoded
from services.engine.http.request import Request
from shared.messages import Catalogue


async def games(_: Request) -> Answer:
    """Return every game."""
    return encoded(Catalogue(catalogue.catalogue()))


async def game(request: Request) -> Answer:
    """Return one game with its rules."""
    return encoded(catalogue.details(parsing.game(request).name))
