"""Cancelling asyncio tasks reliably."""

import asyncio
from typing import Any

CANCEL_AGAIN_AFTER = 0.1
"""Seconds."""


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, and wait until they are done.

    A task is cancelled again until it ends: before Python 3.12 `asyncio.wait_for`, which commands to Redis use, can
    lose a cancellation.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=CANCEL_AGAIN_AFTER)
    await asyncio.gather(*tasks, return_exceptions=True)
