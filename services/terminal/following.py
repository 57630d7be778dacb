"""A table's events, poured into a person's ears."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from services.terminal.keyboard import Ears, Found, Lost
from shared.client import EngineClient
from shared.errors import EngineError
from shared.tasks import end


@asynccontextmanager
async def following(engine: EngineClient, table: str, token: str | None, ears: Ears) -> AsyncIterator[None]:
    """Let what happens at a table be heard for as long as the context lasts."""
    task = asyncio.create_task(_follow(engine, table, token, ears))
    try:
        yield
    finally:
        await end(task)


async def _follow(engine: EngineClient, table: str, token: str | None, ears: Ears) -> None:
    def found() -> None:
        ears.hear(Found())

    def lost(_: EngineError | None) -> None:
        ears.hear(Lost())

    try:
        async with aclosing(engine.events(table, token, found=found, lost=lost)) as stream:
            async for item in stream:
                ears.hear(item)
    except EngineError as error:
        ears.hear(error)
