"""Handlers of the calls that open, join, change and leave a table, and of those that play at it."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from locanda import messages
from locanda.games.base import Count
from services.engine.http.server.context import AppContext
from services.engine.service.idempotency import Caller, TableReply

Cursor = Annotated[
    str, Meta(max_length=128, pattern="^[A-Za-z0-9_-]+=*$", description="The `next` of the page before.")
]


class PageQuery(messages.Request, frozen=True):
    """Which page of the open tables."""

    cursor: Cursor | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="At most so many tables.")] = 20


class MatchQuery(messages.Request, frozen=True):
    """Which match of the table."""

    match: Annotated[Count, Meta(description="The match's number; without it, the last one.")] | UnsetType = UNSET


# --- seats


async def open_table(context: AppContext, *, body: messages.OpenTable, caller: Caller) -> TableReply:
    """Open a table."""
    return await context.service.open(body, caller)


def opened_at(reply: TableReply) -> str:
    """Return the path of the table that `open_table` has opened."""
    opened = msgspec.json.decode(reply.body, type=messages.Seated)
    return f"/v1/tables/{opened.table.id}"


async def listed(context: AppContext, *, query: PageQuery) -> messages.TablePage:
    """Return a page of open tables."""
    return await context.service.queries.listed(query.cursor or None, query.limit)


async def change(context: AppContext, *, table: str, body: messages.ChangeTable, caller: Caller) -> TableReply:
    """Change an open table."""
    return await context.service.change(table, caller, body)


async def sit(context: AppContext, *, table: str, body: messages.SitDown, caller: Caller) -> TableReply:
    """Take a seat, or seat a computer player."""
    return await context.service.sit(table, caller, body)


async def leave(context: AppContext, *, table: str, seat: int, caller: Caller) -> TableReply:
    """Leave a seat, or remove another player as the host."""
    return await context.service.leave(table, caller, seat)


async def set_level(
    context: AppContext, *, table: str, seat: int, body: messages.SetLevel, caller: Caller
) -> TableReply:
    """Set the level of a computer player."""
    return await context.service.set_level(table, caller, seat, body)


async def give_seed(
    context: AppContext, *, table: str, seat: int, body: messages.GiveSeed, caller: Caller
) -> TableReply:
    """Take a seat's share in the coming shuffle."""
    return await context.service.give_seed(table, caller, seat, body)


async def come_back(context: AppContext, *, table: str, seat: int, caller: Caller) -> TableReply:
    """Give a hand back to its player, which a computer player holds."""
    return await context.service.come_back(table, caller, seat)


# --- playing


async def start(context: AppContext, *, table: str, caller: Caller) -> TableReply:
    """Start the match or the rematch."""
    return await context.service.start(table, caller)


async def moves(context: AppContext, *, table: str, token: str) -> messages.LegalMoves:
    """Return the bearer's legal moves."""
    return await context.service.legal_moves(table, token)


async def play(context: AppContext, *, table: str, body: messages.PlayMove, caller: Caller) -> TableReply:
    """Make a move."""
    return await context.service.play(table, caller, body.move)


async def check(context: AppContext, *, table: str, body: messages.PlayMove, token: str) -> messages.Verdict:
    """Return whether a move is legal now, and if not, why."""
    return await context.service.check(table, token, body.move)


async def proof(context: AppContext, *, table: str, deal: int, query: MatchQuery) -> messages.Proof:
    """Return a finished deal with all that proves its shuffle."""
    return await context.service.queries.proof(table, deal, None if query.match is UNSET else query.match)
