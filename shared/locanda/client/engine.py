"""`EngineClient`: opens connections, and adds the calls that take more than one plain API request."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import msgspec

from locanda import messages
from locanda.client.calls import EngineCalls
from locanda.client.requests import LONGEST_THOUGHT, bearer, conditions, decoded, entity_tag, path_of, request
from locanda.client.transport import Backoff, Call, RetryPolicy, ServerSentEvent, Transport
from locanda.errors import EngineError, MalformedError, TooManyRequestsError, UnavailableError, bad_answer
from locanda.games.registry import AnyDeal
from locanda.messages import AnyGameName, AnyMove, EventItem, Language

LONG_POLL = 25.0
LONGEST_REVIEW = LONGEST_THOUGHT
DEFAULT_RETRY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class NamedAccounts:
    """Names the account whose rate limits a call counts against, for a client that acts for many people."""

    key: str
    """The shared secret: `ENGINE_ACCOUNTS_KEY` of the engine."""
    name: Callable[[], str | None]
    """Called before each call. Returns the account's name (1 to 64 of A-Z a-z 0-9 . _ -), or None for the client's
    own."""

    def __repr__(self) -> str:
        """Return the representation without the key, which is secret."""
        return "NamedAccounts(...)"


def _present(headers: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if value is not None}


class EngineClient(EngineCalls):
    """Async client of the engine's API."""

    def __init__(  # noqa: PLR0913  (all are optional)
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
        """Use the caller's session; see `connect` for the other arguments."""
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

        super().__init__(Transport(base_url, session, retry, headers), words=words)

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
        """Yield a client with its own session. Raises `ValueError` for an invalid address.

        - `api_key`: needed if the engine lets only holders of a key open tables.
        - `language`: the language of error titles and of sentences.
        - `words`: whether responses contain sentences, in the fields `words` and `text` of `locanda.messages`.
        - `retry`: time limits of requests and retries.
        - `request_id`: called before each call; returns the id with which client and engine log the request.
        - `accounts`: names the account of each call, for a client that acts for many people.
        """
        # aiohttp's default limit of 100 connections counts streams too: with 100 streams open, every other call would
        # wait.
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

    async def game(self, name: AnyGameName) -> messages.GameDetails:
        """Return a game with its rules."""
        return await self._ask("GET", path_of("games", name), messages.GameDetails, {}, query=self._words)

    # --- the stateless calls

    async def check_of(self, game: AnyGameName, deal: AnyDeal, what: AnyMove | messages.Selection) -> messages.Verdict:
        """Return whether a move is legal in a deal; for selected cards, the moves that the selection can mean."""
        body = messages.CheckRequest(deal, **_checked(what))
        path = path_of("games", game, "check")
        return await self._ask("POST", path, messages.Verdict, {}, body=body, query=self._words)

    async def play_of(
        self,
        game: AnyGameName,
        deal: AnyDeal,
        move: AnyMove,
        *,
        names: Sequence[str] | None = None,
        moves: bool = False,
    ) -> messages.PlayAnswer:
        """Return the deal after a move (with `moves`, the next legal ones), worded with the players' `names`."""
        body = _with_move(deal, move, names, moves=moves)
        path = path_of("games", game, "play")
        return await self._ask("POST", path, messages.PlayAnswer, {}, body=body, query=self._words)

    # --- opening, joining, leaving

    async def lobby(self) -> AsyncGenerator[messages.LobbyNow, None]:
        """Yield the newest listed tables, open and in play, then again after each change of the lists.

        Reconnects without a time limit. Raises `NotFoundError` for an engine of release 0.1.0 or earlier.
        """
        call, backoff = Call("GET", path_of("lobby")), Backoff(self._transport.policy)
        while True:
            error: EngineError | None = None
            try:
                async for event in self._transport.stream(call, backoff.reset):
                    if event.event == "lobby":
                        yield decoded(event.data.encode(), messages.LobbyNow)
            except (UnavailableError, TooManyRequestsError) as problem:
                error = problem
            await asyncio.sleep(backoff.next_pause(error))

    # --- playing

    async def play(
        self, table: str, token: str, move: AnyMove, *, version: int | None = None, key: str | None = None
    ) -> messages.Moved:
        """Make a move. With `version`, raises `StaleError` if the table has changed since that version."""
        path, sent = path_of("tables", table, "moves"), conditions(token, version, key)
        return await self._ask("POST", path, messages.Moved, sent, body=_move(move), query=self._words)

    async def check(self, table: str, token: str, what: AnyMove | messages.Selection) -> messages.Verdict:
        """Return whether a move is legal now, or why not; for selected cards, the moves that the selection can mean."""
        path, body = path_of("tables", table, "moves", "check"), messages.CheckMove(**_checked(what))
        return await self._ask("POST", path, messages.Verdict, bearer(token), body=body, query=self._words)

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
        """Return the table as the token's seat sees it. With `after`, wait up to `wait` seconds for a newer version.

        `known` is the table as the same viewer last received it. If it has not changed, the engine does not send it
        again and `known` itself is returned.
        """
        headers = bearer(token) | ({} if known is None else {"If-None-Match": entity_tag(known)})
        query: dict[str, object] = {**self._words} if after is None else {**self._words, "after": after, "wait": wait}
        call = request("GET", path_of("tables", table), headers, query=query, wait=0 if after is None else wait)
        body = await self._transport.fetch(call)
        return known if body is None and known is not None else decoded(body, messages.Table)

    async def event_page(self, table: str, token: str | None = None, *, after: int | None = None) -> messages.EventPage:
        """Return the last few events, oldest first."""
        path = path_of("tables", table, "events")
        query = {**self._words, "after": after}
        return await self._ask("GET", path, messages.EventPage, bearer(token), query=query)

    async def events(  # noqa: PLR0913  (options of a stream)
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
        """Yield the current table, then the table after each change.

        With `after`, begin with the changes since that version instead of the current table.

        `seats` are the tokens of further seats. Before each event, `seen` is called for each valid token, with the
        token and the table as its seat sees it. Engines up to 0.1.0 send no views of further seats. `heard` is called
        with each remark made at the table; without `heard`, the client does not request remarks.

        Reconnects without a time limit. `connected` is called each time the stream opens, `lost` each time it breaks,
        with the error or None; an exception raised by either ends the stream. Raises `UnauthorizedError` or
        `NotFoundError` once the table, or the token's seat, no longer exists.
        """
        path, backoff = path_of("tables", table, "events"), Backoff(self._transport.policy)
        while True:
            error: EngineError | None = None
            try:
                wanted = {} if after is None else {"Last-Event-ID": str(after)}
                wanted |= {"Seat-Tokens": ",".join(seats)} if seats else {}
                query = self._words if heard is None else {**self._words, "remarks": "true"}
                call = Call("GET", path, bearer(token) | wanted, query)
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
                heard = None  # engines up to 0.1.0 refuse the parameter `remarks`
                continue
            lost(error)
            await asyncio.sleep(backoff.next_pause(error))

    async def say(self, table: str, seat: int, token: str, remark: messages.RemarkName) -> messages.SaidRemark:
        """Make a remark from the token's seat. Soon after another, raises `TooManyRequestsError` at once."""
        path, said = path_of("tables", table, "seats", seat, "remarks"), messages.MakeRemark(remark)
        call = request("POST", path, bearer(token), body=said, query=self._words)
        return decoded(await self._transport.fetch(call, insists=False), messages.SaidRemark)


def _with_move(deal: AnyDeal, move: AnyMove, names: Sequence[str] | None, *, moves: bool) -> messages.MoveRequest:
    raw = msgspec.Raw(msgspec.json.encode(move))
    return messages.MoveRequest(deal, raw, msgspec.UNSET if names is None else list(names), moves or msgspec.UNSET)


def _checked(what: AnyMove | messages.Selection) -> dict[str, Any]:
    """Return the request field for a move, or for selected cards."""
    if isinstance(what, messages.Selection):
        return {"selection": what}
    return {"move": msgspec.Raw(msgspec.json.encode(what))}


def _move(move: AnyMove) -> messages.PlayMove:
    return messages.PlayMove(msgspec.Raw(msgspec.json.encode(move)))


def _show(event: ServerSentEvent, of_seats: Iterator[str], seen: Callable[[str, messages.Table], None]) -> None:
    """Pass the view in this event to `seen`, with the seat's token. Raises `BadAnswerError` for too many views."""
    token = next(of_seats, None)
    if token is None:
        raise bad_answer("a stream shows more seats than were asked for")
    if event.data != "null":
        seen(token, decoded(event.data.encode(), messages.Table))


def _hear(event: ServerSentEvent, heard: Callable[[messages.SaidRemark], None] | None) -> None:
    """Pass a remark to `heard`; ignore a remark that only later releases know."""
    try:
        remark = msgspec.json.decode(event.data, type=messages.SaidRemark)
    except msgspec.ValidationError:
        return
    if heard is not None:
        heard(remark)


def _item(event: ServerSentEvent) -> EventItem:
    if not event.id.isdecimal():
        raise bad_answer("an event of the stream has no number")
    table = decoded(event.data.encode(), messages.Table)
    return EventItem(int(event.id), "gap" if event.event == "gap" else "change", table)
