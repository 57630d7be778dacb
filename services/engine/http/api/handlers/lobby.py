"""Calls to find a table: pages of the listed tables, and a stream of the newest listed tables."""

import asyncio
from contextlib import aclosing
from typing import Annotated

from aiohttp import web
from msgspec import UNSET, Meta, UnsetType

from locanda import messages
from services.engine.http.api.declaring import Calls
from services.engine.http.api.route import TABLES, ClientCall
from services.engine.http.api.streaming import KEEP_ALIVE, STORE_PAUSE, SentStream, send_stream
from services.engine.http.server.context import AppContext, HttpRequest
from services.engine.store import ListingName
from services.engine.store.errors import StoreDownError

calls = Calls()

Cursor = Annotated[
    str, Meta(max_length=128, pattern="^[A-Za-z0-9_-]+=*$", description="The `next` of the previous page.")
]


class PageQuery(messages.Request, frozen=True):
    """Which page of the listed tables to return."""

    cursor: Cursor | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="The maximum number of tables.")] = 20
    status: Annotated[
        ListingName, Meta(description="Which tables to list: `open` (waiting for players) or `playing`.")
    ] = "open"


@calls.read(TABLES, "/v1/tables", problems=("impossible",), client=ClientCall("tables"))
async def listed(context: AppContext, *, query: PageQuery) -> messages.TablePage:
    """List the tables that anyone may join or watch.

    These are tables with `listed`: those that wait for players or, with `status`, those in play.
    """
    return await context.service.lobby.page(query.cursor or None, query.limit, query.status)


async def lobby(context: AppContext) -> messages.LobbyNow:
    """Return the newest listed tables."""
    return await context.service.lobby.lobby()


@calls.stream(TABLES, "/v1/lobby", once=lobby, client=None)
async def stream_lobby(context: AppContext, request: HttpRequest) -> web.StreamResponse:
    """Stream or get the newest listed tables.

    `Accept: text/event-stream` (or anything): server-sent events named `lobby`, with the newest listed tables as
    `data`. The first event comes immediately, later events after changes, at most every 2 seconds. Each event is
    complete, so there is nothing to resume. `Accept: application/json`: the same data, once.
    """
    # if the store is down, the request fails with a problem before the stream begins
    await context.service.lobby.lobby()

    async def send(stream: SentStream) -> None:
        while True:
            try:
                async with aclosing(context.service.lobby.follow()) as changes:
                    async for change in changes:
                        await context.admission.accounts.turn(request.account)
                        await stream.write(KEEP_ALIVE if change is None else b"event: lobby\ndata: %b\n\n" % change)
                        if change is not None:
                            context.metrics.event("lobby")
            except StoreDownError:
                await stream.write(KEEP_ALIVE)
                await asyncio.sleep(STORE_PAUSE)

    return await send_stream(context, request, send)
