"""A running engine for tests: its server on a free port, a plain HTTP client, players at a table, captured logs."""

import io
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, redirect_stderr
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import pytest
import structlog
from aiohttp import ClientSession
from aiohttp.test_utils import BaseTestServer
from msgspec import structs

from locanda.messages import JsonObject
from services.common import logs
from services.engine import app
from services.engine.http.server.connections import Runner
from services.engine.http.server.context import AppContext
from services.engine.http.website import Website
from services.engine.service.clock import Pace, TableClock
from services.engine.service.renewal import renew
from services.engine.settings import EngineSettings
from services.engine.store import Store, connect
from services.engine.table.state import AnyTable, Transition, advance, with_seat
from tests.engine.fast_forward import fast_forward
from tests.redis_server import empty_database
from tests.waiting import until

NO_LIMITS = EngineSettings(
    engine_tables_per_minute=0,
    engine_seats_per_minute=0,
    engine_client_cpu_ms=0,
    engine_writes_per_second=0,
    engine_listed_tables=0,
    engine_client_mb=0,
    engine_think_ms=0,
    engine_review_iterations=100,
    engine_push="off",
)
"""Settings for fast tests: no limits, computer players that do not search, short reviews, and no push notices."""


class ApiRequest(NamedTuple):
    """A request. Its path may be the path of a route, with parameters in braces."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class ApiResponse:
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return msgspec.json.decode(self.body)

    @property
    def code(self) -> str:
        """The code of the problem in the body."""
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.json["status"] == self.status
        code: str = self.json["code"]
        return code


class RunningEngine:
    """An engine that serves on a free port, and a client session for it."""

    def __init__(self, server: BaseTestServer, session: ClientSession, context: AppContext, store: Store) -> None:
        self.server = server
        self.store = store
        self.session = session
        self.context = context

    def url(self, path: str) -> str:
        """Return the address of a path."""
        return str(self.server.make_url(path))

    async def ask(
        self,
        method: str,
        path: str,
        body: JsonObject | bytes | None = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ApiResponse:
        """Send a request, and read the whole response."""
        sent = dict(headers or {}) | ({"Authorization": f"Bearer {token}"} if token else {})
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        data = body if isinstance(body, bytes) or body is None else msgspec.json.encode(body)
        # The path is sent unchanged, even if it is invalid.
        url = self.server.make_url("/").joinpath(path.lstrip("/"), encoded=True) if "?" not in path else self.url(path)
        async with self.session.request(method, url, data=data, headers=sent, allow_redirects=False) as answer:
            return ApiResponse(answer.status, answer.headers, await answer.read())

    async def get(self, path: str, **rest: Any) -> ApiResponse:
        """Send a GET request."""
        return await self.ask("GET", path, **rest)

    async def post(self, path: str, body: JsonObject | bytes | None = None, **rest: Any) -> ApiResponse:
        """Send a POST request."""
        return await self.ask("POST", path, body, **rest)

    async def ready(self) -> None:
        """Wait until the engine is ready."""

        async def answered() -> bool:
            return (await self.get("/readyz")).status == 200

        await until(answered)

    async def followed(self, table: str, listeners: int = 1) -> None:
        """Wait until this number of long polls and streams are waiting for the next change of a table."""

        def waiting() -> bool:
            feed = self.context.service.queries._feeds._feeds.get(table)
            return feed is not None and sum(listener.waits for listener in feed.listeners) >= listeners

        await until(waiting)


class EngineServer(BaseTestServer):
    """The engine's own server on a port, without one on a free port."""

    def __init__(self, context: AppContext, website: Website | None, port: int | None = None) -> None:
        super().__init__(port=port)
        self._context = context
        self._website = website

    async def _make_runner(self, **_: object) -> Runner:
        return app.server(self._context, self._website)


def quicken_clocks(patch: pytest.MonkeyPatch, tick: float = 0.05) -> None:
    """Set the pause between rounds of the clock, in seconds, for engines that are started from now on."""
    patch.setattr(app, "TableClock", partial(TableClock, pace=Pace(tick, sweep=5 * tick)))


