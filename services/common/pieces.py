"""Splits long work on the event loop into pieces, so that other tasks can run in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")


async def in_pieces(items: Iterable[T], at_once: int) -> AsyncIterator[T]:
    """Yield items, and let other tasks run after every `at_once` of them."""
    for number, item in enumerate(items, 1):
        yield item
        if not number % at_once:
            await asyncio.sleep(0)
