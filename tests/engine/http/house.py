"""An engine behind a real socket, and a plain client that shows every status, header and byte."""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, redirect_stderr
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
import structlog
from aiohttp import ClientSession
from aiohttp.test_utils import BaseTestServer

from services.engine import app
from services.engine.http import house as engine_http
from services.engine.http.serving import Runner
from services.engine.settings import Settings
from services.engine.store import Store, connect
from shared import logs

JsonObject: TypeAlias = dict[str, Any]

FREE = Settings(engine_tables_per_minute=0, engine_seats_per_minute=0, engine_requests_per_second=0, engine_think_ms=0)
"""No limits, and computer players that do not think."""


@dataclass(frozen=True)
class Answer:
    """An answer, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return msgspec.json.decode(self.body)

    @property
    def code(self) -> str:
        """The problem's code."""
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.json["status"] == self.status
        code: str = self.json["code"]
        return code


class House:
    """A running engine."""

    def __init__(self, server: BaseTestServer, session: ClientSession, engine: engine_http.House) -> None:
        self.server = server
        self.session = session
        self.engine = engine

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
    ) -> Answer:
        """Ask, and read the whole answer."""
        sent = dict(headers or {}) | ({"Authorization": f"Bearer {token}"} if token else {})
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        data = body if isinstance(body, bytes) or body is None else msgspec.json.encode(body)
        # The path is sent as it is written, however wrong that is.
        url = self.server.make_url("/").joinpath(path.lstrip("/"), encoded=True) if "?" not in path else self.url(path)
        async with self.session.request(method, url, data=data, headers=sent, allow_redirects=False) as answer:
            return Answer(answer.status, answer.headers, await answer.read())

    async def get(self, path: str, **rest: Any) -> Answer:
        """GET."""
        return await self.ask("GET", path, **rest)

    async def post(self, path: str, body: JsonObject | bytes | None = None, **rest: Any) -> Answer:
        """POST."""
        return await self.ask("POST", path, body, **rest)

    async def ready(self) -> None:
        """Wait until the engine is ready."""
        async with asyncio.timeout(10):
            while True:
                if (await self.get("/readyz")).status == 200:
                    return
                await asyncio.sleep(0.05)


class EngineServer(BaseTestServer):
    """The engine's own server on a free port."""

    def __init__(self, engine: engine_http.House) -> None:
        super().__init__()
        self._engine = engine

    async def _make_runner(self, **_: object) -> Runner:
        return Runner(self._engine)


@asynccontextmanager
async def house(
    settings: Settings = FREE, store: Store | None = None, now: Callable[[], int] = app.now
) -> AsyncIterator[House]:
    """Run an engine on a free port; without a store, on one of its own."""
    kept = store or await connect(settings.redis_url or None)
    async with (
        app.opened(settings, kept, now=now) as engine,
        EngineServer(engine) as server,
        ClientSession() as session,
    ):
        yield House(server, session, engine)


@dataclass
class Players:
    """A table and who sits at it."""

    house: House
    table: str
    tokens: list[str]

    @property
    def path(self) -> str:
        """The table's path."""
        return f"/v1/tables/{self.table}"

    async def see(self, seat: int | None = None) -> JsonObject:
        """Return the table as a seat, or a spectator, sees it."""
        token = None if seat is None else self.tokens[seat]
        answer = await self.house.get(self.path, token=token)
        assert answer.status == 200
        found: JsonObject = answer.json
        return found

    async def start(self) -> JsonObject:
        """Start the match."""
        answer = await self.house.post(f"{self.path}/start", token=self.tokens[0])
        assert answer.status == 200, answer.body
        found: JsonObject = answer.json
        return found

    async def turn(self) -> int:
        """Return the seat on turn."""
        turn: int = (await self.see())["deal"]["turn"]
        return turn

    async def play(self, move: JsonObject | None = None, **rest: Any) -> Answer:
        """Make a move for the seat on turn: this one, or the first legal one."""
        seat = await self.turn()
        chosen = move or (await self.see(seat))["moves"][0]
        return await self.house.post(f"{self.path}/moves", {"move": chosen}, token=self.tokens[seat], **rest)

    async def play_out(self) -> JsonObject:
        """Play until the match is over."""
        while True:
            answer = await self.play()
            assert answer.status == 200, answer.body
            table: JsonObject = answer.json["table"]
            if table["status"] == "over":
                return table


async def gather(house: House, seats: int = 3, **terms: Any) -> Players:
    """Open a table and let people sit down."""
    opened = await house.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"} | terms)
    assert opened.status == 201, opened.body
    players = Players(house, opened.json["table"]["id"], [opened.json["token"]])
    for number in range(1, seats):
        sat = await house.post(f"{players.path}/seats", {"name": f"Ospite {number}"})
        assert sat.status == 201, sat.body
        players.tokens.append(sat.json["token"])
    return players


@contextmanager
def written(format_: logs.Format = "json", level: logs.Level = "info") -> Iterator[io.StringIO]:
    """Logs as they are in production, here instead of on standard error."""
    root = logging.getLogger()
    handlers, before = root.handlers[:], root.level
    request_lines = logs._lines
    with redirect_stderr(io.StringIO()) as text:
        logs.configure(level, format_)
    try:
        yield text
    finally:
        root.handlers[:], root.level = handlers, before
        logs._lines = request_lines
        structlog.reset_defaults()
