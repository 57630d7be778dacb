"""Deadlines that Redis has lost: reads and writes of the table restore them, and so does the periodic search."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from msgspec import structs

from services.engine.service import codec, overdue
from services.engine.store import Store, keys
from services.engine.store.store import LEASE
from services.engine.table.state import AnyTable
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players

SOON = 60.0
THINK = 100


@pytest.fixture
async def engine(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningEngine]:
    """An engine that never searches for lost deadlines."""
    monkeypatch.setattr(overdue, "SEARCH_SECONDS", 3600)
    async with running_engine(structs.replace(NO_LIMITS, engine_think_ms=THINK), store) as running:
        yield running


async def stored(store: Store, table: str) -> AnyTable:
    snapshot = (await store.load(table)).snapshot
    assert snapshot
    return codec.decode(snapshot.data)


async def seat_and_forget(engine: RunningEngine, store: Store, score: int | None = None) -> SeatedPlayers:
    """Start a match and play until a computer player is on turn.

    Then delete its deadline in Redis, or set it to `score`.
    """
    players = await seat_players(engine, 1)
    for _ in range(2):
        body = {"name": "Gatto", "kind": "computer"}
        await engine.post(f"{players.path}/seats", body, token=players.tokens[0])
    await players.start()
    async with asyncio.timeout(SOON):
        while True:
            table = await stored(store, players.table)
            if table.deal and table.seats[table.deal.turn or 0].automatic:
                await store.schedule(players.table, score, table.version)
                if (await stored(store, players.table)).version == table.version:
                    break
            else:
                await players.play()
    engine.context.service.overdue_tables._now = lambda: just_overdue(table)
    return players


def just_overdue(table: AnyTable) -> int:
    """Return the first time in milliseconds at which a table counts as overdue."""
    assert table.wake is not None
    return table.wake + overdue.LATE + 1


async def refused(players: SeatedPlayers) -> None:
    answer = await players.engine.post(f"{players.path}/start", token=players.tokens[0])
    assert answer.code == "already_playing"


async def look(players: SeatedPlayers) -> None:
    await players.see()


async def look_again(players: SeatedPlayers) -> None:
    await players.see(0)
    await players.see(0)


async def legal_moves(players: SeatedPlayers) -> None:
    await players.engine.get(f"{players.path}/moves", token=players.tokens[0])


async def page_of_events(players: SeatedPlayers) -> None:
    await players.engine.get(f"{players.path}/events", headers={"Accept": "application/json"})


ACTS = [refused, look, look_again, legal_moves, page_of_events]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("score", [None, 1 << 52], ids=["lost", "much too late"])
async def test_any_look_or_write_brings_a_table_back_whose_deadline_is_lost(
    engine: RunningEngine, store: Store, act: Callable[[SeatedPlayers], Awaitable[None]], score: int | None
) -> None:
    players = await seat_and_forget(engine, store, score)
    before = (await stored(store, players.table)).version
    await act(players)
    async with asyncio.timeout(SOON), store.subscribe(players.table) as changes:
        while (await stored(store, players.table)).version == before:
            await changes.wait(1)


async def test_a_lost_deadline_of_a_person_is_found_as_well(engine: RunningEngine, store: Store) -> None:
    players = await seat_players(engine, turn_seconds=1)
    await players.start()
    await store.schedule(players.table, None)
    service, table = engine.context.service, await stored(store, players.table)
    service.overdue_tables._now = service.time.now = lambda: just_overdue(table)
    before = (await players.see())["version"]
    async with asyncio.timeout(SOON), store.subscribe(players.table) as changes:
        while (await stored(store, players.table)).version == before:
            await changes.wait(1)


class Steps:
    """The steps of a search for lost deadlines. The test releases them one at a time."""

    def __init__(self) -> None:
        self.taken = 0
        self._allowed = asyncio.Semaphore(0)
        self._rested = asyncio.Event()

    async def pause(self) -> None:
        self._rested.set()
        await self._allowed.acquire()
        self.taken += 1

    async def take(self) -> None:
        self._rested.clear()
        self._allowed.release()
        async with asyncio.timeout(SOON):
            await self._rested.wait()


async def test_the_search_finds_every_lost_deadline_in_steps_of_bounded_work(
    engine: RunningEngine, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = [(await seat_players(engine, turn_seconds=3600)) for _ in range(10)]
    for players in lost:
        await players.start()
        await store.schedule(players.table, None)
    read: list[int] = []
    check = store.deadlines

    async def counted(tables: list[str]) -> list[int | None]:
        read.append(len(tables))
        return await check(tables)

    monkeypatch.setattr(store, "deadlines", counted)
    monkeypatch.setattr(overdue, "SEARCH_KEYS", 4)
    steps = Steps()
    search = asyncio.create_task(engine.context.service.overdue_tables.search(steps.pause))
    while None in await check([players.table for players in lost]):
        await steps.take()
        assert steps.taken < 1000
    search.cancel()
    assert len(read) > 3
    for players in lost:
        table = await stored(store, players.table)
        assert await check([players.table]) == [table.wake]


async def test_the_search_passes_over_what_it_cannot_read(engine: RunningEngine, store: Store) -> None:
    players = await seat_players(engine, turn_seconds=3600)
    await players.start()
    await store.schedule(players.table, None)
    for number in range(20):
        await store._backend.call(("SET", keys.of(f"broken{number}").state, b"\0" * 8 + b"broken"))
    steps = Steps()
    search = asyncio.create_task(engine.context.service.overdue_tables.search(steps.pause))
    while await store.deadlines([players.table]) == [None]:
        await steps.take()
        assert steps.taken < 1000
    search.cancel()


async def test_a_table_that_a_clock_has_claimed_is_left_to_it(engine: RunningEngine, store: Store) -> None:
    players = await seat_players(engine, turn_seconds=3600)
    await players.start()
    lease = store.now() + LEASE
    await store.schedule(players.table, lease)
    assert not await store.restore_deadline(players.table, (await stored(store, players.table)).version)
    assert await store.deadlines([players.table]) == [lease]
    assert not await store.restore_deadline(players.table, 99)
