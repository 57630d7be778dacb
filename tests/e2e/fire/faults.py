"""What can go wrong while a move is on its way, and how often it did."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from tests.e2e.fire.inn import Inn, Replica

MOMENT = 0.1
"""Seconds that a passing fault lasts."""

Fault = Callable[[Inn, Replica], Awaitable[None]]


async def engine_killed(inn: Inn, replica: Replica) -> None:
    await replica.die()


async def every_engine_killed(inn: Inn, replica: Replica) -> None:
    await asyncio.gather(*(one.die() for one in inn.replicas))


async def reply_lost(inn: Inn, replica: Replica) -> None:
    replica.wire.lose("closed")


async def replies_lost_twice(inn: Inn, replica: Replica) -> None:
    replica.wire.lose("closed", "closed")


async def reply_never_comes(inn: Inn, replica: Replica) -> None:
    replica.wire.lose("silent")


async def wire_cut(inn: Inn, replica: Replica) -> None:
    replica.wire.cut()


async def redis_killed(inn: Inn, replica: Replica) -> None:
    await inn.restart_redis()


async def redis_frozen(inn: Inn, replica: Replica) -> None:
    inn.redis.freeze()
    await asyncio.sleep(MOMENT)
    inn.redis.thaw()


async def redis_read_only(inn: Inn, replica: Replica) -> None:
    await inn.configure_redis("min-replicas-to-write 1")
    await asyncio.sleep(MOMENT)
    await inn.configure_redis("min-replicas-to-write 0")


async def redis_out_of_memory(inn: Inn, replica: Replica) -> None:
    await inn.configure_redis("maxmemory 1")
    await asyncio.sleep(MOMENT)
    await inn.configure_redis("maxmemory 0")


async def scripts_forgotten(inn: Inn, replica: Replica) -> None:
    await asyncio.to_thread(inn.redis.ask, "SCRIPT FLUSH")


FAULTS: dict[str, Fault] = {
    "engine killed (-9)": engine_killed,
    "every engine killed (-9)": every_engine_killed,
    "Redis' reply lost, connection closed": reply_lost,
    "Redis' reply lost, and lost again": replies_lost_twice,
    "Redis' reply never comes": reply_never_comes,
    "engine cut off from Redis": wire_cut,
    "Redis killed (-9), restarted": redis_killed,
    "Redis frozen": redis_frozen,
    "Redis takes no writes": redis_read_only,
    "Redis out of memory": redis_out_of_memory,
    "Redis forgot the scripts": scripts_forgotten,
}


BEFORE = {name for name, fault in FAULTS.items() if fault in (reply_lost, replies_lost_twice, reply_never_comes)}
"""What waits for its moment by itself."""


class Tally:
    """How often each fault was tried, and what became of the requests that it hit."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def count(self, fault: str, outcome: str = "answered", times: int = 1) -> None:
        self.counts[fault, outcome] += times

    def table(self) -> str:
        """As docs/faults.md has it."""
        outcomes = sorted({outcome for _, outcome in self.counts})
        rows = [["fault", "tried", *outcomes], ["---"] * (2 + len(outcomes))]
        for fault in sorted({fault for fault, _ in self.counts}):
            counts = [self.counts[fault, outcome] for outcome in outcomes]
            rows.append([fault, *map(str, (sum(counts), *counts))])
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
