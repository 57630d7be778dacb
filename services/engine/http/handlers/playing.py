"""Playing at a table."""

from typing import Annotated

from aiohttp import web
from msgspec import UNSET, Meta, UnsetType

from services.engine.http import bodies, parsing
from services.engine.http.answers import encoded, versioned
from services.engine.http.keys import SERVICE
from shared import messages
from shared.games.base import Count


class MatchQuery(messages.Request, frozen=True):
    """Which match of the table."""

    match: Annotated[Count, Meta(description="The match's number; without it, the last one.")] | UnsetType = UNSET


async def start(request: web.Request) -> web.Response:
    """Start the match or the rematch."""
    table = parsing.table_id(request)
    await bodies.no_body(request)
    return versioned(await request.app[SERVICE].start(table, await parsing.caller(request)))


async def moves(request: web.Request) -> web.Response:
    """Return the bearer's legal moves."""
    return encoded(await request.app[SERVICE].legal_moves(parsing.table_id(request), parsing.needed_token(request)))


async def play(request: web.Request) -> web.Response:
    """Make a move."""
    table, asked = parsing.table_id(request), await bodies.body(request, messages.PlayMove)
    return versioned(await request.app[SERVICE].play(table, await parsing.caller(request), asked.move))


async def check(request: web.Request) -> web.Response:
    """Tell whether a move is legal now, and if not, why."""
    table, asked = parsing.table_id(request), await bodies.body(request, messages.PlayMove)
    return encoded(await request.app[SERVICE].check(table, parsing.needed_token(request), asked.move))


async def proof(request: web.Request) -> web.Response:
    """Return a finished deal with all that proves its shuffle."""
    table, deal = parsing.table_id(request), parsing.deal(request)
    match = parsing.query(request, MatchQuery).match
    number = None if match is UNSET else match
    return encoded(await request.app[SERVICE].proof(table, deal, number))
