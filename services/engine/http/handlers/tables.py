"""Coming and going at a table."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from services.engine.http import bodies, parsing
from services.engine.http.answers import Answer, encoded, versioned
from services.engine.http.keyring import HEADER as API_KEY
from services.engine.http.request import Request
from shared import messages

Cursor = Annotated[
    str, Meta(max_length=128, pattern="^[A-Za-z0-9_-]+=*$", description="The `next` of the page before.")
]


class PageQuery(messages.Request, frozen=True):
    """Which page of the open tables."""

    cursor: Cursor | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="At most so many tables.")] = 20


async def open_table(request: Request) -> Answer:
    """Open a table."""
    request.house.keyring.demand(parsing.header(request, API_KEY))
    asked = await bodies.body(request, messages.OpenTable)
    caller = parsing.caller(request, "none", makes_token=True)
    spent = await request.house.limits.spend("tables", request.house.clients.of(request))
    reply = await request.house.service.open(asked, caller)
    opened = msgspec.json.decode(reply.body, type=messages.Seated)
    return versioned(reply, 201, {"Location": f"/v1/tables/{opened.table.id}", **spent})


async def listed(request: Request) -> Answer:
    """Return a page of open tables."""
    page = parsing.query(request, PageQuery)
    return encoded(await request.house.service.listed(page.cursor or None, page.limit))


async def change(request: Request) -> Answer:
    """Change an open table."""
    table, asked = parsing.table_id(request), await bodies.body(request, messages.ChangeTable)
    return versioned(await request.house.service.change(table, parsing.caller(request), asked))


async def sit(request: Request) -> Answer:
    """Sit down, or seat a computer player."""
    table, asked = parsing.table_id(request), await bodies.body(request, messages.SitDown)
    caller = parsing.caller(request, "optional", makes_token=True)
    spent = await request.house.limits.spend("seats", request.house.clients.of(request))
    return versioned(await request.house.service.sit(table, caller, asked), 201, spent)


async def leave(request: Request) -> Answer:
    """Leave, or remove somebody."""
    table, seat = parsing.table_id(request), parsing.seat(request)
    await bodies.no_body(request)
    return versioned(await request.house.service.leave(table, parsing.caller(request), seat))


async def give_seed(request: Request) -> Answer:
    """Give one's own share in the coming shuffle."""
    table, seat = parsing.table_id(request), parsing.seat(request)
    asked = await bodies.body(request, messages.GiveSeed)
    return versioned(await request.house.service.give_seed(table, parsing.caller(request), seat, asked))


async def come_back(request: Request) -> Answer:
    """Take one's hand back."""
    table, seat = parsing.table_id(request), parsing.seat(request)
    await bodies.no_body(request)
    return versioned(await request.house.service.come_back(table, parsing.caller(request), seat))
