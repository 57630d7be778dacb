"""No call blocks the event loop for much longer than reading a table. Tests every route for clients, with large inputs.

The total time of a request is bounded by its client's account. Here function calls are counted in each step between two
awaits, because their number does not depend on the machine's speed.
"""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from types import FrameType
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

MOST_LOOKS = 15.0
LISTED = 100
CHANGES = 32
"""The number of events that a table keeps."""
LONG_NAME = "Ospite con il nome più lungo che"
HOOK = {"url": "https://example.org/hook"}


class StepMeter:
    """Counts the function calls on this thread, including those of functions in C.

    A step lies between two readings of the count.
    """

    def __init__(self) -> None:
        self._readings: list[int] = []
        self._calls = 0

    def __call__(self) -> int:
        """Return the number of calls, and remember it as the end of a step."""
        self._readings.append(self._calls)
        return self._calls

    def count(self, _frame: FrameType, event: str, _argument: object) -> None:
        """Count a call. This is the callback of `sys.setprofile`."""
        self._calls += event in ("call", "c_call")

    def steps(self) -> list[int]:
        """Return the number of calls in each step since this method was last called."""
        readings, self._readings = self._readings, []
        return [end - begin for begin, end in zip(readings[::2], readings[1::2], strict=False)]


class MeasuredEngine:
    """An engine whose steps are measured, and values for the parameters of its paths."""

    def __init__(
        self, engine: RunningEngine, meter: StepMeter, players: SeatedPlayers, finished: SeatedPlayers
    ) -> None:
        self.engine = engine
        self.players = players
        self.finished = finished
        self._meter = meter

    async def steps(self, ask: Callable[[], Awaitable[ApiResponse]]) -> list[int]:
        """Return the number of calls in each step of a request.

        The request is sent twice, because the first one fills caches.
        """
        await ask()
        self._meter.steps()
        sys.setprofile(self._meter.count)
        try:
            answer = await ask()
        finally:
            sys.setprofile(None)
        assert answer.status != 429, answer.body
        return self._meter.steps()


def measured_steps(meter: StepMeter) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Return a replacement of `Accounts.charged` that measures steps and charges nothing."""
    charged = accounts._charged

    def measured(
        _accounts: accounts.Accounts, _group: bytes, work: Coroutine[Any, Any, Any], spent: float = 0.0
    ) -> Coroutine[Any, Any, Any]:
        return charged(work, lambda _: None, meter, 0.0)

    return measured


@pytest.fixture
async def measured() -> AsyncIterator[MeasuredEngine]:
    """An engine with full lists, a table with the maximum of stored events, and a finished match."""
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
    """Return the body in the documentation of a call."""
    path = route.path.replace("{game}", game)
    content = DOCUMENTATION.document["paths"][path][route.method.lower()]["requestBody"]["content"]
    names = [example["$ref"].rpartition("/")[2] for example in content["application/json"]["examples"].values()]
    body: JsonObject = DOCUMENTATION.document["components"]["examples"][names[0]]["value"]
    return body


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
    """Return a function that makes a call with a body of the maximum length."""
    players = measured.finished if route.operation_id in ("proof", "review") else measured.players
    values = VALUES | {"table": players.table, "game": game}
    path = route.path.format(**values) + QUERIES.get(route.operation_id, "")
    headers = {"Accept": "application/json"}
    token = players.tokens[0] if route.bearer != "none" else None
    body: Any = None
    if route.body is not None:
        call_body = BODIES[route.operation_id]() if route.operation_id in BODIES else body_of(route, game)
        octets = msgspec.json.encode(call_body)
        body = octets[:-1] + b" " * (BODY_LIMIT - len(octets)) + octets[-1:]
    return lambda: measured.engine.ask(route.method, path, body, token=token, headers=headers)


@pytest.mark.costly
async def test_no_step_of_a_call_takes_longer_than_fifteen_looks(measured: MeasuredEngine) -> None:
    look = sum(await measured.steps(lambda: measured.engine.get(measured.players.path)))
    looks_by_call: dict[str, float] = {}
    for route in ROUTES:
        for game in GAME_NAMES if "{game}" in route.path else GAME_NAMES[:1]:
            steps = await measured.steps(request_of(route, measured, game))
            looks_by_call[f"{route.method} {route.path} {game}"] = max(steps) / look
    assert {call: round(looks, 1) for call, looks in looks_by_call.items() if looks > MOST_LOOKS} == {}
