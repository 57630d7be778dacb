"""The lobby: tables that wait for players, and listed matches in play, as pages and as a stream."""

from collections.abc import AsyncIterator

import msgspec
import pytest
from aiohttp import ClientTimeout

from locanda.client import EngineClient
from services.engine.service import lobby
from services.engine.store import keys
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, running_engine, seat_players


@pytest.fixture
async def engine(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    monkeypatch.setattr(lobby, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr("services.engine.store.listing.KEPT_SECONDS", 0.0)
    async with running_engine(NO_LIMITS) as running:
        yield running


async def ids(engine: RunningEngine, status: str) -> list[str]:
    return [table["id"] for table in (await engine.get(f"/v1/tables?status={status}")).json["tables"]]


async def test_a_listed_table_is_joined_until_it_starts_then_watched_and_gone_once_it_is_over(
    engine: RunningEngine,
) -> None:
    hidden = await seat_players(engine, 2)
    players = await seat_players(engine, 2, listed=True)
    assert await ids(engine, "open") == [players.table]
    assert await ids(engine, "playing") == []
    await hidden.start()
    await players.start()
    assert await ids(engine, "open") == []
    assert await ids(engine, "playing") == [players.table]
    entry = (await engine.get("/v1/lobby", headers={"Accept": "application/json"})).json["playing"][0]
    assert entry["status"] == "playing"
    assert (await engine.get(f"/v1/tables/{entry['id']}")).json["deal"]["hand"] is None
    await players.play_out()
    assert await ids(engine, "playing") == []


async def test_a_table_that_is_gone_is_taken_off_the_list_of_those_in_play(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2, listed=True)
    await players.start()
    await engine.store._backend.call(("DEL", keys.of(players.table).state))
    assert await ids(engine, "playing") == []
    assert await engine.store.listings["playing"].page(None, 10) == ([], None)


async def test_whoever_follows_the_lobby_sees_tables_open_start_and_end(engine: RunningEngine) -> None:
    async with EngineClient.connect(engine.url("/")) as client:
        seen = client.lobby()
        assert (await anext(seen)).open == []
        players = await seat_players(engine, 1, listed=True)
        assert [table.id for table in (await anext(seen)).open] == [players.table]
        two = await seat_players(engine, 2, listed=True)
        async for now in seen:
            if [table.seats for table in now.open] == [2, 1]:
                break
        await two.start()
        async for now in seen:
            if now.playing:
                break
        assert [table.id for table in now.open] == [players.table]
        assert [table.id for table in now.playing] == [two.table]
        await seen.aclose()


async def test_the_stream_says_that_it_lives_and_counts_as_its_client_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(lobby, "KEEP_ALIVE_SECONDS", 0.1)
    settings = msgspec.structs.replace(NO_LIMITS, engine_streams=1)
    async with (
        running_engine(settings) as engine,
        engine.session.get(engine.url("/v1/lobby"), timeout=ClientTimeout(total=30)) as stream,
    ):
        assert stream.content_type == "text/event-stream"
        lines: list[bytes] = [await stream.content.readline() for _ in range(6)]
        assert lines[0] == b"retry: 1000\n"
        assert lines[2] == b"event: lobby\n"
        assert msgspec.json.decode(lines[3].removeprefix(b"data: ")) == {"open": [], "playing": []}
        assert lines[5] == b": keep-alive\n"
        assert (await engine.get("/v1/lobby")).code == "too_many_requests"
