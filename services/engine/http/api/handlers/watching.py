"""Calls for a table's events, for proofs of finished deals, and for reviews."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from typing import Annotated

import structlog
from aiohttp import HttpVersion11, web
from msgspec import UNSET, Meta, UnsetType

from locanda import messages
from locanda.games.base import Count
from locanda.messages import Language
from services.common.logs import request_id
from services.engine.http.api.declaring import Calls
from services.engine.http.api.handlers.tables import After
from services.engine.http.api.route import TABLE_PATH, WATCH
from services.engine.http.api.streaming import KEEP_ALIVE, STORE_PAUSE, SentStream, send_stream
from services.engine.http.api.words import table_in_words
from services.engine.http.server.context import AppContext, HttpRequest
from services.engine.service import tokens
from services.engine.service.accounts import Group
from services.engine.service.errors import NoSuchTableError, WrongTokenError
from services.engine.service.listeners import EncodedRemark
from services.engine.service.views import NO_VIEW, EncodedEvent
from services.engine.store.errors import DamagedError, StoreDownError
from services.engine.table.state import TableError, game_of

log = structlog.stdlib.get_logger("engine.http")
calls = Calls()


class EventsQuery(messages.Request, frozen=True):
    """Which events to return."""

    after: After | UnsetType = UNSET
    remarks: Annotated[bool, Meta(description="Whether to stream remarks at the table too.")] = False


class MatchQuery(messages.Request, frozen=True):
    """Which match of the table."""

    match: Annotated[Count, Meta(description="The match's number; without it, the last one.")] | UnsetType = UNSET


async def events(context: AppContext, *, table: str, token: str | None, query: EventsQuery) -> messages.EventPage:
    """Return the table's stored events."""
    return messages.EventPage(await context.service.queries.events(table, token, _after(query)))


@calls.stream(WATCH, f"{TABLE_PATH}/events", once=events, client=None)
async def stream_events(  # noqa: PLR0913  (the request's values)
    context: AppContext,
    request: HttpRequest,
    *,
    table: str,
    token: str | None,
    query: EventsQuery,
    last_event_id: int | None,
    seat_tokens: Sequence[str],
    words: Language | None,
) -> web.StreamResponse:
    """Stream or get a table's events.

    `Accept: text/event-stream` (or anything): server-sent events, with the table's version as `id`, `change` or `gap`
    as `event`, and the table in the view of the token's seat as `data`. The stream begins with the current table, or
    after `Last-Event-ID`. A `gap` means that some events are missing: they are no longer stored, the client has
    exceeded its processor time, or the store was restored to an older state. With `Seat-Tokens`, a program with several
    seats sees all of them on one stream: each event is preceded by a `seat` for each token, in order and without `id`,
    with that seat's view of the table, or `null` for an unknown token. With `remarks`, the stream has an event `remark`
    without `id` for each remark at the table. Remarks are not stored or repeated. If a client at its limit opens
    another stream, its oldest one ends, unless that began less than 30 seconds before: then the new one is refused.
    `Accept: application/json`: the stored events after `after`.
    """
    after = _after(query) if last_event_id is None else last_event_id
    await context.service.queries.access(table, token)

    async def send(stream: SentStream) -> None:
        events = _EventStream(stream, table, after, words)
        await _send_events(context, events, table, token, seat_tokens, hears=query.remarks)

    spoken = {"Content-Language": words, "Vary": "Accept-Language"} if words else {}
    return await send_stream(context, request, send, spoken)


def _after(query: EventsQuery) -> int | None:
    return None if query.after is UNSET else query.after


