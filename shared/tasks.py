"""Ending tasks for certain."""

import asyncio
from typing import Any

AGAIN = 0.1


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, and wait until they are done.

    More than once: before Python 3.12 `asyncio.wait_for`, which commands to Redis pass, can lose a cancellation.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)
