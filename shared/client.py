"""The engine's async client, and the public Python SDK.

    async with EngineClient.connect("http://127.0.0.1:8080") as engine:
        seated = await engine.open_table(OpenTable(game="gatto_rosso", name="Anna"))

Writes carry an idempotency key, so that a retry after a lost answer never acts twice. What goes wrong is raised as
one of the classes of `shared.errors`.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar
from uuid import uuid4

import aiohttp
import msgspec

from shared import messages, sse
from shared.errors import EngineError, UnavailableError, error_of, unreachable
from shared.games.registry import AnyDeal, AnyView
from shared.messages import EventItem, JsonObject, Problem

T = TypeVar("T")

TRIES = 6
"""With the pauses between them, long enough for an engine that is started again."""
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
SILENCE = 45.0
"""Seconds without a byte after which a stream counts as dead: the engine sends a comment every 15."""
LONG_POLL = 25.0


class EngineClient:
    """Async client of the engine's API; `shared.messages` says what each call takes and gives."""

    def __init__(self, base_url: str, session: aiohttp.ClientSession) -> None:
        self._base = base_url.rstrip("/")
        self._session = session

    @classmethod
    @asynccontextmanager
    async def connect(cls, base_url: str) -> AsyncIterator["EngineClient"]:
        """Yield a client with a session of its own."""
        async with aiohttp.ClientSession() as session:
            yield cls(base_url, session)

    # --- the catalogue

    async def games(self) -> list[messages.GameInfo]:
        """Return every game."""
        return (await self._get("/v1/games", messages.Catalogue)).games

    async def game(self, name: str) -> messages.GameDetails:
        """Return a game with its rules."""
        return await self._get(f"/v1/games/{name}", messages.GameDetails)

    # --- the stateless calls

    async def deal(self, game: str, request: messages.DealRequest) -> AnyDeal:
        """Return a fresh deal; nothing is stored."""
        return (await self._send("POST", f"/v1/games/{game}/deals", request, messages.DealBody)).deal

    async def moves_of(self, game: str, deal: AnyDeal) -> messages.LegalMoves:
        """Return the legal moves of a deal."""
        return await self._send("POST", f"/v1/games/{game}/moves", messages.DealBody(deal), messages.LegalMoves)

    async def check_of(self, game: str, deal: AnyDeal, move: JsonObject) -> messages.Verdict:
        """Tell whether a move is legal in a deal."""
        return await self._send("POST", f"/v1/games/{game}/check", _with_move(deal, move), messages.Verdict)

    async def play_of(self, game: str, deal: AnyDeal, move: JsonObject) -> messages.PlayAnswer:
        """Return the deal after a move."""
        return await self._send("POST", f"/v1/games/{game}/play", _with_move(deal, move), messages.PlayAnswer)

    async def view_of(self, game: str, deal: AnyDeal, seat: int | None) -> AnyView:
        """Return what a seat, or a spectator, may see of a deal."""
        request = messages.ViewRequest(deal, seat)
        return (await self._send("POST", f"/v1/games/{game}/view", request, messages.ViewAnswer)).view

    # --- coming and going

    async def open_table(self, request: messages.OpenTable, *, key: str | None = None) -> messages.Seated:
        """Open a table and sit on its first seat."""
        return await self._send("POST", "/v1/tables", request, messages.Seated, key=key)

    async def change_table(self, table: str, token: str, request: messages.ChangeTable) -> messages.Table:
        """Change an open table. Host only."""
        return await self._send("PATCH", f"/v1/tables/{table}", request, messages.Table, token=token)

    async def tables(self, *, cursor: str | None = None, limit: int | None = None) -> messages.TablePage:
        """Return a page of the open tables that anyone may join."""
        return await self._get("/v1/tables", messages.TablePage, query={"cursor": cursor, "limit": limit})

    async def sit(
        self, table: str, request: messages.SitDown, token: str | None = None, *, key: str | None = None
    ) -> messages.Seated:
        """Sit down; with the host's token, seat a computer player."""
        return await self._send("POST", f"/v1/tables/{table}/seats", request, messages.Seated, token=token, key=key)

    async def leave(self, table: str, seat: int, token: str) -> messages.Table:
        """Leave one's seat, or remove somebody as the host."""
        return await self._send("DELETE", f"/v1/tables/{table}/seats/{seat}", None, messages.Table, token=token)

    async def give_seed(self, table: str, seat: int, token: str, request: messages.GiveSeed) -> messages.Table:
        """Give one's own share in the coming shuffle."""
        return await self._send("PUT", f"/v1/tables/{table}/seats/{seat}/seed", request, messages.Table, token=token)

    async def come_back(self, table: str, seat: int, token: str) -> messages.Table:
        """Take one's hand back from a computer player."""
        return await self._send("POST", f"/v1/tables/{table}/seats/{seat}/return", None, messages.Table, token=token)

    # --- playing

    async def start(
        self, table: str, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Start the match, or the rematch. Host only."""
        path = f"/v1/tables/{table}/start"
        return await self._send("POST", path, None, messages.Table, token=token, version=version, key=key)

    async def moves(self, table: str, token: str) -> messages.LegalMoves:
        """Return one's legal moves now."""
        return await self._get(f"/v1/tables/{table}/moves", messages.LegalMoves, token=token)

    async def play(
        self, table: str, token: str, move: JsonObject, *, version: int | None = None, key: str | None = None
    ) -> messages.Moved:
        """Make a move; with `version`, only if the table has not moved on since."""
        path = f"/v1/tables/{table}/moves"
        return await self._send("POST", path, _move(move), messages.Moved, token=token, version=version, key=key)

    async def check(self, table: str, token: str, move: JsonObject) -> messages.Verdict:
        """Tell whether one may make this move now, and if not, why."""
        return await self._send("POST", f"/v1/tables/{table}/moves/check", _move(move), messages.Verdict, token=token)

    # --- looking

    async def table(
        self, table: str, token: str | None = None, *, after: int | None = None, wait: float = LONG_POLL
    ) -> messages.Table:
        """Return the table as one sees it; with `after`, wait up to `wait` seconds for something newer."""
        query = {} if after is None else {"after": after, "wait": wait}
        return await self._get(f"/v1/tables/{table}", messages.Table, token=token, query=query)

    async def event_page(self, table: str, token: str | None = None, *, after: int | None = None) -> messages.EventPage:
        """Return the last few events, oldest first."""
        path = f"/v1/tables/{table}/events"
        return await self._get(path, messages.EventPage, token=token, query={"after": after})

    async def events(
        self, table: str, token: str | None = None, *, after: int | None = None
    ) -> AsyncGenerator[EventItem, None]:
        """Yield the table as it is, then after each step; or each step after `after`. Reconnects by itself.

        Raises `UnauthorizedError` or `NotFoundError` when there is nothing to follow any more.
        """
        pause = FIRST_PAUSE
        while True:
            try:
                async for item in self._stream(table, token, after):
                    after, pause = item.id, FIRST_PAUSE
                    yield item
            except UnavailableError as error:
                pause = error.retry_after or pause
            await asyncio.sleep(_jittered(pause))
            pause = min(pause * 2, LONGEST_PAUSE)

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> messages.Proof:
        """Return the proof of a finished deal's shuffle."""
        return await self._get(f"/v1/tables/{table}/deals/{deal}", messages.Proof, query={"match": match})

    # --- the wire

    async def _stream(self, table: str, token: str | None, after: int | None) -> AsyncIterator[EventItem]:
        headers = {"Accept": "text/event-stream"} | _bearer(token)
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=SILENCE)
        try:
            url = f"{self._base}/v1/tables/{table}/events"
            async with self._session.get(url, headers=headers, timeout=timeout) as answer:
                if answer.status != 200:
                    raise await _error(answer)
                async for event in sse.parse(answer.content):
                    yield _item(event)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise unreachable(type(error).__name__) from error

    async def _get(
        self, path: str, type_: type[T], *, token: str | None = None, query: Mapping[str, object] | None = None
    ) -> T:
        given = {name: str(value) for name, value in (query or {}).items() if value is not None}
        return msgspec.json.decode(
            await self._retry("GET", path, b"", {"Accept": "application/json"} | _bearer(token), given), type=type_
        )

    async def _send(
        self,
        method: str,
        path: str,
        body: msgspec.Struct | None,
        type_: type[T],
        *,
        token: str | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> T:
        headers = _bearer(token) | {"Idempotency-Key": key or str(uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        encoded = b"" if body is None else msgspec.json.encode(body)
        if encoded:
            headers["Content-Type"] = "application/json"
        return msgspec.json.decode(await self._retry(method, path, encoded, headers, {}), type=type_)

    async def _retry(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str], query: Mapping[str, str]
    ) -> bytes:
        pause = FIRST_PAUSE
        for tries_left in reversed(range(TRIES)):
            try:
                return await self._once(method, path, body, headers, query)
            except UnavailableError as error:
                if not tries_left:
                    raise
                await asyncio.sleep(_jittered(error.retry_after or pause))
                pause *= 2
        raise AssertionError("unreachable: the last try returns or raises")

    async def _once(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str], query: Mapping[str, str]
    ) -> bytes:
        timeout = aiohttp.ClientTimeout(total=10 + LONG_POLL)
        try:
            async with self._session.request(
                method, self._base + path, data=body or None, headers=headers, params=query, timeout=timeout
            ) as answer:
                if answer.status >= 400:
                    raise await _error(answer)
                return await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise unreachable(type(error).__name__) from error


def _with_move(deal: AnyDeal, move: JsonObject) -> messages.MoveRequest:
    return messages.MoveRequest(deal, msgspec.Raw(msgspec.json.encode(move)))


def _move(move: JsonObject) -> messages.PlayMove:
    return messages.PlayMove(msgspec.Raw(msgspec.json.encode(move)))


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def _item(event: sse.ServerSentEvent) -> EventItem:
    table = msgspec.json.decode(event.data, type=messages.Table)
    return EventItem(int(event.id), "gap" if event.event == "gap" else "change", table)


def _jittered(seconds: float) -> float:
    """Spread the retries of many clients, so that they do not all come back at once."""
    return seconds * random.uniform(0.5, 1.0)  # noqa: S311  (not a secret)


async def _error(answer: aiohttp.ClientResponse) -> EngineError:
    body = await answer.read()
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except msgspec.DecodeError:
        problem = Problem("about:blank", answer.reason or "", answer.status, "no_problem")
    return error_of(problem, _seconds(answer.headers.get("Retry-After")))


def _seconds(header: str | None) -> float | None:
    return float(header) if header and header.isdecimal() else None
