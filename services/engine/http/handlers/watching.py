"""Looking at a table: now, once it is newer, and step by step."""

import asyncio
from contextlib import aclosing, suppress
from typing import Annotated

import structlog
from aiohttp import web
from msgspec import UNSET, Meta, UnsetType

from services.engine import tokens
from services.engine.errors import NoSuchTableError, WrongTokenError
from services.engine.following import Told
from services.engine.http import negotiation, parsing
from services.engine.http.answers import JSON, Answer, encoded, unchanged, versioned
from services.engine.http.request import Request
from services.engine.store.errors import StoreDownError
from shared import messages
from shared.games.base import Count

log = structlog.stdlib.get_logger("engine.http")

LONGEST_WAIT = 25.0
STORE_PAUSE = 2.0
"""Seconds between two looks at a store that is down."""
SLOWEST_READER = 30.0
"""Seconds after which a reader that takes nothing is let go; it resumes where it was."""
KEEP_ALIVE = b": keep-alive\n\n"
HELLO = b"retry: 1000\n\n"
STREAM_HEADERS = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}

After = Annotated[Count, Meta(description="The version that is known already.")]


class LookQuery(messages.Request, frozen=True):
    """Whether to wait for something newer."""

    after: After | UnsetType = UNSET
    wait: Annotated[float, Meta(ge=0, le=86_400, description="Seconds to wait for it; 25 at most.")] = 0


class EventsQuery(messages.Request, frozen=True):
    """From where the events are asked for."""

    after: After | UnsetType = UNSET


async def look(request: Request) -> Answer:
    """Return the table as the bearer may see it."""
    table, token = parsing.table_id(request), parsing.token(request)
    asked = parsing.query(request, LookQuery)
    now = None
    if asked.after is not UNSET and asked.wait:
        with request.house.doors.held():
            now = await request.house.service.look_newer(table, token, asked.after, min(asked.wait, LONGEST_WAIT))
    now = now or await request.house.service.look(table, token)
    return unchanged(now.version) if parsing.matches(request, now.version) else versioned(now)


async def events(request: Request) -> Answer | web.StreamResponse:
    """Return the table's events: as a stream, or those it remembers as a page."""
    table, token = parsing.table_id(request), parsing.token(request)
    asked = parsing.query(request, EventsQuery).after
    after = None if asked is UNSET else asked
    if negotiation.best(request.headers.get("Accept"), negotiation.EVENTS) == JSON:
        return encoded(messages.EventPage(await request.house.service.events(table, token, after)))
    last = parsing.last_event_id(request)
    await request.house.service.see(table, token)
    with request.house.doors.stream(request.house.clients.of(request)) as limits:
        headers = request.house.on_tables.of(request, STREAM_HEADERS | limits)
        response = web.StreamResponse(headers=headers)
        return await _stream(request, response, (table, token), after if last is None else last)


async def _stream(
    request: Request, response: web.StreamResponse, seen: tuple[str, str | None], after: int | None
) -> web.StreamResponse:
    """Send events until the house closes, the table is gone, the token is good no longer, or the reader has left."""
    with suppress(ConnectionError):
        await response.prepare(request)
        await response.write(HELLO)
        with request.house.doors.held():
            await _send_events(request, response, seen, after)
        await response.write_eof()
    return response


async def _send_events(
    request: Request, response: web.StreamResponse, seen: tuple[str, str | None], after: int | None
) -> None:
    while True:
        try:
            async with aclosing(request.house.service.follow(*seen, after)) as items:
                async for item in items:
                    after = after if item is None else item.id
                    await _write(response, item)
                    if item is not None:
                        request.house.metrics.event(item.event)
                        log.debug("event", table=tokens.beginning(seen[0]), version=item.id)
        except StoreDownError:
            await _write(response, None)
            await asyncio.sleep(STORE_PAUSE)
        except (NoSuchTableError, WrongTokenError):
            return


async def _write(response: web.StreamResponse, item: Told | None) -> None:
    """Send an event, or a sign of life. Raises `ConnectionError` where the reader has left or takes nothing."""
    try:
        async with asyncio.timeout(SLOWEST_READER):
            await response.write(KEEP_ALIVE if item is None else _frame(item))
    except TimeoutError:
        raise ConnectionResetError("the reader takes nothing") from None


def _frame(item: Told) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (item.id, item.event.encode(), item.table)
