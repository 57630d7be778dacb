import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from services.engine.clock import AT_ONCE, Clock
from services.engine.store import Store, StoreDownError, connect
from services.engine.store.store import LEASE
from tests.redis_server import RedisServer

START = 1_800_000_000_000
TICK = 0.01


class House:
    """What the service does to tables, as far as a clock sees it; and the time, which stands until it is moved."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.time = START
        self.done: list[tuple[str, str | int]] = []
        self.at_once = 0
        self.most_at_once = 0
        self._news = asyncio.Event()
        self.trouble: dict[str, Callable[[], Awaitable[None]]] = {}

    def now(self) -> int:
        return self.time

    async def wake(self, table: str) -> None:
        await self._act(table)
        await self.store.schedule(table, None)
        self._note(table, "woken")

    async def shift(self, table: str, gap: int) -> None:
        await self._act(table)
        await self.store.schedule(table, self.time + 1_000_000)
        self._note(table, gap)

    def _note(self, table: str, what: str | int) -> None:
        self.done.append((table, what))
        self._news.set()

    async def _act(self, table: str) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.trouble.get(table, _no_trouble)()
        finally:
            self.at_once -= 1

    def clock(self, store: Store | None = None) -> Clock:
        return Clock(store or self.store, self.wake, self.shift, self.now, TICK)

    async def until(self, count: int) -> None:
        """Wait until so many things were done."""
        async with asyncio.timeout(10):
            while len(self.done) < count:
                self._news.clear()
                await self._news.wait()


async def _no_trouble() -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def running(*clocks: Clock) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(clock.run()) for clock in clocks]
    await asyncio.sleep(5 * TICK)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def house(store: Store) -> House:
    return House(store)


async def schedule(store: Store, *tables: str, wake: int = START) -> None:
    for table in tables:
        await store.schedule(table, wake)


async def test_a_table_is_woken_when_its_time_has_come_and_not_before(house: House) -> None:
    await schedule(house.store, "t", wake=START + 100)
    async with running(house.clock()):
        assert house.done == []
        house.time += 100
        await house.until(1)
    assert house.done == [("t", "woken")]


async def test_many_due_tables_are_woken_a_bounded_number_at_a_time(house: House) -> None:
    tables = [f"table {number}" for number in range(5 * AT_ONCE)]
    await schedule(house.store, *tables)
    async with running(house.clock()):
        await house.until(len(tables))
    assert Counter(house.done) == Counter((table, "woken") for table in tables)
    assert house.most_at_once <= AT_ONCE


async def test_clocks_of_two_replicas_wake_each_table_once(house: House, replica: Store) -> None:
    tables = [f"table {number}" for number in range(100)]
    await schedule(house.store, *tables)
    async with running(house.clock(), house.clock(replica)):
        await house.until(len(tables))
    assert Counter(house.done) == Counter((table, "woken") for table in tables)


async def test_a_slow_table_holds_up_no_other(house: House) -> None:
    at_last = asyncio.Event()

    async def slow() -> None:
        await at_last.wait()

    house.trouble = {"slow": slow}
    await schedule(house.store, "slow", "t")
    async with running(house.clock()):
        await house.until(1)
        house.time += LEASE
        await schedule(house.store, "u")
        await house.until(2)
        at_last.set()
        await house.until(3)
    assert house.done == [("t", "woken"), ("u", "woken"), ("slow", "woken")]


async def test_a_table_that_redis_fails_in_the_middle_waits_for_its_lease_to_end(house: House) -> None:
    async def go_away() -> None:
        raise StoreDownError("TimeoutError")

    house.trouble = {"t": go_away}
    await schedule(house.store, "t")
    with capture_logs() as logs:
        async with running(house.clock()):
            while not logs:  # noqa: ASYNC110  (nothing tells when a line is logged)
                await asyncio.sleep(TICK)
            del house.trouble["t"]
            house.time += LEASE
            await house.until(1)
    assert house.done == [("t", "woken")]
    assert [(line["log_level"], line["event"], line["reason"]) for line in logs] == [
        ("warning", "table_waits", "TimeoutError")
    ]


async def test_a_table_that_fails_is_tried_again_and_holds_up_no_other(house: House) -> None:
    async def fail() -> None:
        raise RuntimeError("the king of cups")

    house.trouble = {"bad": fail}
    await schedule(house.store, "bad", "t")
    with capture_logs() as logs:
        async with running(house.clock()):
            await house.until(1)
            del house.trouble["bad"]
            house.time += LEASE
            await house.until(2)
    assert house.done == [("t", "woken"), ("bad", "woken")]
    assert [(line["event"], line["table"], line["error"]) for line in logs] == [("table_failed", "bad", "RuntimeError")]
    assert "king" not in str(logs)


async def test_a_wake_in_flight_is_finished_when_the_clock_stops(house: House) -> None:
    async def take_long() -> None:
        await asyncio.sleep(10 * TICK)

    house.trouble = {"t": take_long}
    await schedule(house.store, "t")
    async with running(house.clock()):
        assert house.at_once == 1
    assert house.done == [("t", "woken")]


async def test_after_an_outage_every_table_is_put_off_before_any_is_woken(house: House, replica: Store) -> None:
    tables = [f"table {number}" for number in range(100)]
    await schedule(house.store, *tables)
    await house.store.beat(START)
    house.time += 60_000
    async with running(house.clock(), house.clock(replica)):
        await house.until(len(tables))
        await asyncio.sleep(5 * TICK)
    assert Counter(house.done) == Counter((table, 60_000) for table in tables)
    assert house.most_at_once <= AT_ONCE


async def test_after_an_outage_has_been_made_up_for_tables_are_woken_again(house: House, replica: Store) -> None:
    await schedule(house.store, "t")
    await house.store.beat(START)
    house.time += 60_000
    async with running(house.clock(), house.clock(replica)):
        await house.until(1)
        await schedule(house.store, "u", "v")
        await house.until(3)
    assert house.done[0] == ("t", 60_000)
    assert set(house.done[1:]) == {("u", "woken"), ("v", "woken")}


async def test_a_short_break_is_no_outage(house: House) -> None:
    await schedule(house.store, "t")
    await house.store.beat(START)
    house.time += 5000
    async with running(house.clock()):
        await house.until(1)
    assert house.done == [("t", "woken")]


async def test_the_clock_beats_while_it_puts_tables_off(house: House) -> None:
    async def take_long() -> None:
        for _ in range(10):
            await asyncio.sleep(5 * TICK)
            house.time += 1000

    house.trouble = {"t": take_long}
    await schedule(house.store, "t")
    await house.store.beat(START)
    house.time += 60_000
    async with running(house.clock()):
        await house.until(1)
        await asyncio.sleep(5 * TICK)
    assert house.done == [("t", 60_000)]


async def test_a_table_that_cannot_be_put_off_holds_up_no_other(house: House) -> None:
    async def fail() -> None:
        raise RuntimeError("the king of cups")

    house.trouble = {"bad": fail}
    await schedule(house.store, "bad", "t")
    await house.store.beat(START)
    house.time += 60_000
    with capture_logs() as logs:
        async with running(house.clock()):
            await house.until(1)
            await schedule(house.store, "u")
            await house.until(2)
    assert [done for done in house.done if done[0] != "bad"] == [("t", 60_000), ("u", "woken")]
    assert "king" not in str(logs)


async def test_when_redis_goes_away_meanwhile_the_rest_is_put_off_once_it_is_back(house: House) -> None:
    failures = iter([StoreDownError("ConnectionError")] * 3)

    async def be_down() -> None:
        for failure in failures:
            raise failure

    tables = [f"table {number}" for number in range(200)]
    house.trouble = {"table 7": be_down}
    await schedule(house.store, *tables)
    await house.store.beat(START)
    house.time += 60_000
    async with running(house.clock()):
        await house.until(len(tables))
    assert Counter(house.done) == Counter((table, 60_000) for table in tables)


async def test_a_clock_survives_redis_being_away_and_gives_the_time_back(mortal_redis: RedisServer) -> None:
    house = House(store := await connect(mortal_redis.url))
    await schedule(store, "t", wake=START + 10_000)
    with capture_logs() as logs:
        async with running(house.clock()):
            await asyncio.to_thread(mortal_redis.kill)
            await asyncio.sleep(10 * TICK)
            house.time += 60_000
            await asyncio.to_thread(mortal_redis.start)
            await house.until(1)
            await schedule(store, "u")
            await house.until(2)
    assert house.done == [("t", 60_000), ("u", "woken")]
    assert [line["event"] for line in logs] == ["clock_stands", "clock_goes_on", "outage"]
    await store.close()
