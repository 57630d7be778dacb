"""No call holds the event loop for more than ten times as long as a look: every route for clients, with much to do.

What a request takes in all is bounded by its client's account. Here processor time is measured, of steps between two
waits, in one run: a slow or busy machine makes all of them slower.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import msgspec
import pytest

from locanda.games.registry import GAME_NAMES
from locanda.messages import JsonObject
from services.engine.app import DOCUMENTATION
from services.engine.http.api.handlers import ROUTES
from services.engine.http.api.route import Route
from services.engine.http.server.context import BODY_LIMIT
from services.engine.service import accounts
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    running_engine,
    seat_players,
)

pytestmark = pytest.mark.slow

TIMES = 7
"""How often each request is sent."""
MOST_LOOKS = 10.0
LISTED = 100
CHANGES = 32
"""Events that a table keeps."""
LONG_NAME = "Ospite con il nome più lungo che"
HOOK = {"url": "https://example.org/hook"}


class StepMeter:
    """A clock of processor time that knows the steps which were measured with it: each is begun and ended by a call."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self.reading = 0.0
        """Seconds that reading the last request took, before its first step."""

    def __call__(self) -> float:
        """Return the processor time, and remember it."""
        now = time.thread_time()
        self._times.append(now)
        return now

    def steps(self) -> list[float]:
        """Return the seconds of the steps since the last call."""
        times, self._times = self._times, []
        return [end - begin for begin, end in zip(times[::2], times[1::2], strict=False)]


class MeasuredEngine:
    """An engine whose steps are measured, and the places that the paths of its routes name."""

    def __init__(
        self, engine: RunningEngine, meter: StepMeter, players: SeatedPlayers, finished: SeatedPlayers
    ) -> None:
        self.engine = engine
        self.players = players
        self.finished = finished
        self._meter = meter

    async def longest_step(self, ask: Callable[[], Awaitable[ApiResponse]]) -> float:
        """Return how long the longest step of a request takes, at best of several times."""
        return min([max(await self._steps(ask)) for _ in range(TIMES)])

    async def whole(self, ask: Callable[[], Awaitable[ApiResponse]]) -> float:
        """Return how long reading a request and all its steps take, at best of several times."""
        return min([sum(await self._steps(ask)) + self._meter.reading for _ in range(TIMES)])

    async def _steps(self, ask: Callable[[], Awaitable[ApiResponse]]) -> list[float]:
        self._meter.steps()
        answer = await ask()
        assert answer.status != 429, answer.body
        return self._meter.steps()


def measured_steps(meter: StepMeter) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Return what `Accounts.charged` is replaced by: it measures steps, and charges nothing."""
    charged = accounts._charged

    def measured(
        _accounts: accounts.Accounts, _group: bytes, work: Coroutine[Any, Any, Any], spent: float = 0.0
    ) -> Coroutine[Any, Any, Any]:
        meter.reading = spent
        return charged(work, lambda _: None, meter, 0.0)

    return measured


@pytest.fixture
async def measured() -> AsyncIterator[MeasuredEngine]:
    """An engine with full lists, a table with all the events that one keeps, and a finished match."""
    meter = StepMeter()
    settings = msgspec.structs.replace(NO_LIMITS, engine_client_cpu_ms=1000, engine_webhooks="on")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts.Accounts, "charged", measured_steps(meter))
        async with running_engine(settings) as engine:
            for number in range(LISTED):
                listed = await seat_players(engine, 2, listed=True, name=LONG_NAME)
                if number % 2:
                    await listed.start()
            players = await seat_players(engine, 4, game="presidente", name=LONG_NAME, hints=True)
            await players.start()
            for _ in range(CHANGES):
                await players.play()
            finished = await seat_players(engine, 2, options={"deals": 1})
            await finished.start()
            await finished.play_out()
            yield MeasuredEngine(engine, meter, players, finished)


def body_of(route: Route, game: str) -> JsonObject:
    """Return the documented body of a call."""
    path = route.path.replace("{game}", game)
    content = DOCUMENTATION.document["paths"][path][route.method.lower()]["requestBody"]["content"]
    names = [each["$ref"].rpartition("/")[2] for each in content["application/json"]["examples"].values()]
    found: JsonObject = DOCUMENTATION.document["components"]["examples"][names[0]]["value"]
    return found


TABLES = [[*range(first, first + 4)] for first in range(0, 64, 4)]
BODIES: dict[str, Callable[[], JsonObject]] = {
    "rounds": lambda: {
        "people": list(range(64)),
        "rounds": 12,
        "played": [[[*range(n, n + 4)] for n in range(0, 64, 4)]],
    },
    "subscribe": lambda: HOOK,
}
QUERIES = {
    "listed": "?limit=100",
    "events": "?words=true",
    "look": "?words=true",
    "game": "?words=true",
    "table_moves": "?words=true",
    "review": "?words=true",
}
VALUES = {"seat": "0", "deal": "1", "subscription": "A" * 22, "code": "too_many_requests"}


def request_of(route: Route, measured: MeasuredEngine, game: str) -> Callable[[], Awaitable[ApiResponse]]:
    """Return a function that makes a call, with a body as long as it may be."""
    players = measured.finished if route.operation_id in ("proof", "review") else measured.players
    values = VALUES | {"table": players.table, "game": game}
    path = route.path.format(**values) + QUERIES.get(route.operation_id, "")
    headers = {"Accept": "application/json"}
    token = players.tokens[0] if route.bearer != "none" else None
    body: Any = None
    if route.body is not None:
        given = BODIES[route.operation_id]() if route.operation_id in BODIES else body_of(route, game)
        octets = msgspec.json.encode(given)
        body = octets[:-1] + b" " * (BODY_LIMIT - len(octets)) + octets[-1:]
    return lambda: measured.engine.ask(route.method, path, body, token=token, headers=headers)


async def test_no_step_of_a_call_takes_longer_than_ten_looks(measured: MeasuredEngine) -> None:
    look = await measured.whole(lambda: measured.engine.get(measured.players.path))
    found: dict[str, float] = {}
    for route in ROUTES:
        for game in GAME_NAMES if "{game}" in route.path else GAME_NAMES[:1]:
            ask = request_of(route, measured, game)
            await ask()  # fills caches, as the first one of a process does
            found[f"{route.method} {route.path} {game}"] = await measured.longest_step(ask) / look
    assert {call: round(looks, 1) for call, looks in found.items() if looks > MOST_LOOKS} == {}
