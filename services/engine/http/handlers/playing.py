"""Playing at a table."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from services.engine.http import bodies, parsing
from services.engine.http.answers import Answer, encoded, versioned
from services.engine.http.request import Request
from shared import messages
from shared.games.base import Count


class MatchQuery(messages.Request, frozen=True):
    """Which match of the table."""

    match: Annotated[Count, Meta(description="The match's number; without it, the last one.")] | UnsetType = UNSET


async def start(request: Request) -> Answer:
    """Start the match or the rematch."""
    table = parsing.table_id(request)
    await bodies.no_body(request)
    return versioned(await request.house.service.start(table, parsing.caller(request)))


async def moves(request: Request) -> Answer:
    """Return the bearer's legal moves."""
    return encoded(await request.house.service.legal_moves(parsing.table_id(request), parsing.needed_token(request)))


async def play(request: Request) -> Answer:
    """Make a move."""
    table, asked = parsing.table_id(request), await bodies.body(request, messages.PlayMove)
    return versioned(await request.house.service.play(table, parsing.caller(request), asked.move))


async def check(request: Request) -> Answer:
    """Tell whether a move is legal now, and if not, why."""
    table, asked = parsing.table_id(request), await bodies.body(request, messages.PlayMove)
    return encoded(await request.house.service.check(table, parsing.needed_token(request), asked.move))


async def proof(request: Request) -> Answer:
    """Return a finished deal with all that proves its shuffle."""
    table, deal = parsing.table_id(request), parsing.deal(request)
    match = parsing.query(request, MatchQuery).match
    number = None if match is UNSET else match
    return encoded(await request.house.service.proof(table, deal, number))
