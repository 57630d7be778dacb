"""The faults that the campaign injects while a write is under way, and a count of their outcomes."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from tests.e2e.fault_campaign.replicas import Replica, Replicas

FAULT_SECONDS = 0.1
"""The duration of a temporary fault."""

FaultInjector = Callable[[Replicas, Replica], Awaitable[None]]


async def engine_killed(replicas: Replicas, replica: Replica) -> None:
    await replica.crash()


async def every_engine_killed(replicas: Replicas, replica: Replica) -> None:
    await asyncio.gather(*(one.crash() for one in replicas.each))


async def reply_lost(replicas: Replicas, replica: Replica) -> None:
    replica.proxy.lose("closed")


async def replies_lost_twice(replicas: Replicas, replica: Replica) -> None:
    replica.proxy.lose("closed", "closed")


async def reply_never_comes(replicas: Replicas, replica: Replica) -> None:
    replica.proxy.lose("silent")


async def connections_cut(replicas: Replicas, replica: Replica) -> None:
    replica.proxy.cut()


async def redis_killed(replicas: Replicas, replica: Replica) -> None:
    await replicas.restart_redis()


async def redis_frozen(replicas: Replicas, replica: Replica) -> None:
    replicas.redis.freeze()
    await asyncio.sleep(FAULT_SECONDS)
    replicas.redis.thaw()


async def redis_read_only(replicas: Replicas, replica: Replica) -> None:
    await replicas.configure_redis("min-replicas-to-write 1")
    await asyncio.sleep(FAULT_SECONDS)
    await replicas.configure_redis("min-replicas-to-write 0")


async def redis_out_of_memory(replicas: Replicas, replica: Replica) -> None:
    await replicas.configure_redis("maxmemory 1")
    await asyncio.sleep(FAULT_SECONDS)
    await replicas.configure_redis("maxmemory 0")


async def scripts_forgotten(replicas: Replicas, replica: Replica) -> None:
    await asyncio.to_thread(replicas.redis.ask, "SCRIPT FLUSH")


FAULTS: dict[str, FaultInjector] = {
    "engine killed (-9)": engine_killed,
    "every engine killed (-9)": every_engine_killed,
    "Redis' reply lost, connection closed": reply_lost,
    "Redis' reply lost, and lost again": replies_lost_twice,
    "Redis' reply never comes": reply_never_comes,
    "engine cut off from Redis": connections_cut,
    "Redis killed (-9), restarted": redis_killed,
    "Redis frozen": redis_frozen,
    "Redis takes no writes": redis_read_only,
    "Redis out of memory": redis_out_of_memory,
    "Redis forgot the scripts": scripts_forgotten,
}

ARMED_BEFORE = {name for name, fault in FAULTS.items() if fault in (reply_lost, replies_lost_twice, reply_never_comes)}
"""Faults that are prepared before the request and strike by themselves."""


class FaultCounts:
    """The number of times that each fault was injected, and the outcomes of the requests that it affected."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def count(self, fault: str, outcome: str = "answered", times: int = 1) -> None:
        self.counts[fault, outcome] += times

    def table(self) -> str:
        """Return the table for docs/faults.md, in Markdown."""
        outcomes = sorted({outcome for _, outcome in self.counts})
        rows = [["fault", "tried", *outcomes], ["---"] * (2 + len(outcomes))]
        for fault in sorted({fault for fault, _ in self.counts}):
            counts = [self.counts[fault, outcome] for outcome in outcomes]
            rows.append([fault, *map(str, (sum(counts), *counts))])
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
