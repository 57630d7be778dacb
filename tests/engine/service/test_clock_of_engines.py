import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from services.engine.service import clock
from services.engine.service.clock import POSTPONING, Pace, TableClock
from services.engine.store import Store, connect
from services.engine.store.errors import StoreDownError
from services.engine.store.store import LEASE
from tests.engine.http.engine_server import captured_logs
from tests.redis_server import RedisServer
from tests.waiting import until

START = 1_800_000_000_000
TICK = 0.01
STALL = 300
"""Milliseconds of silence that count as an outage."""


class FakeService:
    """A service that records what a clock does to tables. The test sets its time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.time = START
        self.done: list[tuple[str, str | int]] = []
        self.at_once = 0
        self.most_concurrent = 0
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
        self.most_concurrent = max(self.most_concurrent, self.at_once)
        try:
            await self.trouble.get(table, _no_trouble)()
        finally:
            self.at_once -= 1

    def clock(self, store: Store | None = None, sweep: float = 5 * TICK, outage: int = 5000) -> TableClock:
        return TableClock(store or self.store, self.wake, self.shift, self.now, Pace(TICK, sweep), outage)

    def stall(self) -> None:
        """Block the event loop by computing, for longer than `STALL`."""
        end = time.monotonic() + 2 * STALL / 1000
        while time.monotonic() < end:
            pass
        self.time += 2 * STALL

    def stop(self) -> None:
        """Block the event loop by sleeping for longer than `STALL`, like a process that was stopped by SIGSTOP."""
        time.sleep(2 * STALL / 1000)
        self.time += 2 * STALL

    async def until(self, count: int) -> None:
        """Wait until this number of actions is recorded."""
        async with asyncio.timeout(60):
            while len(self.done) < count:
                self._news.clear()
                await self._news.wait()


async def _no_trouble() -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def running(*clocks: TableClock) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(clock.run()) for clock in clocks]
    await asyncio.sleep(5 * TICK)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def service(store: Store) -> FakeService:
    return FakeService(store)


async def schedule(store: Store, *tables: str, wake: int = START) -> None:
    for table in tables:
        await store.schedule(table, wake)


async def test_a_table_is_woken_when_its_time_has_come_and_not_before(service: FakeService) -> None:
    await schedule(service.store, "t", wake=START + 100)
    async with running(service.clock()):
        assert service.done == []
        service.time += 100
        await service.until(1)
    assert service.done == [("t", "woken")]


async def test_a_sleeping_clock_wakes_at_a_deadline_that_is_set_meanwhile(service: FakeService) -> None:
    async with running(service.clock(sweep=3600.0)):
        await schedule(service.store, "t")
        await service.until(1)
        service.time += 100
        await schedule(service.store, "late", wake=service.time + 200)
        await asyncio.sleep(5 * TICK)
        assert len(service.done) == 1
        service.time += 200
        await service.until(2)
    assert service.done == [("t", "woken"), ("late", "woken")]


async def test_a_sleeping_clock_wakes_for_a_deadline_of_a_process_that_died(
    service: FakeService, replica: Store
) -> None:
    async with running(service.clock()):
        await schedule(replica, "t")
        await service.until(1)
    assert service.done == [("t", "woken")]


async def test_a_clock_without_due_tables_looks_at_redis_once_a_sweep(redis_server: RedisServer) -> None:
    service = FakeService(store := await connect(redis_server.url))
    await schedule(store, "t", wake=START + 36_000_000)

    async def rests() -> bool:
        before = await asyncio.to_thread(commands, redis_server)
        await asyncio.sleep(20 * TICK)
        # the only command is the one that counts commands
        return await asyncio.to_thread(commands, redis_server) - before == 1

    async with running(service.clock(sweep=3600.0)):
        await until(rests)
    await store.close()


def commands(server: RedisServer) -> int:
    """Return how many commands a server has served."""
    return int(server.ask("INFO stats").split("total_commands_processed:")[1].split()[0])


async def test_many_due_tables_are_woken_a_bounded_number_at_a_time(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "WAKING", 64)
    tables = [f"table {number}" for number in range(320)]
    await schedule(service.store, *tables)
    async with running(service.clock()):
        await service.until(len(tables))
    assert Counter(service.done) == Counter((table, "woken") for table in tables)
    assert service.most_concurrent <= 64


async def test_clocks_of_two_replicas_wake_each_table_once(service: FakeService, replica: Store) -> None:
    tables = [f"table {number}" for number in range(100)]
    await schedule(service.store, *tables)
    async with running(service.clock(), service.clock(replica)):
        await service.until(len(tables))
    assert Counter(service.done) == Counter((table, "woken") for table in tables)


async def test_a_slow_table_delays_no_other(service: FakeService) -> None:
    at_last = asyncio.Event()

    async def slow() -> None:
        await at_last.wait()

    service.trouble = {"slow": slow}
    await schedule(service.store, "slow", "t")
    async with running(service.clock()):
        await service.until(1)
        service.time += LEASE
        await schedule(service.store, "u")
        await service.until(2)
        at_last.set()
        await service.until(3)
    assert service.done == [("t", "woken"), ("u", "woken"), ("slow", "woken")]


async def test_a_table_that_redis_fails_in_the_middle_waits_for_its_lease_to_end(service: FakeService) -> None:
    async def go_away() -> None:
        raise StoreDownError("TimeoutError")

    service.trouble = {"t": go_away}
    await schedule(service.store, "t")
    with capture_logs() as logs:
        async with running(service.clock()):
            while not logs:  # noqa: ASYNC110  (nothing tells when a line is logged)
                await asyncio.sleep(TICK)
            del service.trouble["t"]
            service.time += LEASE
            await service.until(1)
    assert service.done == [("t", "woken")]
    assert [(line["log_level"], line["event"], line["reason"]) for line in logs] == [
        ("warning", "table_retried_later", "TimeoutError")
    ]


async def test_a_table_that_fails_is_tried_again_and_delays_no_other(service: FakeService) -> None:
    async def fail() -> None:
        raise RuntimeError("the king of cups")

    service.trouble = {"bad": fail}
    await schedule(service.store, "bad", "t")
    with captured_logs() as log:
        async with running(service.clock()):
            await service.until(1)
            del service.trouble["bad"]
            service.time += LEASE
            await service.until(2)
    assert service.done == [("t", "woken"), ("bad", "woken")]
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["event"], line["table"], line["error"]) for line in lines] == [
        ("table_failed", "bad", "RuntimeError")
    ]
    assert "king" not in log.getvalue()


async def test_a_wake_in_flight_is_finished_when_the_clock_stops(service: FakeService) -> None:
    begun = asyncio.Event()

    async def take_long() -> None:
        begun.set()
        await asyncio.sleep(10 * TICK)

    service.trouble = {"t": take_long}
    await schedule(service.store, "t")
    async with running(service.clock()):
        await begun.wait()
        assert service.at_once == 1
    assert service.done == [("t", "woken")]


async def test_after_an_outage_every_deadline_is_postponed_before_a_table_is_woken(
    service: FakeService, replica: Store
) -> None:
    tables = [f"table {number}" for number in range(100)]
    await schedule(service.store, *tables)
    await service.store.record_heartbeat(START)
    service.time += 60_000
    async with running(service.clock(), service.clock(replica)):
        await service.until(len(tables))
        await asyncio.sleep(5 * TICK)
    assert Counter(service.done) == Counter((table, 60_000) for table in tables)
    assert service.most_concurrent <= POSTPONING


async def test_after_an_outage_has_been_made_up_for_tables_are_woken_again(
    service: FakeService, replica: Store
) -> None:
    await schedule(service.store, "t")
    await service.store.record_heartbeat(START)
    service.time += 60_000
    async with running(service.clock(), service.clock(replica)):
        await service.until(1)
        await schedule(service.store, "u", "v")
        await service.until(3)
    assert service.done[0] == ("t", 60_000)
    assert set(service.done[1:]) == {("u", "woken"), ("v", "woken")}


async def test_a_short_break_is_no_outage(service: FakeService) -> None:
    await schedule(service.store, "t")
    await service.store.record_heartbeat(START)
    service.time += 5000
    async with running(service.clock()):
        await service.until(1)
    assert service.done == [("t", "woken")]


async def test_the_clock_sends_heartbeats_while_it_postpones_deadlines(service: FakeService) -> None:
    async def take_long() -> None:
        for _ in range(10):
            await asyncio.sleep(5 * TICK)
            service.time += 1000

    service.trouble = {"t": take_long}
    await schedule(service.store, "t")
    await service.store.record_heartbeat(START)
    service.time += 60_000
    async with running(service.clock()):
        await service.until(1)
        await asyncio.sleep(5 * TICK)
    assert service.done == [("t", 60_000)]


async def test_a_table_that_cannot_be_postponed_delays_no_other(service: FakeService) -> None:
    async def fail() -> None:
        raise RuntimeError("the king of cups")

    service.trouble = {"bad": fail}
    await schedule(service.store, "bad", "t")
    await service.store.record_heartbeat(START)
    service.time += 60_000
    with capture_logs() as logs:
        async with running(service.clock()):
            await service.until(1)
            await schedule(service.store, "u")
            await service.until(2)
    assert [done for done in service.done if done[0] != "bad"] == [("t", 60_000), ("u", "woken")]
    assert "king" not in str(logs)


async def test_when_redis_goes_away_meanwhile_the_rest_is_postponed_once_it_is_back(service: FakeService) -> None:
    failures = iter([StoreDownError("ConnectionError")] * 3)

    async def be_down() -> None:
        for failure in failures:
            raise failure

    tables = [f"table {number}" for number in range(200)]
    service.trouble = {"table 7": be_down}
    await schedule(service.store, *tables)
    await service.store.record_heartbeat(START)
    service.time += 60_000
    async with running(service.clock()):
        await service.until(len(tables))
    assert Counter(service.done) == Counter((table, 60_000) for table in tables)


async def test_a_clock_survives_an_outage_of_redis_and_postpones_all_deadlines_by_it(mortal_redis: RedisServer) -> None:
    service = FakeService(store := await connect(mortal_redis.url))
    await schedule(store, "t", wake=START + 10_000)
    with capture_logs() as logs:
        async with running(service.clock()):
            await asyncio.to_thread(mortal_redis.kill)
            await until(lambda: logs)
            service.time += 60_000
            await asyncio.to_thread(mortal_redis.start)
            await service.until(1)
            await schedule(store, "u")
            await service.until(2)
    assert service.done == [("t", 60_000), ("u", "woken")]
    assert [line["event"] for line in logs] == ["clock_suspended", "clock_resumed", "outage"]
    await store.close()


async def test_a_stall_of_the_own_loop_is_no_outage(service: FakeService) -> None:
    """A long request postpones no deadline, and the table is woken as soon as the request is over."""
    await schedule(service.store, "first")
    await schedule(service.store, "t", wake=START + 200)
    with capture_logs() as logs:
        async with running(service.clock(outage=STALL)):
            await service.until(1)
            service.stall()
            await service.until(2)
            await schedule(service.store, "u", wake=service.time)
            await service.until(3)
    assert service.done == [("first", "woken"), ("t", "woken"), ("u", "woken")]
    assert [line["event"] for line in logs] == ["loop_stalled"]


async def test_a_stall_of_the_own_loop_holds_up_no_other_clock(service: FakeService, replica: Store) -> None:
    await schedule(service.store, "first")
    await schedule(service.store, "t", wake=START + 200)
    async with running(service.clock(outage=STALL)):
        await service.until(1)
        service.stall()
        await service.until(2)
    async with running(service.clock(replica, outage=STALL)):
        await schedule(service.store, "u", wake=service.time)
        await service.until(3)
    assert service.done == [("first", "woken"), ("t", "woken"), ("u", "woken")]


async def test_a_stop_of_all_engines_is_an_outage(service: FakeService, replica: Store) -> None:
    """A stopped process uses no processor time, like a sleeping one."""
    await schedule(service.store, "first")
    await schedule(service.store, "t", wake=START + 200)
    async with running(service.clock(outage=STALL), service.clock(replica, outage=STALL)):
        await service.until(1)
        service.stop()
        await service.until(2)
    assert service.done == [("first", "woken"), ("t", 2 * STALL)]
