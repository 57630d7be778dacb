"""Attacks on the memory of Redis."""

import asyncio
import time
from uuid import uuid4

from tests.bench.attacks.engine import ATTACKER, SECONDS, Client, Result, engine_and_redis, memory

MOST_STORED = 4_000_000
"""Bytes that a seat may add to Redis."""


async def store_filled() -> Result:
    """Write with a fresh idempotency key each time, from one seat."""
    async with engine_and_redis() as (engine, redis, session):
        attacker = Client(session, engine, ATTACKER)
        _, opened = await attacker.ask("POST", "/v1/tables", {"game": "presidente", "name": "Anna"})
        path, token = f"/v1/tables/{opened['table']['id']}/seats/0/seed", opened["token"]
        before, until, statuses = await asyncio.to_thread(memory, redis), time.monotonic() + SECONDS, []

        async def write() -> None:
            while time.monotonic() < until:
                body = {"client_seed": uuid4().hex}
                statuses.append((await attacker.ask("PUT", path, body, token, key=uuid4().hex))[0])

        await asyncio.gather(*(write() for _ in range(8)))
        added = await asyncio.to_thread(memory, redis) - before
        taken = statuses.count(200)
        return Result(
            "answers under fresh keys",
            f"{len(statuses)} writes, {taken} taken; {added / 1000:.0f} KB",
            added < MOST_STORED,
        )


ATTACKS = (store_filled,)
