"""Updates in order: those of one chat, and those of one person, one after the other; all others at the same time."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from telegram import Update
from telegram.ext import BaseUpdateProcessor

AT_ONCE = 256


class KeyedProcessor(BaseUpdateProcessor):
    """Handles an update when all earlier ones of its chat and of its person are done."""

    def __init__(self) -> None:
        super().__init__(AT_ONCE)
        self._last: dict[str, asyncio.Future[None]] = {}

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Wait for the update's turn, then handle it."""
        keys = keys_of(update)
        before = [self._last[key] for key in keys if key in self._last]
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._last.update(dict.fromkeys(keys, done))
        try:
            for each in before:
                await asyncio.shield(each)
            await coroutine
        finally:
            done.set_result(None)
            for key in keys:
                if self._last.get(key) is done:
                    del self._last[key]

    async def initialize(self) -> None:
        """Do nothing: there is nothing to set up."""

    async def shutdown(self) -> None:
        """Do nothing: whoever hands over updates waits for them."""


def keys_of(update: object) -> list[str]:
    """Return what an update must keep its order with."""
    if not isinstance(update, Update):
        return []
    chat, user = update.effective_chat, update.effective_user
    keys = [f"chat {chat.id}"] if chat else []
    return [*keys, f"user {user.id}"] if user else keys
