"""Processes updates: those of one chat or one person in order, each with an id for the log."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from telegram import Update
from telegram.ext import BaseUpdateProcessor

from services.common import logs
from services.telegram.presses import AnyUpdate, PressUpdate

log = structlog.get_logger(__name__)

MAX_CONCURRENT_UPDATES = 4096

UpdateHandler = Callable[[AnyUpdate], Awaitable[None]]


class OrderedUpdateProcessor(BaseUpdateProcessor):
    """Handles an update after all earlier ones of its chat and of its person, concurrently with all others."""

    def __init__(self) -> None:
        super().__init__(MAX_CONCURRENT_UPDATES)
        self._last: dict[str, asyncio.Future[None]] = {}

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Wait for the earlier updates, then handle this one."""
        keys = ordering_keys(update)
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
        """Do nothing: `UpdateQueue` waits for the running updates."""


def ordering_keys(update: object) -> list[str]:
    """Return keys for the chat and the person of an update: updates that share a key are handled in order."""
    if isinstance(update, PressUpdate):
        query = update.callback_query
        keys = [] if query.message is None else [f"chat {query.message.chat.id}"]
        return [*keys, f"user {query.from_user.id}"]
    if not isinstance(update, Update):
        return []
    chat, user = update.effective_chat, update.effective_user
    keys = [f"chat {chat.id}"] if chat else []
    return [*keys, f"user {user.id}"] if user else keys


def request_id() -> str | None:
    """Return the id of the update that is being handled in this task, if any."""
    return logs.request_id.get()


def traced(handle: UpdateHandler, count: Callable[[str, float], None]) -> UpdateHandler:
    """Return a handler that gives each update an id, logs one line about it, and counts it by kind and seconds.

    A repeated update has the same id.
    """

    async def handle_traced(update: AnyUpdate) -> None:
        began = time.perf_counter()
        before = logs.request_id.set(f"update-{update.update_id}")
        try:
            await handle(update)
        finally:
            seconds = time.perf_counter() - began
            count(_kind(update), seconds)
            log.info("update", kind=_kind(update), ms=round(seconds * 1000, 1))
            logs.request_id.reset(before)

    return handle_traced


def clear_request_id() -> None:
    """Remove the id from this task, which goes on after the update that started it."""
    logs.request_id.set(None)


def _kind(update: AnyUpdate) -> str:
    if isinstance(update, PressUpdate):
        return "button_press"
    return "message" if update.message else "membership"
