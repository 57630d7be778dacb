"""Handlers that show a table: now, once it is newer, and as a stream of events."""

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Annotated

import structlog
from aiohttp import web
from msgspec import UNSET, Meta, UnsetType

from locanda import messages
from locanda.games.base import Version
from locanda.messages import Language
from services.engine.http.api.words import table_in_words
from services.engine.http.server.context import AppContext, HttpRequest
from services.engine.http.server.responses import SLOWEST_CLIENT
from services.engine.service import tokens
from services.engine.service.errors import NoSuchTableError, WrongTokenError
from services.engine.service.idempotency import TableReply
from services.engine.service.queries import EncodedEvent
from services.engine.store.errors import DamagedError, StoreDownError
from services.engine.table.state import TableError

log = structlog.stdlib.get_logger("engine.http")

LONGEST_WAIT = 25.0
STORE_PAUSE = 2.0
"""Seconds between two attempts while the store is down."""
KEEP_ALIVE = b": keep-alive\n\n"
HELLO = b"retry: 1000\n\n"
STREAM_HEADERS = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}

After = Annotated[Version, Meta(description="The version that is known already.")]


class LookQuery(messages.Request, frozen=True):
    """Whether to wait for something newer."""

    after: After | UnsetType = UNSET
    wait: Annotated[float, Meta(ge=0, le=86_400, description="Seconds to wait for it; 25 at most.")] = 0


class EventsQuery(messages.Request, frozen=True):
    """From where the events are asked for."""

    after: After | UnsetType = UNSET


async def look(context: AppContext, *, table: str, token: str | None, query: LookQuery, client: str) -> TableReply:
    """Return the table as the bearer may see it, at once or when it is newer than a version.

    While it waits it counts as a stream.
    """
    now = None
    if query.after is not UNSET and query.wait:
        with context.tracker.stream(client), context.tracker.held():
            now = await context.service.queries.show_newer(table, token, query.after, min(query.wait, LONGEST_WAIT))
    return now or await context.service.queries.show(table, token)


async def events(context: AppContext, *, table: str, token: str | None, query: EventsQuery) -> messages.EventPage:
    """Return the events that the table still remembers, as a page."""
    return messages.EventPage(await context.service.queries.events(table, token, _after(query)))


async def stream_events(
    context: AppContext,
    request: HttpRequest,
    *,
    table: str,
    token: str | None,
    query: EventsQuery,
    last_event_id: int | None,
    words: Language | None,
) -> web.StreamResponse:
    """Send the table's events as they happen.

    The stream ends when the engine shuts down, the table is gone or cannot be served by this release, the token is no
    longer good, the listener has left, or its client is at its limit and opens another stream.
    """
    after = _after(query) if last_event_id is None else last_event_id
    await context.service.access(table, token)
    with context.tracker.stream(request.client) as limits:
        spoken = {"Content-Language": words, "Vary": "Accept-Language"} if words else {}
        headers = context.table_headers.of(request, {**STREAM_HEADERS, **limits, **spoken})
        response = web.StreamResponse(headers=headers)
        try:
            await response.prepare(request)
            await _taken(response.write(HELLO))
            with context.tracker.held():
                await _send_events(context, response, (table, token), after, words)
            await _taken(response.write_eof())
        except asyncio.CancelledError:
            if not request.client_gone:
                raise
        except ConnectionError:
            if request.transport is not None:  # what it has not read is dropped: it would keep the connection open
                request.transport.abort()
        return response


def _after(query: EventsQuery) -> int | None:
    return None if query.after is UNSET else query.after


async def _send_events(
    context: AppContext,
    response: web.StreamResponse,
    seen: tuple[str, str | None],
    after: int | None,
    words: Language | None,
) -> None:
    """Send what happens after a version; wait and go on where the store is down."""
    while True:
        try:
            async with aclosing(context.service.queries.follow(*seen, after)) as items:
                async for item in items:
                    after = after if item is None else item.id
                    await _taken(response.write(KEEP_ALIVE if item is None else _frame(item, words)))
                    if item is not None:
                        context.metrics.event(item.event)
                        log.debug("event", table=tokens.short_id(seen[0]), version=item.id)
        except StoreDownError:
            await _taken(response.write(KEEP_ALIVE))
            await asyncio.sleep(STORE_PAUSE)
        except (NoSuchTableError, WrongTokenError, TableError, DamagedError):
            # Another replica may serve a table that this release cannot: the listener's next request shows it.
            return


async def _taken(writing: Awaitable[None]) -> None:
    """Wait until the listener takes what is written. Raises `ConnectionError` where it has left or takes nothing."""
    try:
        async with asyncio.timeout(SLOWEST_CLIENT):
            await writing
    except TimeoutError:
        raise ConnectionResetError("the listener takes nothing") from None


def _frame(item: EncodedEvent, words: Language | None) -> bytes:
    table = table_in_words(item.table, words) if words else item.table
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (item.id, item.event.encode(), table)
