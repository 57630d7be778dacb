"""Long work on an event loop, a piece at a time."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")


async def in_pieces(items: Iterable[T], at_once: int) -> AsyncIterator[T]:
    """Yield items, and yield to the event loop after every few of them."""
    for number, item in enumerate(items, 1):
        yield item
        if not number % at_once:
            await asyncio.sleep(0)
