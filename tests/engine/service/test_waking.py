"""The order in which the clock wakes tables: accounts take turns, and tables whose account is overdrawn come later."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from itertools import pairwise
from typing import Any

import pytest
from msgspec import structs

from services.engine.service import waking
from services.engine.service.accounts import Accounts
from services.engine.service.assembly import Service
from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of
from services.engine.service.waking import LONGEST, STEP, HeldBackError, WakingTurns
from services.engine.store import Snapshot, Store, connect
from services.engine.table import playing
from services.engine.table.state import AnyTable, SeatState, Transition, TransitionContext
from tests.engine.table.tables import ID, NOW, opened

MANY, OTHER = b"\x00\x01", b"\x00\x02"
LATER = NOW + 10**6


async def nothing() -> None:
    pass


class Held:
    """Wakes tables of several accounts. Each waking lasts until `go_on` is set."""

    def __init__(self, turns: WakingTurns) -> None:
        self.turns = turns
        self.go_on = asyncio.Event()
        self.under_way: list[bytes] = []

    def begin(self, account: bytes) -> "asyncio.Task[None]":
        async def act() -> None:
            self.under_way.append(account)
            await self.go_on.wait()

        def acting() -> Coroutine[Any, Any, None]:
            return act()

        return asyncio.create_task(self.turns.take(account, account, acting))


async def test_tables_beyond_so_many_of_one_opener_come_later_and_delay_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "WAKING_OF_ONE", 4)
    monkeypatch.setattr(waking, "WAITING_OF_ONE", 2)
    held = Held(WakingTurns(Accounts()))
    many = [held.begin(MANY) for _ in range(10)]
    await asyncio.sleep(0)
    other = held.begin(OTHER)
    done, _ = await asyncio.wait(many, timeout=0.01)
    assert held.under_way == [MANY] * 4 + [OTHER]
    times = [error.seconds for task in done if isinstance(error := task.exception(), HeldBackError)]
    assert len(times) == 4
    held.go_on.set()
    await asyncio.gather(other, *(task for task in many if task not in done))
    assert held.under_way.count(MANY) == 6


async def test_where_all_places_are_taken_the_openers_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "WAKING", 2)
    held = Held(WakingTurns(Accounts()))
    tables = [held.begin(account) for account in (MANY, MANY, MANY, MANY, OTHER)]
    await asyncio.sleep(0)
    held.go_on.set()
    await asyncio.gather(*tables)
    assert held.under_way == [MANY, MANY, OTHER, MANY, MANY]


async def test_an_opener_over_the_account_waits_until_it_is_not_and_nobody_else_does() -> None:
    now = 0.0
    accounts = Accounts(share=0.25, burst=0.5, now=lambda: now)
    turns = WakingTurns(accounts)
    accounts.charge(MANY, 1.0)
    with pytest.raises(HeldBackError) as held:
        await turns.take(MANY, MANY, nothing)
    assert 2.0 <= held.value.seconds < 2.1
    await turns.take(OTHER, OTHER, nothing)
    now += held.value.seconds
    await turns.take(MANY, MANY, nothing)


async def test_the_tables_that_an_opener_is_to_wait_with_come_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accounts = Accounts(share=0.25, burst=0.5, now=lambda: 0.0)
    turns = WakingTurns(accounts)
    accounts.charge(MANY, 0.75)
    now, times = asyncio.get_running_loop().time(), []
    # fixed, because the measured differences would vary on a busy machine
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    for _ in range(2000):
        with pytest.raises(HeldBackError) as held:
            await turns.take(MANY, MANY, nothing)
        times.append(now + held.value.seconds)
    assert all(after - before > 0.9 * STEP for before, after in pairwise(times[:200]))
    assert times[-1] <= now + LONGEST


# --- waking by the service


def started() -> Transition:
    """Return the start of a table on which only computer players play. The account `MANY` has opened it."""
    table = structs.replace(opened(SeatState("Robot", "computer", "easy")), opener=MANY)
    begun = playing.start(table, 0, TransitionContext(NOW))
    seats = tuple(structs.replace(seat, kind="computer", level="easy") for seat in begun.table.seats)
    return structs.replace(begun, table=structs.replace(begun.table, seats=seats, wake=NOW))


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    connected = await connect(None)
    yield connected
    await connected.close()


async def put(store: Store) -> AnyTable:
    table = structs.replace(opened(SeatState("Robot", "computer", "easy")), opener=MANY)
    assert await store.commit(commit_of(Transition(table), None, Caller())) == "committed"
    begun, before = started(), (await store.load(ID)).snapshot
    assert await store.commit(commit_of(begun, before, Caller())) == "committed"
    return begun.table


async def test_a_computers_move_is_charged_to_who_opened_the_table(store: Store) -> None:
    accounts = Accounts(share=0.25, burst=0.0)
    await put(store)
    await Service(store, lambda: LATER, 0, accounts=accounts).waking.wake(ID)
    assert accounts.wait(MANY) > 0
    assert accounts.wait(OTHER) == 0


async def test_a_table_of_an_opener_over_the_account_is_due_later(store: Store) -> None:
    accounts = Accounts(share=0.25, burst=0.0)
    before = await put(store)
    accounts.charge(MANY, 1.0)
    await Service(store, lambda: LATER, 0, accounts=accounts).waking.wake(ID)
    assert await version(store) == before.version
    (due,) = await store.deadlines([ID])
    assert due is not None
    assert LATER + 3_000 < due <= LATER + 4_100


@pytest.mark.parametrize("known", [True, False])
async def test_a_table_that_is_held_back_keeps_a_deadline_that_somebody_has_set_meanwhile(
    store: Store, known: bool
) -> None:
    accounts = Accounts(share=0.25, burst=0.0)
    before = await put(store)
    service = Service(store, lambda: LATER, 0, accounts=accounts)
    loaded = (await store.load(ID)).snapshot
    moved = structs.replace(before, version=before.version + 1, wake=LATER + 60_000)
    other = Snapshot(before.version, loaded.data if loaded else b"")
    assert await store.commit(commit_of(Transition(moved), other, Caller())) == "committed"
    if not known:  # the state after a move by another process
        store._remembered[ID], store._newest[ID] = other, before.version
    accounts.charge(MANY, 1.0)
    await service.waking.wake(ID)
    assert await store.deadlines([ID]) == [LATER + 60_000]


async def version(store: Store) -> int:
    snapshot = (await store.load(ID)).snapshot
    assert snapshot is not None
    return snapshot.version