class _EventStream:
    """An open event stream. It sends events, and remembers the version of the last one."""

    def __init__(self, stream: SentStream, table: str, after: int | None, words: Language | None) -> None:
        self.after = after
        self.write = stream.write
        self.account = stream.request.account
        self._request = request = stream.request
        self._words = words
        self._table = tokens.short_id(table)
        self._chunked = request.version == HttpVersion11
        self._count = request.context.metrics.event
        self._request_id = request_id.get()
        self._logs = log.is_enabled_for(logging.DEBUG)

    async def send(self, event: EncodedEvent | EncodedRemark) -> None:
        """Send an event. Raises the same errors as `write`."""
        await self.write(self._frame(event))

    def send_at_once(self, event: EncodedEvent | EncodedRemark) -> bool:
        """Send an event without waiting. Returns false if the client still has unread bytes.

        This method writes an HTTP/1.1 chunk (RFC 9112, section 7.1) itself, since aiohttp's `write` takes a dozen steps
        more and wakes a task.
        """
        transport = self._request.transport
        if not self._chunked or transport is None or transport.is_closing() or transport.get_write_buffer_size():
            return False
        frame = self._frame(event)
        transport.write(b"%x\r\n%b\r\n" % (len(frame), frame))
        return True

    def _frame(self, event: EncodedEvent | EncodedRemark) -> bytes:
        """Return an event as bytes of the stream. It counts as sent.

        A remark has no id, and is not sent again.
        """
        if isinstance(event, EncodedRemark):
            return b"event: remark\ndata: %b\n\n" % event.remark
        self.after = event.id
        self._count(event.event)
        if self._logs:
            log.debug("event", request_id=self._request_id, table=self._table, version=event.id)
        return _table_frame(event, self._words)


async def _send_events(
    context: AppContext, stream: _EventStream, table: str, token: str | None, seats: Sequence[str], *, hears: bool
) -> None:
    """Send the table's events; retry while the store is down."""
    while True:
        try:
            following = context.service.queries.follow(
                table, token, seats, stream.after, stream.send_at_once, account=stream.account, hears=hears
            )
            async with aclosing(following) as events:
                async for event in events:
                    await (stream.write(KEEP_ALIVE) if event is None else stream.send(event))
        except StoreDownError:
            await stream.write(KEEP_ALIVE)
            await asyncio.sleep(STORE_PAUSE)
        except (NoSuchTableError, WrongTokenError, TableError, DamagedError):
            # Another replica may serve a table that this release cannot read. The client's next request will show the
            # error.
            return


def _table_frame(event: EncodedEvent, words: Language | None) -> bytes:
    """Return a table's event as bytes of the stream. The views of the seats of `Seat-Tokens` come first.

    These views have no id. If the stream breaks between views, all of them are sent again when it resumes.
    """
    frame = event.frames.get(words)
    if frame is None:
        seats = b"".join([b"event: seat\ndata: %b\n\n" % _in_words(view, words) for view in event.seats])
        own = _in_words(event.table, words)
        frame = b"%bid: %d\nevent: %b\ndata: %b\n\n" % (seats, event.id, event.event.encode(), own)
        event.frames[words] = frame
    return frame


def _in_words(view: bytes, words: Language | None) -> bytes:
    return table_in_words(view, words) if words and view != NO_VIEW else view


# --- finished deals


def _match(query: MatchQuery) -> int | None:
    return None if query.match is UNSET else query.match


@calls.read(WATCH, f"{TABLE_PATH}/deals/{{deal}}", problems=("match_not_over",))
async def proof(context: AppContext, *, table: str, deal: int, query: MatchQuery) -> messages.Proof:
    """Get the proof of a finished deal's shuffle."""
    return await context.service.queries.proof(table, deal, _match(query))


@calls.question(WATCH, "GET", f"{TABLE_PATH}/deals/{{deal}}/review", problems=("match_not_over", "no_thought"))
async def review(  # noqa: PLR0913  (the request's values)
    context: AppContext,
    *,
    table: str,
    deal: int,
    token: str,
    query: MatchQuery,
    language: Language,
    words: bool,
    account: Group,
) -> messages.Review:
    """Review the moves of the token's seat in a finished deal.

    For each move: what level `hard` would have played with the same knowledge, why, and how much more it expects of
    that than of the move played. The answer is always the same.
    """
    state, seat = await context.service.queries.seated(table, token)
    log = await context.service.queries.finished_log(state, deal, _match(query))
    return await context.service.reviews.review(game_of(state), log, seat, language, account, words=words)
