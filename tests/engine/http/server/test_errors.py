"""A write has no effect if its response cannot be made."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from locanda.games.rules import GAMES
from services.engine.service import transactions, views
from services.engine.store import Store, connect, keys
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiResponse,
    RunningEngine,
    SeatedPlayers,
    captured_logs,
    running_engine,
    seat_players,
)

OPEN_WRITES: dict[str, tuple[str, str, Any]] = {
    "change": ("PATCH", "", {"listed": True}),
    "change options": ("PATCH", "", {"options": {"deals": 2}}),
    "sit": ("POST", "/seats", {"name": "Dario"}),
    "seat a computer": ("POST", "/seats", {"name": "Robot", "kind": "computer"}),
    "give a seed": ("PUT", "/seats/0/seed", {"client_seed": "x"}),
    "leave": ("DELETE", "/seats/0", None),
    "remove": ("DELETE", "/seats/1", None),
    "start": ("POST", "/start", None),
}
PLAYING_WRITES: dict[str, tuple[str, str, Any]] = {
    "leave": ("DELETE", "/seats/0", None),
    "leave without a name": ("PUT", "/seats/0/successor", {"name": "Ines"}),
    "come back": ("POST", "/seats/0/return", None),
    "play": ("POST", "/moves", {"move": {"type": "pass"}}),
    "start again": ("POST", "/start", None),
}
OVER_WRITES: dict[str, tuple[str, str, Any]] = {
    "give a seed": ("PUT", "/seats/0/seed", {"client_seed": "x"}),
    "leave": ("DELETE", "/seats/0", None),
    "rematch": ("POST", "/start", None),
}


@pytest.fixture
async def store() -> Store:
    return await connect(None)


@pytest.fixture
async def engine(store: Store) -> AsyncIterator[RunningEngine]:
    async with running_engine(NO_LIMITS, store) as running:
        yield running


async def stored(store: Store, table: str) -> tuple[Any, ...]:
    """Return all stored data of a table."""
    names = keys.of(table)
    call = store._backend.call
    lists = [await call(("LRANGE", key, 0, -1)) for key in (names.events, names.log)]
    sets = [await call(("ZRANGE", key, 0, -1, "WITHSCORES")) for key in (names.deadlines, names.listed)]
    return (await call(("GET", names.state)), *lists, *sets)


async def ask(players: SeatedPlayers, write: tuple[str, str, Any]) -> ApiResponse:
    method, path, body = write
    return await players.engine.ask(method, players.path + path, body, token=players.tokens[0])


async def brought(engine: RunningEngine, status: str) -> SeatedPlayers:
    players = await seat_players(engine)
    if status != "open":
        await players.start()
    if status == "over":
        await players.play_out()
    return players


CASES = [
    pytest.param(status, write, id=f"{status}: {name}")
    for status, writes in (("open", OPEN_WRITES), ("playing", PLAYING_WRITES), ("over", OVER_WRITES))
    for name, write in writes.items()
]


@pytest.mark.parametrize(("status", "write"), CASES)
async def test_a_write_under_grown_rules_is_refused_and_not_committed(
    engine: RunningEngine, store: Store, status: str, write: tuple[str, str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await brought(engine, status)
    before = await stored(store, players.table)
    game = GAMES["gatto_rosso"]
    monkeypatch.setitem(GAMES, "gatto_rosso", replace(game, rules=game.rules + 1))
    answer = await ask(players, write)
    assert answer.status == 409
    assert write[1] == "/seats/0/return" or answer.code in {"rules_changed", "already_playing"}
    assert await stored(store, players.table) == before


@pytest.mark.parametrize(("status", "write"), CASES)
async def test_a_write_under_rules_of_a_newer_release_is_refused_and_not_committed(
    engine: RunningEngine, store: Store, status: str, write: tuple[str, str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await brought(engine, status)
    before = await stored(store, players.table)
    game = GAMES["gatto_rosso"]
    monkeypatch.setitem(GAMES, "gatto_rosso", replace(game, rules=game.rules - 1))
    answer = await ask(players, write)
    assert (answer.status, answer.code) in {(503, "newer_release"), (409, "already_playing"), (409, "not_away")}
    assert answer.status != 503 or answer.headers["Retry-After"] == "2"
    assert await stored(store, players.table) == before


@contextmanager
def failing_views() -> Iterator[None]:
    """Make the response of every write fail."""
    with patch.object(views, "view", side_effect=ArithmeticError):
        yield


@pytest.mark.parametrize(("status", "write"), CASES)
async def test_a_write_whose_answer_fails_is_not_committed(
    engine: RunningEngine, store: Store, status: str, write: tuple[str, str, Any]
) -> None:
    players = await brought(engine, status)
    before = await stored(store, players.table)
    with (
        captured_logs(),
        failing_views(),
        patch.object(transactions, "_encoder", None),
    ):
        answer = await ask(players, write)
    assert answer.status >= 400
    assert await stored(store, players.table) == before


async def test_an_opening_whose_answer_fails_is_not_committed(engine: RunningEngine, store: Store) -> None:
    with captured_logs(), failing_views():
        answer = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna", "listed": True})
    assert (answer.status, answer.code) == (500, "internal")
    assert await store.listings["open"].page(None, 10) == ([], None)
