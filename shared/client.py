"""The engine's async client, and the public Python SDK.

    async with EngineClient.connect("http://127.0.0.1:8080") as engine:
        seated = await engine.open_table(OpenTable(game="gatto_rosso", name="Anna"))

`shared.messages` says what each call takes and gives. What goes wrong is raised as one of the classes of
`shared.errors`, one a family of problems.

Every write carries an idempotency key, so that a retry after a lost answer never acts twice. Give a `key` of your own
to be safe across a crash of your program too: the same key with the same request gets the first answer again. With
`version`, a write is refused with `StaleError` once the table has moved on.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import quote
from uuid import uuid4

import aiohttp
import msgspec

from shared import messages, sse
from shared.errors import EngineError, TooManyRequestsError, UnavailableError, garbled
from shared.games.registry import AnyDeal, AnyView
from shared.messages import EventItem, JsonObject, Language
from shared.transport import Asked, Patience, Pauses, Transport

__all__ = ["EngineClient", "Patience"]

T = TypeVar("T")

LONG_POLL = 25.0
PATIENCE = Patience()


class EngineClient:
    """Async client of the engine's API."""

    def __init__(
        self,
        base_url: str,
        session: aiohttp.ClientSession,
        *,
        api_key: str | None = None,
        language: Language | None = None,
        patience: Patience = PATIENCE,
        request_id: Callable[[], str | None] = lambda: None,
    ) -> None:
        """Use a session of the caller's; what the rest means, `connect` tells."""
        told = {"X-API-Key": api_key, "Accept-Language": language}
        always = {name: value for name, value in told.items() if value is not None}

        def headers() -> Mapping[str, str]:
            now = request_id()
            return always if now is None else {**always, "X-Request-ID": now}

        self._transport = Transport(base_url, session, patience, headers)

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        base_url: str,
        *,
        api_key: str | None = None,
        language: Language | None = None,
        patience: Patience = PATIENCE,
        request_id: Callable[[], str | None] = lambda: None,
    ) -> AsyncIterator["EngineClient"]:
        """Yield a client with a session of its own. Raises `ValueError` for an address that is none.

        `api_key` opens a house that is closed to strangers. `language` is the one in which the engine may word its
        problems. `patience` sets time limits and retries. `request_id` returns the id under which both sides log the
        call that is about to be made.
        """
        async with aiohttp.ClientSession() as session:
            yield cls(base_url, session, api_key=api_key, language=language, patience=patience, request_id=request_id)

    # --- the catalogue

    async def games(self) -> list[messages.GameInfo]:
        """Return every game."""
        return (await self._get(_path("games"), messages.Catalogue)).games

    async def game(self, name: str) -> messages.GameDetails:
        """Return a game with its rules."""
        return await self._get(_path("games", name), messages.GameDetails)

    # --- the stateless calls

    async def deal(self, game: str, request: messages.DealRequest) -> AnyDeal:
        """Return a fresh deal; nothing is stored."""
        return (await self._ask(_path("games", game, "deals"), request, messages.DealBody)).deal

    async def moves_of(self, game: str, deal: AnyDeal) -> messages.LegalMoves:
        """Return the legal moves of a deal."""
        return await self._ask(_path("games", game, "moves"), messages.DealBody(deal), messages.LegalMoves)

    async def check_of(self, game: str, deal: AnyDeal, move: JsonObject) -> messages.Verdict:
        """Tell whether a move is legal in a deal."""
        return await self._ask(_path("games", game, "check"), _with_move(deal, move), messages.Verdict)

    async def play_of(self, game: str, deal: AnyDeal, move: JsonObject) -> messages.PlayAnswer:
        """Return the deal after a move."""
        return await self._ask(_path("games", game, "play"), _with_move(deal, move), messages.PlayAnswer)

    async def view_of(self, game: str, deal: AnyDeal, seat: int | None) -> AnyView:
        """Return what a seat, or a spectator, may see of a deal."""
        request = messages.ViewRequest(deal, seat)
        return (await self._ask(_path("games", game, "view"), request, messages.ViewAnswer)).view

    # --- coming and going

    async def open_table(self, request: messages.OpenTable, *, key: str | None = None) -> messages.Seated:
        """Open a table and sit on its first seat."""
        return await self._write("POST", _path("tables"), request, messages.Seated, _conditions(None, None, key))

    async def change_table(
        self,
        table: str,
        token: str,
        request: messages.ChangeTable,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Change an open table. Host only."""
        conditions = _conditions(token, version, key)
        return await self._write("PATCH", _path("tables", table), request, messages.Table, conditions)

    async def tables(self, *, cursor: str | None = None, limit: int | None = None) -> messages.TablePage:
        """Return a page of the open tables that anyone may join."""
        return await self._get(_path("tables"), messages.TablePage, query={"cursor": cursor, "limit": limit})

    async def sit(
        self,
        table: str,
        request: messages.SitDown,
        token: str | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Seated:
        """Sit down; with the host's token, seat a computer player."""
        conditions = _conditions(token, version, key)
        return await self._write("POST", _path("tables", table, "seats"), request, messages.Seated, conditions)

    async def leave(
        self, table: str, seat: int, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Leave one's seat, or remove somebody as the host."""
        conditions = _conditions(token, version, key)
        return await self._write("DELETE", _path("tables", table, "seats", seat), None, messages.Table, conditions)

    async def give_seed(
        self,
        table: str,
        seat: int,
        token: str,
        request: messages.GiveSeed,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Give one's own share in the coming shuffle."""
        path, conditions = _path("tables", table, "seats", seat, "seed"), _conditions(token, version, key)
        return await self._write("PUT", path, request, messages.Table, conditions)

    async def come_back(
        self, table: str, seat: int, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Take one's hand back from a computer player."""
        path, conditions = _path("tables", table, "seats", seat, "return"), _conditions(token, version, key)
        return await self._write("POST", path, None, messages.Table, conditions)

    # --- playing

    async def start(
        self, table: str, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Start the match, or the rematch. Host only."""
        conditions = _conditions(token, version, key)
        return await self._write("POST", _path("tables", table, "start"), None, messages.Table, conditions)

    async def moves(self, table: str, token: str) -> messages.LegalMoves:
        """Return one's legal moves now."""
        return await self._get(_path("tables", table, "moves"), messages.LegalMoves, headers=_bearer(token))

    async def play(
        self, table: str, token: str, move: JsonObject, *, version: int | None = None, key: str | None = None
    ) -> messages.Moved:
        """Make a move; with `version`, only if the table has not moved on since."""
        path, conditions = _path("tables", table, "moves"), _conditions(token, version, key)
        return await self._write("POST", path, _move(move), messages.Moved, conditions)

    async def check(self, table: str, token: str, move: JsonObject) -> messages.Verdict:
        """Tell whether one may make this move now, and if not, why."""
        path = _path("tables", table, "moves", "check")
        return await self._ask(path, _move(move), messages.Verdict, headers=_bearer(token))

    # --- looking

    async def table(
        self,
        table: str,
        token: str | None = None,
        *,
        known: messages.Table | None = None,
        after: int | None = None,
        wait: float = LONG_POLL,
    ) -> messages.Table:
        """Return the table as one sees it; with `after`, wait up to `wait` seconds for something newer.

        With `known`, as the same viewer last saw it, an unchanged table is not sent again: `known` itself is returned.
        """
        headers = _bearer(token) | ({} if known is None else {"If-None-Match": f'"{known.version}"'})
        query = {} if after is None else {"after": after, "wait": wait}
        asked = _asked(_path("tables", table), headers, query, wait=0 if after is None else wait)
        body = await self._transport.fetch(asked)
        return known if body is None and known is not None else _decoded(body, messages.Table)

    async def event_page(self, table: str, token: str | None = None, *, after: int | None = None) -> messages.EventPage:
        """Return the last few events, oldest first."""
        path = _path("tables", table, "events")
        return await self._get(path, messages.EventPage, headers=_bearer(token), query={"after": after})

    async def events(
        self,
        table: str,
        token: str | None = None,
        *,
        after: int | None = None,
        found: Callable[[], None] = lambda: None,
        lost: Callable[[EngineError | None], None] = lambda _: None,
    ) -> AsyncGenerator[EventItem, None]:
        """Yield the table as it is, then after each step; or each step after `after`.

        Resumes by itself where the connection was lost, however long that takes. Calls `found` each time it is there,
        and `lost` each time it is not, with the error if there was one; what these raise ends the stream. Raises
        `UnauthorizedError` or `NotFoundError` when there is nothing to follow any more.
        """
        path, pauses = _path("tables", table, "events"), Pauses(self._transport.patience)
        while True:
            error: EngineError | None = None
            try:
                resumed = {} if after is None else {"Last-Event-ID": str(after)}
                async for event in self._transport.stream(path, _bearer(token) | resumed, found):
                    item = _item(event)
                    after = item.id
                    pauses.start_again()
                    yield item
            except (UnavailableError, TooManyRequestsError) as problem:
                error = problem
            lost(error)
            await asyncio.sleep(pauses.after(error))

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> messages.Proof:
        """Return the proof of a finished deal's shuffle."""
        return await self._get(_path("tables", table, "deals", deal), messages.Proof, query={"match": match})

    # --- the wire

    async def _get(
        self,
        path: str,
        type_: type[T],
        *,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> T:
        return _decoded(await self._transport.fetch(_asked(path, headers or {}, query or {})), type_)

    async def _ask(
        self, path: str, body: msgspec.Struct, type_: type[T], *, headers: Mapping[str, str] | None = None
    ) -> T:
        """Ask by a POST that changes nothing."""
        sent = {**(headers or {}), "Content-Type": "application/json"}
        return _decoded(await self._transport.fetch(Asked("POST", path, sent, body=msgspec.json.encode(body))), type_)

    async def _write(
        self, method: str, path: str, body: msgspec.Struct | None, type_: type[T], conditions: Mapping[str, str]
    ) -> T:
        sent = dict(conditions) if body is None else {**conditions, "Content-Type": "application/json"}
        encoded = b"" if body is None else msgspec.json.encode(body)
        return _decoded(await self._transport.fetch(Asked(method, path, sent, body=encoded)), type_)


def _path(*parts: str | int) -> str:
    """Return the path of these parts, each of which stays one part whatever it holds."""
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def _asked(path: str, headers: Mapping[str, str], query: Mapping[str, object], *, wait: float = 0) -> Asked:
    given = {name: str(value) for name, value in query.items() if value is not None}
    return Asked("GET", path, {"Accept": "application/json", **headers}, given, wait=wait)


def _with_move(deal: AnyDeal, move: JsonObject) -> messages.MoveRequest:
    return messages.MoveRequest(deal, msgspec.Raw(msgspec.json.encode(move)))


def _move(move: JsonObject) -> messages.PlayMove:
    return messages.PlayMove(msgspec.Raw(msgspec.json.encode(move)))


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def _conditions(token: str | None, version: int | None, key: str | None) -> dict[str, str]:
    """Return the headers of a write: who acts, at which version of the table, and how its repetition is known."""
    matching = {} if version is None else {"If-Match": f'"{version}"'}
    return _bearer(token) | matching | {"Idempotency-Key": key or str(uuid4())}


def _decoded(body: bytes | None, type_: type[T]) -> T:
    """Return the answer. Raises `BadAnswerError` for one that this API does not give."""
    try:
        return msgspec.json.decode(body or b"", type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise garbled(f"no {type_.__name__} could be read: {error}") from error


def _item(event: sse.ServerSentEvent) -> EventItem:
    if not event.id.isdecimal():
        raise garbled("an event of the stream has no number")
    table = _decoded(event.data.encode(), messages.Table)
    return EventItem(int(event.id), "gap" if event.event == "gap" else "change", table)
