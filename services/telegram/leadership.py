"""Leader election among the bot's processes.

The process that holds the lease in Redis handles updates, follows tables and sends messages. Once its lease expires,
its Redis commands fail and it draws nothing until it has renewed the lease. While Redis is down no process can take the
lease, and the leader still answers presses.
"""

import asyncio
from collections.abc import Awaitable, Callable

from services.common.processes import end
from services.telegram.receiving import unless_stopped
from services.telegram.repositories.lease import Lease


async def leading(lease: Lease, stop: asyncio.Event, work: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Run `work` whenever this process leads, until `stop` is set. `work` ends when the event passed to it is set."""
    try:
        while not stop.is_set():
            if await unless_stopped(stop, lease.taken()):
                await _work(lease, stop, work)
    finally:
        await lease.release()


async def _work(lease: Lease, stop: asyncio.Event, work: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    over = asyncio.Event()
    losing, stopping = asyncio.create_task(lease.lost(), name="lease"), asyncio.create_task(stop.wait())
    for task in (losing, stopping):
        task.add_done_callback(lambda _: over.set())
    try:
        await work(over)  # `lost` renews the lease meanwhile
    finally:
        await end(losing, stopping)