@asynccontextmanager
async def running_engine(
    settings: EngineSettings = NO_LIMITS,
    store: Store | None = None,
    now: Callable[[], int] | None = None,
    website: Website | None = None,
    port: int | None = None,
) -> AsyncIterator[RunningEngine]:
    """Run an engine, optionally with the page. Without `port`, it has a free one; without `store`, its own store."""
    async with AsyncExitStack() as stack:
        kept = store or await connect(
            settings.redis_url or await stack.enter_async_context(empty_database()), renew=renew
        )
        context = await stack.enter_async_context(app.running_engine(settings, kept, now=now))
        server = await stack.enter_async_context(EngineServer(context, website, port))
        yield RunningEngine(server, await stack.enter_async_context(ClientSession()), context, kept)


@dataclass
class SeatedPlayers:
    """A table, and the tokens of the people at it, by seat."""

    engine: RunningEngine
    table: str
    tokens: list[str]

    @property
    def path(self) -> str:
        """The table's path."""
        return f"/v1/tables/{self.table}"

    async def see(self, seat: int | None = None) -> JsonObject:
        """Return the table as seen by a seat, or by a spectator."""
        token = None if seat is None else self.tokens[seat]
        answer = await self.engine.get(self.path, token=token)
        assert answer.status == 200
        table: JsonObject = answer.json
        return table

    async def start(self) -> JsonObject:
        """Start the match. If a match is over, let all people stay for the next one."""
        answer = await self.engine.post(f"{self.path}/start", token=self.tokens[0])
        assert answer.status == 200, answer.body
        for seat, stays in enumerate((answer.json["rematch"] or {"answers": ()})["answers"]):
            if stays is None:
                answer = await self.answer_rematch(seat, stays=True)
        match_table: JsonObject = answer.json
        return match_table

    async def turn(self) -> int:
        """Return the seat on turn."""
        turn: int = (await self.see())["deal"]["turn"]
        return turn

    async def play(self, move: JsonObject | None = None, **rest: Any) -> ApiResponse:
        """Make this move, or the first legal one, for the seat on turn."""
        seat = await self.turn()
        chosen = move or (await self.see(seat))["moves"][0]
        return await self.engine.post(f"{self.path}/moves", {"move": chosen}, token=self.tokens[seat], **rest)

    async def answer_rematch(self, seat: int, *, stays: bool, key: str | None = None) -> ApiResponse:
        """Answer for a seat whether it stays for another match."""
        headers = {"Idempotency-Key": key} if key else {}
        path, body = f"{self.path}/seats/{seat}/rematch", {"stays": stays}
        return await self.engine.ask("PUT", path, body, token=self.tokens[seat], headers=headers)

    async def let_go_away(self, seat: int, missed: int = 2) -> None:
        """Mark a seat as away, as if its turns had timed out."""

        async def decide(table: AnyTable) -> Transition:
            away = structs.replace(table.seats[seat], away=True, missed=missed)
            return advance(with_seat(table, seat, away), [])

        await self.engine.context.service.tables._transactions.act(self.table, decide)

    async def play_out(self) -> JsonObject:
        """Play the first legal move on every turn until the match is over."""
        await fast_forward(self.engine.context.service, self.table)
        return await self.see()


async def seat_players(engine: RunningEngine, seats: int = 3, **fields: Any) -> SeatedPlayers:
    """Open a table, and let people take its seats."""
    opened = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"} | fields)
    assert opened.status == 201, opened.body
    players = SeatedPlayers(engine, opened.json["table"]["id"], [opened.json["token"]])
    for number in range(1, seats):
        sat = await engine.post(f"{players.path}/seats", {"name": f"Ospite {number}"})
        assert sat.status == 201, sat.body
        players.tokens.append(sat.json["token"])
    return players


@contextmanager
def captured_logs(format_: logs.Format = "json", level: logs.LogLevel = "info") -> Iterator[io.StringIO]:
    """Collect the log in its production format, instead of writing it to standard error."""
    root = logging.getLogger()
    handlers, before = root.handlers[:], root.level
    request_lines, configuration = logs._lines, structlog.get_config()
    with redirect_stderr(io.StringIO()) as text:
        logs.configure(level, format_)
    try:
        yield text
    finally:
        root.handlers[:], root.level = handlers, before
        logs._lines = request_lines
        structlog.configure(**configuration)
