"""Waiting by polling for a condition, and for a store that is down."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TypeVar

from services.engine.store.errors import StoreDownError

T = TypeVar("T")

PAUSE = 0.01
"""Seconds between two polls."""


async def until(holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until a function, or the awaitable that it returns, gives a true value.

    Raises `TimeoutError` if that takes too long.
    """
    async with asyncio.timeout(seconds):
        while True:
            value = holds()
            if await value if isawaitable(value) else value:
                return
            await asyncio.sleep(PAUSE)


async def once_served(call: Callable[[], Awaitable[T]], seconds: float = 60.0) -> T:
    """Return a call's result as soon as the store serves the call. Raises `TimeoutError` if that takes too long."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await call()
            except StoreDownError:
                await asyncio.sleep(PAUSE)
