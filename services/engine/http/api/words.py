"""Adds sentences for people to a call's response or problem, if the request asks for them (`words=true`).

The sentences are made only from the response without them, so they reveal nothing more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from locanda import messages
from locanda.games.base import Refusal
from locanda.games.game import AnyGame
from locanda.messages import Language, Table
from locanda.texts.selection import cards_of_moves
from locanda.texts.words import (
    Position,
    game_words,
    move_label,
    names_of,
    play_words,
    problem_words,
    table_words,
    view_words,
)
from services.common.negotiation import language
from services.engine import catalogue
from services.engine.http.api import decoding
from services.engine.http.problems.responses import title_of
from services.engine.http.server.context import AppContext, HttpRequest
from services.engine.http.server.errors import problem_of
from services.engine.service.idempotency import TableReply

M = TypeVar("M", bound=Struct)

Values: TypeAlias = Mapping[str, Any]
"""The arguments of the call's handler."""
AddWords: TypeAlias = Callable[[AppContext, Values, Any, Language], Awaitable[Any]]
"""Takes a handler's result, and returns the result with sentences for people."""

CACHED_TABLES = 512
"""Number of cached tables with sentences, about 6 KB each."""

_encoder = msgspec.json.Encoder()
_table_decoder = msgspec.json.Decoder(Table)


@lru_cache(maxsize=CACHED_TABLES)
def table_in_words(table: bytes, language: Language) -> bytes:
    """Return a table's JSON with sentences for people added; cached, since many viewers share a view."""
    return _encoder.encode(_with_words(_table_decoder.decode(table), language))


def _with_words(table: Table, language: Language) -> Table:
    return replace(table, words=table_words(table, catalogue.details(table.game), language))


# --- answers


async def _table(_context: AppContext, _values: Values, reply: TableReply, language: Language) -> TableReply:
    return replace(reply, body=table_in_words(reply.body, language))


def _around_a_table(type_: type[messages.Seated] | type[messages.Moved]) -> AddWords:
    """Return a function that adds sentences to the table in a message; not cached, as it may have a token."""
    decoder = msgspec.json.Decoder(type_)

    async def add(_context: AppContext, _values: Values, reply: TableReply, language: Language) -> TableReply:
        message = decoder.decode(reply.body)
        return replace(reply, body=_encoder.encode(replace(message, table=_with_words(message.table, language))))

    return add


async def _as_it_is(
    _context: AppContext, _values: Values, remark: messages.SaidRemark, _: Language
) -> messages.SaidRemark:
    return remark


async def _events(
    _context: AppContext, _values: Values, page: messages.EventPage, language: Language
) -> messages.EventPage:
    items: list[messages.EventItem] = []
    for item in page.events:
        await asyncio.sleep(0)  # let other requests run: writing the sentences of a table takes as long as a move
        table: Any = msgspec.Raw(table_in_words(_encoder.encode(item.table), language))
        items.append(replace(item, table=table))
    return messages.EventPage(items)


async def _game(
    _context: AppContext, _values: Values, game: messages.GameDetails, language: Language
) -> messages.GameDetails:
    return replace(game, words=game_words(game, language))


async def _verdict(
    context: AppContext, values: Values, verdict: messages.Verdict, language: Language
) -> messages.Verdict:
    if verdict.code is UNSET:
        return verdict
    seen = _position(values) if "game" in values else await _seen(context, values["table"], values["token"])
    refusals = [Refusal(verdict.code, verdict.facts or {}), *(verdict.others or ())]
    texts = (
        problem_words(reason.code, reason.facts, seen, title_of(reason.code, language), language) for reason in refusals
    )
    return replace(verdict, text=" ".join(dict.fromkeys(texts)))


async def _moves(
    context: AppContext, values: Values, legal: messages.LegalMoves, language: Language
) -> messages.LegalMoves:
    if "game" in values:
        seen = _position(values)
    else:  # the table may have changed since the moves were listed, so take moves and labels from the same view
        table = await _seen(context, values["table"], values["token"])
        if table.deal is None:
            return replace(legal, words=messages.MovesWords(language, []))
        seen = Position(table.game, table.deal, table.moves)
        legal = messages.LegalMoves(table.deal.turn, table.moves)
    labels = [move_label(seen.game, move, seen.view, language) for move in seen.moves]
    takes = cards_of_moves(seen.game, seen.moves, seen.view)
    return replace(legal, words=messages.MovesWords(language, labels, takes))


async def _played(
    _context: AppContext, values: Values, answer: messages.PlayAnswer, language: Language
) -> messages.PlayAnswer:
    names = _names(values, language)
    return replace(answer, words=play_words(values["game"].name, answer.events, answer.result, names, language))


async def _view(
    _context: AppContext, values: Values, answer: messages.ViewAnswer, language: Language
) -> messages.ViewAnswer:
    return replace(answer, words=view_words(values["game"].name, answer.view, _names(values, language), language))


def _names(values: Values, language: Language) -> list[str]:
    body: messages.MoveRequest | messages.ViewRequest = values["body"]
    return names_of(len(body.deal.hands), [] if body.names is UNSET else body.names, language)


def _position(values: Values) -> Position:
    """Return the view of the seat on turn in a deal that the client has sent, already validated by the handler."""
    game: AnyGame = values["game"]
    deal = game.from_wire(values["body"].deal)
    return Position(game.name, game.view(deal, deal.turn), msgspec.to_builtins(game.moves(deal)))


ADDERS: dict[type[Struct] | str, AddWords] = {
    messages.Table: _table,
    messages.Seated: _around_a_table(messages.Seated),
    messages.Moved: _around_a_table(messages.Moved),
    messages.EventPage: _events,
    messages.GameDetails: _game,
    messages.Verdict: _verdict,
    messages.LegalMoves: _moves,
    messages.PlayAnswer: _played,
    messages.ViewAnswer: _view,
    messages.SaidRemark: _as_it_is,
}
"""The function that adds the sentences for people, by the type of the response's message."""


async def _seen(context: AppContext, table: str, token: str | None) -> Table:
    """Return the table in the view of a token's seat. Raises the same errors as `Queries.show`."""
    return _table_decoder.decode((await context.service.queries.show(table, token)).body)


# --- problems


async def sentence_of(deal: type[Struct] | None, request: HttpRequest, error: Exception) -> str:
    """Return the sentence about a problem, if the request asks for it; `deal` is the type of a body with a deal."""
    try:
        problem_and_headers = problem_of(error)
        if problem_and_headers is None or not decoding.words(request):
            return ""
        problem, spoken = problem_and_headers[0], language(request)
        seen = await _seen_by_caller(deal, request)
    except Exception:  # noqa: BLE001 - the problem is sent even if this fails
        return ""
    return problem_words(problem.code, problem.facts or {}, seen, title_of(problem.code, spoken), spoken)


async def _seen_by_caller(deal: type[Struct] | None, request: HttpRequest) -> Table | Position | None:
    """Return the table in the path, or the deal in the body, as the caller sees it; None if the request has neither."""
    try:
        if "table" in request.path_values:
            return await _seen(request.context, decoding.table_id(request), decoding.token(request))
        if deal in {messages.MoveRequest, messages.CheckRequest}:
            body = await decoding.body_decoder(deal)(request)
            return _position({"game": decoding.game(request), "body": body})
    except Exception:  # noqa: BLE001 - they may be the cause of the problem
        return None
    return None
