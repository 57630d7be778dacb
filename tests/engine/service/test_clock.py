"""The clock plays for computer players, and for people whose time is up."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, quicken_clocks, running_engine, seat_players

pytestmark = pytest.mark.slow

SOON = 60.0


@pytest.fixture
async def engine(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    """An engine whose computer players move almost immediately."""
    quicken_clocks(monkeypatch)
    async with running_engine() as running:
        yield running


async def test_computer_players_play_a_match_among_themselves(engine: RunningEngine) -> None:
    players = await seat_players(engine, 1)
    for _ in range(2):
        body = {"name": "Gatto", "kind": "computer"}
        await engine.post(f"{players.path}/seats", body, token=players.tokens[0])
    await players.start()
    left = await engine.ask("DELETE", f"{players.path}/seats/0", token=players.tokens[0])
    assert left.status == 200
    async with asyncio.timeout(SOON):
        table: JsonObject = {"status": "playing", "version": 0}
        while table["status"] != "over":
            table = (await engine.get(f"{players.path}?after={table['version']}&wait=5")).json
    assert table["match"]["result"]["ranking"]


async def test_who_lets_two_turns_pass_is_away_until_he_comes_back(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2, turn_seconds=1)
    await players.start()
    async with asyncio.timeout(SOON):
        table = await players.see()
        while not any(seat["away"] for seat in table["seats"]):
            table = (await engine.get(f"{players.path}?after={table['version']}&wait=5")).json
    away = next(seat["seat"] for seat in table["seats"] if seat["away"])
    back = await engine.post(f"{players.path}/seats/{away}/return", token=players.tokens[away])
    assert (back.status, back.json["seats"][away]["away"]) == (200, False)
    assert {"type": "returned", "seat": away} in back.json["events"]
