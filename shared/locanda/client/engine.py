"""The calls of the engine's API."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar
from urllib.parse import quote
from uuid import uuid4

import aiohttp
import msgspec

from locanda import messages
from locanda.client.transport import Backoff, Call, RetryPolicy, ServerSentEvent, Transport
from locanda.errors import EngineError, MalformedError, TooManyRequestsError, UnavailableError, bad_answer
from locanda.games.registry import AnyDeal, AnyView
from locanda.messages import AnyGameName, AnyMove, EventItem, Language

T = TypeVar("T")

LONG_POLL = 25.0
LONGEST_REVIEW = 60.0
DEFAULT_RETRY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class NamedAccounts:
    """The accounts to which the engine charges the calls of a client that acts for many people."""

    key: str
    """The engine's `ENGINE_ACCOUNTS_KEY`."""
    name: Callable[[], str | None]
    """Called before each call; returns the account's name (1 to 64 of A-Z a-z 0-9 . _ -), None for the client's own."""

    def __repr__(self) -> str:
        """Return a text without the key, which is secret."""
        return "NamedAccounts(...)"


def _present(headers: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if value is not None}


class EngineClient:
    """Async client of the engine's API."""

    def __init__(  # noqa: PLR0913  (its options)
        self,
        base_url: str,
        session: aiohttp.ClientSession,
        *,
        api_key: str | None = None,
        language: Language | None = None,
        words: bool = False,
        retry: RetryPolicy = DEFAULT_RETRY,
        request_id: Callable[[], str | None] = lambda: None,
        accounts: NamedAccounts | None = None,
    ) -> None:
        """Use a session of the caller's; the other arguments are those of `connect`."""
        always = _present(
            {
                "X-API-Key": api_key,
                "Accept-Language": language,
                "X-Accounts-Key": accounts.key if accounts else None,
            }
        )

        def headers() -> Mapping[str, str]:
            account = accounts.name() if accounts else None
            return {**always, **_present({"X-Request-ID": request_id(), "X-Account": account})}

        self._transport = Transport(base_url, session, retry, headers)
        self._words = {"words": "true"} if words else {}

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        base_url: str,
        *,
        api_key: str | None = None,
        language: Language | None = None,
        words: bool = False,
        retry: RetryPolicy = DEFAULT_RETRY,
        request_id: Callable[[], str | None] = lambda: None,
        accounts: NamedAccounts | None = None,
    ) -> AsyncIterator["EngineClient"]:
        """Yield a client with a session of its own. Raises `ValueError` for an invalid address.

        `api_key` is needed if the engine lets only holders of one open tables. `language` is that of problem titles and
        of sentences; with `words`, answers and problems have sentences in the fields `words` and `text` of
        `locanda.messages`. `retry` sets time limits and retries. `request_id` is called before each call and returns
        the id under which both sides log it. `accounts` names the account of each call, for a client
        that acts for many people.
        """
        # aiohttp's limit of 100 connections would include streams: with 100 of them open, every call would wait.
        connector, cookies = aiohttp.TCPConnector(limit=0), aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(connector=connector, cookie_jar=cookies) as session:
            yield cls(
                base_url,
                session,
                api_key=api_key,
                language=language,
                words=words,
                retry=retry,
                request_id=request_id,
                accounts=accounts,
            )

    # --- the server and its catalogue

    async def server(self, *, language: Language | None = None) -> messages.Server:
        """Return the release of the server, its public address, and announced maintenance.

        `language` is that of the announcement, in the place of the client's own. Raises `NotFoundError` for release
        0.1.0 or earlier.
        """
        headers = {"Accept-Language": language} if language else {}
        return await self._get(_path("server"), messages.Server, headers=headers)

    async def games(self) -> list[messages.GameInfo]:
        """Return every game."""
        return (await self._get(_path("games"), messages.Catalogue)).games

    async def game(self, name: AnyGameName) -> messages.GameDetails:
        """Return a game with its rules."""
        return await self._get(_path("games", name), messages.GameDetails, query=self._words)

    async def lesson(self, game: AnyGameName, *, language: Language | None = None) -> messages.Lesson:
        """Return the lesson of a game; `language` is that of its texts, in the place of the client's own."""
        headers = {"Accept-Language": language} if language else {}
        return await self._get(_path("games", game, "lesson"), messages.Lesson, headers=headers)

    # --- the stateless calls

    async def deal(self, game: AnyGameName, request: messages.DealRequest) -> AnyDeal:
        """Return a fresh deal; nothing is stored."""
        return (await self._query(_path("games", game, "deals"), request, messages.DealBody)).deal

    async def moves_of(self, game: AnyGameName, deal: AnyDeal) -> messages.LegalMoves:
        """Return the legal moves of a deal."""
        return await self._query(_path("games", game, "moves"), messages.DealBody(deal), messages.LegalMoves)

    async def check_of(self, game: AnyGameName, deal: AnyDeal, what: AnyMove | messages.Selection) -> messages.Verdict:
        """Return whether a move, or what selected cards can mean, is legal in a deal."""
        request = messages.CheckRequest(deal, **_checked(what))
        return await self._query(_path("games", game, "check"), request, messages.Verdict)

    async def play_of(
        self,
        game: AnyGameName,
        deal: AnyDeal,
        move: AnyMove,
        *,
        names: Sequence[str] | None = None,
        moves: bool = False,
    ) -> messages.PlayAnswer:
        """Return the deal after a move, with `moves` the legal moves too; `names`, by seat, are used in its words."""
        request = _with_move(deal, move, names, moves=moves)
        return await self._query(_path("games", game, "play"), request, messages.PlayAnswer)

    async def view_of(self, game: AnyGameName, deal: AnyDeal, seat: int | None) -> AnyView:
        """Return what a seat, or a spectator, may see of a deal."""
        request = messages.ViewRequest(deal, seat)
        return (await self._query(_path("games", game, "view"), request, messages.ViewAnswer)).view

    async def rounds(self, request: messages.RoundsRequest) -> messages.RoundsAnswer:
        """Return tables for the rounds of a tournament."""
        return await self._query(_path("rounds"), request, messages.RoundsAnswer)

    async def suggest(
        self, game: AnyGameName, request: messages.SuggestRequest, *, language: Language | None = None
    ) -> messages.Suggestion:
        """Return a computer player's move in a view, and why, in this language or else the client's."""
        headers = {} if language is None else {"Accept-Language": language}
        return await self._query(_path("games", game, "suggest"), request, messages.Suggestion, headers=headers)

    async def playouts(self, game: AnyGameName, request: messages.PlayoutsRequest) -> messages.PlayoutsAnswer:
        """Play many deals in one request; it ends where the work is enough, and says what is still to do."""
        return await self._query(_path("games", game, "playouts"), request, messages.PlayoutsAnswer)

    # --- opening, joining, leaving

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

    async def tables(
        self,
        *,
        status: Literal["open", "playing"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> messages.TablePage:
        """Return a page of the listed tables that anyone may join; with `status` playing, of those to watch."""
        query = {"status": status, "cursor": cursor, "limit": limit}
        return await self._get(_path("tables"), messages.TablePage, query=query)

    async def lobby(self) -> AsyncGenerator[messages.LobbyNow, None]:
        """Yield the newest listed tables, open and in play, and again whenever they have changed.

        Resumes a stream that broke, however long that takes. Raises `NotFoundError` for release 0.1.0 or earlier.
        """
        call, backoff = Call("GET", _path("lobby")), Backoff(self._transport.policy)
        while True:
            error: EngineError | None = None
            try:
                async for event in self._transport.stream(call, backoff.reset):
                    if event.event == "lobby":
                        yield _decoded(event.data.encode(), messages.LobbyNow)
            except (UnavailableError, TooManyRequestsError) as problem:
                error = problem
            await asyncio.sleep(backoff.next_pause(error))

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
        """Leave a seat: the token's own, or with the host's token another player's."""
        conditions = _conditions(token, version, key)
        return await self._write("DELETE", _path("tables", table, "seats", seat), None, messages.Table, conditions)

    async def set_level(
        self,
        table: str,
        seat: int,
        token: str,
        level: messages.SeatableLevel,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Set the level of a computer player at an open table. Host only."""
        path, conditions = _path("tables", table, "seats", seat), _conditions(token, version, key)
        return await self._write("PATCH", path, messages.SetLevel(level), messages.Table, conditions)

    async def set_name(
        self, table: str, seat: int, token: str, name: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Give a seat another name; the table keeps no earlier one.

        The token is the seat's own, or for a computer player's seat the host's.
        """
        path, conditions = _path("tables", table, "seats", seat, "name"), _conditions(token, version, key)
        return await self._write("PUT", path, messages.SetName(name), messages.Table, conditions)

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
        """Set the seat's client seed for the next match."""
        path, conditions = _path("tables", table, "seats", seat, "seed"), _conditions(token, version, key)
        return await self._write("PUT", path, request, messages.Table, conditions)

    async def come_back(
        self, table: str, seat: int, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Take the seat's hand back from the computer player."""
        path, conditions = _path("tables", table, "seats", seat, "return"), _conditions(token, version, key)
        return await self._write("POST", path, None, messages.Table, conditions)

    # --- playing

    async def start(
        self, table: str, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Start the match, or the rematch. Host only."""
        conditions = _conditions(token, version, key)
        return await self._write("POST", _path("tables", table, "start"), None, messages.Table, conditions)

    async def answer_rematch(
        self,
        table: str,
        seat: int,
        token: str,
        request: messages.AnswerRematch,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Say whether the seat stays for another match; the last answer begins it."""
        path, conditions = _path("tables", table, "seats", seat, "rematch"), _conditions(token, version, key)
        return await self._write("PUT", path, request, messages.Table, conditions)

    async def moves(self, table: str, token: str) -> messages.LegalMoves:
        """Return the legal moves of the token's seat."""
        path = _path("tables", table, "moves")
        return await self._get(path, messages.LegalMoves, headers=_bearer(token), query=self._words)

    async def play(
        self, table: str, token: str, move: AnyMove, *, version: int | None = None, key: str | None = None
    ) -> messages.Moved:
        """Make a move; with `version`, only if the table is still at that version."""
        path, conditions = _path("tables", table, "moves"), _conditions(token, version, key)
        return await self._write("POST", path, _move(move), messages.Moved, conditions)

    async def check(self, table: str, token: str, what: AnyMove | messages.Selection) -> messages.Verdict:
        """Return whether a move, or what selected cards can mean, is legal now, and if not, why."""
        path, request = _path("tables", table, "moves", "check"), messages.CheckMove(**_checked(what))
        return await self._query(path, request, messages.Verdict, headers=_bearer(token))

    async def hint(self, table: str, token: str, *, language: Language | None = None) -> messages.Hint:
        """Return what `hard` would play in the token's seat, and why, in this language or else the client's."""
        headers = _bearer(token) | ({} if language is None else {"Accept-Language": language})
        call = Call("POST", _path("tables", table, "hint"), headers, self._words)
        return _decoded(await self._transport.fetch(call), messages.Hint)

    # --- reading a table

    async def table(
        self,
        table: str,
        token: str | None = None,
        *,
        known: messages.Table | None = None,
        after: int | None = None,
        wait: float = LONG_POLL,
    ) -> messages.Table:
        """Return the table as the token's seat sees it; with `after`, wait up to `wait` seconds for a newer version.

        With `known`, the table as the same viewer last saw it, an unchanged table is not sent again: `known` itself is
        returned.
        """
        headers = _bearer(token) | ({} if known is None else {"If-None-Match": _entity_tag(known)})
        query: dict[str, object] = {**self._words} if after is None else {**self._words, "after": after, "wait": wait}
        call = _get_call(_path("tables", table), headers, query, wait=0 if after is None else wait)
        body = await self._transport.fetch(call)
        return known if body is None and known is not None else _decoded(body, messages.Table)

    async def event_page(self, table: str, token: str | None = None, *, after: int | None = None) -> messages.EventPage:
        """Return the last few events, oldest first."""
        path = _path("tables", table, "events")
        query = {**self._words, "after": after}
        return await self._get(path, messages.EventPage, headers=_bearer(token), query=query)

    async def events(  # noqa: PLR0913  (what a stream is asked for)
        self,
        table: str,
        token: str | None = None,
        *,
        after: int | None = None,
        seats: Sequence[str] = (),
        seen: Callable[[str, messages.Table], None] = lambda _token, _table: None,
        heard: Callable[[messages.SaidRemark], None] | None = None,
        connected: Callable[[], None] = lambda: None,
        lost: Callable[[EngineError | None], None] = lambda _: None,
    ) -> AsyncGenerator[EventItem, None]:
        """Yield the table as it is, then after each step; with `after`, each step after that version.

        `seats` are tokens of further seats: before each event, `seen` is called with each of them that is a seat's and
        the table as that seat sees it. Servers up to 0.1.0 send no such views. `heard` is called with what people say
        at the table: without it, the stream does not ask for that.

        Resumes a stream that broke, however long that takes. Calls `connected` each time the stream opens, and `lost`
        each time it breaks, with the error if there was one; an exception of theirs ends the stream. Raises
        `UnauthorizedError` or `NotFoundError` when the table, or the seat, does not exist any more.
        """
        path, backoff = _path("tables", table, "events"), Backoff(self._transport.policy)
        while True:
            error: EngineError | None = None
            try:
                wanted = {} if after is None else {"Last-Event-ID": str(after)}
                wanted |= {"Seat-Tokens": ",".join(seats)} if seats else {}
                query = self._words if heard is None else {**self._words, "remarks": "true"}
                call = Call("GET", path, _bearer(token) | wanted, query)
                of_seats = iter(seats)
                async for event in self._transport.stream(call, connected):
                    if event.event == "seat":
                        _show(event, of_seats, seen)
                        continue
                    if event.event == "remark":
                        _hear(event, heard)
                        continue
                    item, of_seats = _item(event), iter(seats)
                    after = item.id
                    backoff.reset()
                    yield item
            except (UnavailableError, TooManyRequestsError) as problem:
                error = problem
            except MalformedError:
                if heard is None:
                    raise
                heard = None  # servers up to 0.1.0 know nothing of remarks
                continue
            lost(error)
            await asyncio.sleep(backoff.next_pause(error))

    async def say(self, table: str, seat: int, token: str, remark: messages.RemarkName) -> messages.SaidRemark:
        """Say something from the token's seat. Raises `TooManyRequestsError` at once if it has just spoken."""
        call = Call(
            "POST",
            _path("tables", table, "seats", seat, "remarks"),
            _bearer(token) | {"Content-Type": "application/json"},
            self._words,
            body=msgspec.json.encode(messages.MakeRemark(remark)),
        )
        return _decoded(await self._transport.fetch(call, insists=False), messages.SaidRemark)

    async def remarks(self) -> messages.RemarkList:
        """Return what may be said at a table, in the client's language."""
        return await self._get(_path("remarks"), messages.RemarkList)

    # --- notices

    async def subscribe(self, table: str, token: str, request: messages.Subscribe) -> messages.Subscribed:
        """Have notices of a table sent to a server; the same URL again changes what is sent, and the secret."""
        path = _path("tables", table, "subscriptions")
        return await self._query(path, request, messages.Subscribed, headers=_bearer(token))

    async def subscriptions(self, table: str, token: str) -> messages.SubscriptionList:
        """Return the subscriptions of the token's seat."""
        path = _path("tables", table, "subscriptions")
        return await self._get(path, messages.SubscriptionList, headers=_bearer(token))

    async def unsubscribe(self, table: str, token: str, subscription: str) -> messages.SubscriptionList:
        """End a subscription of the token's seat, and return the others.

        Raises `NotFoundError` if there is none, as after a lost answer.
        """
        call = Call("DELETE", _path("tables", table, "subscriptions", subscription), _bearer(token))
        return _decoded(await self._transport.fetch(call), messages.SubscriptionList)

    async def set_evening(self, table: str, token: str, game: str, at: datetime | None) -> messages.NextEvening:
        """Set when the people of a table meet again, None for not at all: who has subscribed gets notices of it."""
        call = Call(
            "PUT",
            _path("tables", table, "evening"),
            _bearer(token) | {"Content-Type": "application/json"},
            body=msgspec.json.encode(messages.SetEvening(game, at)),
        )
        return _decoded(await self._transport.fetch(call), messages.NextEvening)

    # --- finished deals

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> messages.Proof:
        """Return the proof of a finished deal's shuffle."""
        return await self._get(_path("tables", table, "deals", deal), messages.Proof, query={"match": match})

    async def review(
        self, table: str, token: str, deal: int, *, match: int | None = None, language: Language | None = None
    ) -> messages.Review:
        """Return the token's moves of a finished deal, beside what `hard` would have played.

        Reasons are in `language`, by default the client's. The first request for a deal may take a minute.
        """
        headers = _bearer(token) | ({} if language is None else {"Accept-Language": language})
        path = _path("tables", table, "deals", deal, "review")
        return _decoded(
            await self._transport.fetch(_get_call(path, headers, {**self._words, "match": match}, wait=LONGEST_REVIEW)),
            messages.Review,
        )

    # --- requests and answers

    async def _get(
        self,
        path: str,
        type_: type[T],
        *,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> T:
        return _decoded(await self._transport.fetch(_get_call(path, headers or {}, query or {})), type_)

    async def _query(
        self, path: str, body: msgspec.Struct, type_: type[T], *, headers: Mapping[str, str] | None = None
    ) -> T:
        """Send a POST that changes nothing."""
        sent = {**(headers or {}), "Content-Type": "application/json"}
        query = {} if type_ in (messages.DealBody, messages.PlayoutsAnswer) else self._words
        call = Call("POST", path, sent, query, body=msgspec.json.encode(body))
        return _decoded(await self._transport.fetch(call), type_)

    async def _write(
        self, method: str, path: str, body: msgspec.Struct | None, type_: type[T], conditions: Mapping[str, str]
    ) -> T:
        sent = dict(conditions) if body is None else {**conditions, "Content-Type": "application/json"}
        encoded = b"" if body is None else msgspec.json.encode(body)
        return _decoded(await self._transport.fetch(Call(method, path, sent, self._words, body=encoded)), type_)


def _path(*parts: str | int) -> str:
    """Return the path of these segments, each quoted."""
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def _get_call(path: str, headers: Mapping[str, str], query: Mapping[str, object], *, wait: float = 0) -> Call:
    given = {name: str(value) for name, value in query.items() if value is not None}
    return Call("GET", path, {"Accept": "application/json", **headers}, given, wait=wait)


def _with_move(deal: AnyDeal, move: AnyMove, names: Sequence[str] | None, *, moves: bool) -> messages.MoveRequest:
    raw = msgspec.Raw(msgspec.json.encode(move))
    return messages.MoveRequest(deal, raw, msgspec.UNSET if names is None else list(names), moves or msgspec.UNSET)


def _checked(what: AnyMove | messages.Selection) -> dict[str, Any]:
    """Return the field that says what is to be checked."""
    if isinstance(what, messages.Selection):
        return {"selection": what}
    return {"move": msgspec.Raw(msgspec.json.encode(what))}


def _move(move: AnyMove) -> messages.PlayMove:
    return messages.PlayMove(msgspec.Raw(msgspec.json.encode(move)))


def _entity_tag(known: messages.Table) -> str:
    """Return the entity tag with which a table came."""
    language = f"-{known.words.language}" if known.words else ""
    return f'"{known.version}{language}"'


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def _conditions(token: str | None, version: int | None, key: str | None) -> dict[str, str]:
    """Return the headers of a write: token, expected version of the table, idempotency key."""
    matching = {} if version is None else {"If-Match": f'"{version}"'}
    return _bearer(token) | matching | {"Idempotency-Key": key or str(uuid4())}


def _decoded(body: bytes | None, type_: type[T]) -> T:
    """Return the decoded answer. Raises `BadAnswerError` for one that is not of this type."""
    try:
        return msgspec.json.decode(body or b"", type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise bad_answer(f"no {type_.__name__} could be read: {error}") from error


def _show(event: ServerSentEvent, of_seats: Iterator[str], seen: Callable[[str, messages.Table], None]) -> None:
    """Pass on what the next of some seats sees. Raises `BadAnswerError` where there are no more of them."""
    token = next(of_seats, None)
    if token is None:
        raise bad_answer("a stream shows more seats than were asked for")
    if event.data != "null":
        seen(token, _decoded(event.data.encode(), messages.Table))


def _hear(event: ServerSentEvent, heard: Callable[[messages.SaidRemark], None] | None) -> None:
    """Pass on what somebody has said; a remark that a later release has added says nothing here."""
    try:
        remark = msgspec.json.decode(event.data, type=messages.SaidRemark)
    except msgspec.ValidationError:
        return
    if heard is not None:
        heard(remark)


def _item(event: ServerSentEvent) -> EventItem:
    if not event.id.isdecimal():
        raise bad_answer("an event of the stream has no number")
    table = _decoded(event.data.encode(), messages.Table)
    return EventItem(int(event.id), "gap" if event.event == "gap" else "change", table)
