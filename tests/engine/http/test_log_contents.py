"""Logs and metrics of whole matches contain only known words and numbers, even if internal errors occur."""

import json
import re
from collections.abc import Awaitable, Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from locanda.games.rules import GAMES
from services.common import logs
from services.engine.http.api.handlers import ROUTES
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.store import Store, connect
from services.engine.store.errors import StoreDownError
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    captured_logs,
    running_engine,
    seat_players,
)
from tests.sampling import WHOLE, sampled

pytestmark = pytest.mark.slow

MOVES = 60 if WHOLE else 30
EVERY = 9
"""One in this number of calls to the store fails."""
ID = "a-request-s-id"
PATHS = {route.path for route in ROUTES} | {"unmatched"}

EVENTS = {
    "request",
    "transition",
    "internal_error",
    "table_failed",
    "table_not_checked",
    "table_retried_later",
    "clock_suspended",
    "clock_resumed",
}
LOGGED: dict[str, Callable[[Any], object]] = {
    "event": EVENTS.__contains__,
    "level": lambda value: value in {"debug", "info", "warning", "error"},
    "logger": lambda value: re.fullmatch(r"engine(\.[a-z]+)?", value),
    "timestamp": lambda value: re.fullmatch(r"[-0-9T:.]+Z", value),
    "request_id": lambda value: value == ID,
    "method": lambda value: value in {"GET", "POST"},
    "route": lambda value: value in PATHS,
    "status": lambda value: value in range(200, 600),
    "ms": lambda value: isinstance(value, float),
    "error": lambda value: value in {"StoreDownError", "RuntimeError"},
    "reason": lambda value: value == "ConnectionError",
    "table": lambda value: len(value) == 6,
    "version": lambda value: isinstance(value, int),
    "outcome": lambda value: value in {"committed", "clash", "replayed"},
    "at": lambda value: all(re.fullmatch(r"\S+\.py:\d+ [\w<>]+", frame) for frame in value),
}
"""The allowed fields of a line in the log, with a check of each value."""

LABELS: dict[str, Callable[[str], object]] = {
    "route": lambda value: value in PATHS,
    "method": lambda value: value in {"GET", "POST"},
    "status": str.isdigit,
    "game": lambda value: value in GAMES,
    "code": lambda value: value in PROBLEM_TYPES,
    "event": lambda value: value in {"change", "gap"},
    "outcome": lambda value: value in {"committed", "clash", "replayed"},
    "le": lambda value: value == "+Inf" or float(value) >= 0,
}
"""Allowed labels of metrics, in addition to those of the process and the platform."""
OF_THE_PROCESS = ("python_", "process_", "locanda_build")


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let some calls of the store raise an outage, and others an error whose message quotes the arguments."""
    calls = 0

    def failing(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls % EVERY == 0:
                raise StoreDownError("ConnectionError")
            if calls % EVERY == 4:
                raise RuntimeError(f"this went wrong: {arguments!r}")
            return await method(*arguments)

        return call

    for name in ("load", "commit", "events"):
        monkeypatch.setattr(Store, name, failing(getattr(Store, name)))


async def _ask(players: SeatedPlayers, method: str, path: str, seat: int, body: Any = None) -> ApiResponse:
    """Send a request until it succeeds. Failures must have no detail."""
    for _ in range(9):
        headers = {"X-Request-ID": ID, "Accept": "application/json"}
        answer = await players.engine.ask(
            method, players.path + path, body, token=players.tokens[seat], headers=headers
        )
        if answer.status < 500:
            return answer
        assert answer.code in {"internal", "store_down"}
        assert answer.json.keys() == {"type", "title", "status", "code"}
    raise AssertionError("it always fails")


async def _play(players: SeatedPlayers, rng: Random) -> list[str]:
    """Play for a while, and return the secret tokens of the seats."""
    secrets = [*players.tokens, players.table]
    for _ in range(MOVES):
        for seat in range(len(players.tokens)):
            table = (await _ask(players, "GET", "", seat)).json
            if not table["moves"]:
                await _ask(players, "POST", "/moves", seat, {"move": {"type": "play", "card": "7h"}})
                continue
            await _ask(players, "GET", "/events", seat)
            await _ask(players, "POST", "/moves/check", seat, {"move": rng.choice(table["moves"])})
            await _ask(players, "POST", "/moves", seat, {"move": rng.choice(table["moves"])})
    return secrets


async def _gathered(engine: RunningEngine, name: str) -> SeatedPlayers:
    """Seat two people, and a computer player if the game allows three seats."""
    players = await seat_players(engine, 2, game=name)
    if max(GAMES[name].seats(GAMES[name].options())) > 2:
        await engine.post(f"{players.path}/seats", {"name": "Ugo", "kind": "computer"}, token=players.tokens[0])
    await players.start()
    return players


@pytest.mark.parametrize(("format_", "name"), [*sampled(product(("json", "console"), GAMES), 3, 0)])
async def test_a_match_with_faults_leaves_no_card_seed_or_token_behind(
    name: str, format_: logs.Format, request: pytest.FixtureRequest
) -> None:
    async with running_engine(NO_LIMITS, await connect(None)) as engine:
        players = await _gathered(engine, name)
        request.getfixturevalue("faults")
        with captured_logs(format_, "debug") as text:
            secrets = await _play(players, Random(name))
        metrics = (await engine.get("/metrics")).body.decode()
    assert not [secret for secret in secrets if secret in text.getvalue() + metrics]
    lines = text.getvalue().splitlines()
    assert len(lines) > MOVES
    if format_ == "json":
        for line in lines:
            unknown = {field: value for field, value in json.loads(line).items() if not LOGGED[field](value)}
            assert not unknown, line
    assert "RuntimeError" in text.getvalue()
    for family in text_string_to_metric_families(metrics):
        if not family.name.startswith(OF_THE_PROCESS):
            for sample in family.samples:
                assert all(LABELS[label](value) for label, value in sample.labels.items()), sample
