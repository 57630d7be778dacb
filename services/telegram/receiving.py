"""Receives updates from Telegram: long polling, and the queue that stores and handles updates.

An update is stored in Redis before it is confirmed to Telegram, so a crash loses none.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec
import structlog
from telegram import Bot
from telegram.error import InvalidToken, RetryAfter, TelegramError

from services.common.processes import end
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.handlers.updates import allowed_updates
from services.telegram.repositories.bot_state import UpdateRepository
from services.telegram.sending.bot_api import retry_after_seconds
from services.telegram.sending.http_request import call
from services.telegram.updates import AnyUpdate, UnreadableUpdateError, UpdateHandler, read_update

log = structlog.get_logger(__name__)

POLL_SECONDS = 25
RECENT = 10_000
"""Number of update ids to remember, because Telegram repeats an update if it did not get the confirmation."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 15.0
FINISH_SECONDS, CONFIRM_SECONDS = 0.7, 0.4

T = TypeVar("T")


class ReceivedUpdate(NamedTuple):
    """An update, with the JSON text to store."""

    update: AnyUpdate
    text: str


def receive(received: object, bot: Bot) -> ReceivedUpdate | None:
    """Parse an update from decoded JSON. If it is unreadable, log a warning without its content and return None."""
    try:
        return ReceivedUpdate(read_update(received, bot), msgspec.json.encode(received).decode())
    except (UnreadableUpdateError, UnicodeEncodeError) as error:
        log_unreadable(error)
        return None


def log_unreadable(error: Exception) -> None:
    """Log that an unreadable update is skipped."""
    log.warning(
        "update_unreadable", reason=str(error) if isinstance(error, UnreadableUpdateError) else type(error).__name__
    )


class UpdateQueue:
    """Handles each update at once, in a task of its own. Updates not handled when the bot stops stay in Redis."""

    def __init__(self, bot: Bot, handle: UpdateHandler, store: UpdateRepository) -> None:
        self._bot = bot
        self._handle = handle
        self._store = store
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._taken: dict[int, None] = {}
        """The ids of the latest `RECENT` updates, oldest first: an ordered set."""
        self._complete = False
        """Whether the stored updates of earlier processes have been loaded."""

    async def take(self, updates: Sequence[ReceivedUpdate]) -> bool:
        """Store updates and start to handle them; return true when they may be confirmed to Telegram.

        If they cannot be stored, return only after they were handled.
        """
        if not self._complete:
            await self.load()
        new = [received for received in updates if received.update.update_id not in self._taken]
        if not new:
            return True
        try:
            await self._store.keep({received.update.update_id: received.text for received in new})
        except REDIS_ERRORS as error:
            log.warning("updates_not_stored", reason=type(error).__name__)
            await asyncio.wait([self._start(received.update) for received in new])
            return True
        for update in new:
            self._start(update.update)
        return True

    async def take_stored(self, number: int, text: str) -> None:
        """Start to handle an update that another process stored."""
        received = receive(json.loads(text), self._bot)
        if received is not None and number not in self._taken:
            self._start(received.update)
        elif number not in self._tasks:  # the update is a repeated one, already handled, or unreadable
            await self._store.forget(number)

    async def load(self) -> bool:
        """Start to handle all stored updates; return whether Redis answered."""
        self._complete = False
        try:
            for number, text in (await self._store.load()).items():
                await self.take_stored(number, text)
        except REDIS_ERRORS as error:
            log.warning("updates_not_loaded", reason=type(error).__name__)
            return False
        self._complete = True
        return True

    def _start(self, update: AnyUpdate) -> asyncio.Task[None]:
        number = update.update_id
        self._taken[number] = None
        while len(self._taken) > RECENT:
            del self._taken[next(iter(self._taken))]
        self._tasks[number] = asyncio.create_task(self._run(update), name=f"update {number}")
        return self._tasks[number]

    async def _run(self, update: AnyUpdate) -> None:
        try:
            await self._handle(update)
        except REDIS_ERRORS as error:
            log.warning("update_not_forgotten", reason=type(error).__name__)
        except Exception:
            log.exception("update_not_handled")
        finally:
            self._tasks.pop(update.update_id, None)

    async def stop(self) -> None:
        """Wait `FINISH_SECONDS` for running handlers, then cancel them. The next start handles their updates again."""
        tasks = list(self._tasks.values())
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=FINISH_SECONDS)
        finally:
            for task in tasks:
                task.cancel()
        await end(*tasks)


async def long_poll(bot: Bot, handle: UpdateHandler, stop: asyncio.Event, store: UpdateRepository) -> None:
    """Request updates and handle them until `stop` is set (Bot API, getUpdates). Raises `InvalidToken`.

    The next request, which confirms these updates, does not wait for their handlers. So no update waits for one of
    another chat or person. Unhandled updates stay in Redis.
    """
    queue = UpdateQueue(bot, handle, store)
    offset: int | None = None

    async def poll() -> None:
        nonlocal offset
        await retry_until_success(lambda: bot.delete_webhook(drop_pending_updates=False))
        while True:
            updates, following = await retry_until_success(partial(_get_updates, bot, offset))
            if await queue.take(updates):
                offset = following

    try:
        await queue.load()
        await unless_stopped(stop, poll())
    finally:
        await queue.stop()
    if offset is not None:
        await _confirm(bot, offset)


async def _get_updates(bot: Bot, offset: int | None) -> tuple[list[ReceivedUpdate], int | None]:
    """Return the readable updates of one request, and the offset that confirms all of them."""
    parameters = {"offset": offset, "timeout": POLL_SECONDS, "allowed_updates": allowed_updates(bot)}
    answer = await call(bot, "getUpdates", parameters, wait=POLL_SECONDS)
    numbers = [raw["update_id"] for raw in answer if isinstance(raw, dict) and isinstance(raw.get("update_id"), int)]
    if answer and not numbers:
        raise TelegramError("no update has a number")
    updates = [received for raw in answer if (received := receive(raw, bot)) is not None]
    return updates, max(numbers) + 1 if numbers else offset


async def _confirm(bot: Bot, offset: int) -> None:
    """Confirm the last updates when the bot stops, so that Telegram does not deliver them again."""
    parameters = {"offset": offset, "limit": 1, "timeout": 0, "allowed_updates": allowed_updates(bot)}
    try:
        async with asyncio.timeout(CONFIRM_SECONDS):
            await call(bot, "getUpdates", parameters)
    except (TelegramError, TimeoutError) as error:
        log.debug("updates_not_confirmed", reason=type(error).__name__)


async def retry_until_success(call: Callable[[], Awaitable[T]]) -> T:
    """Retry a call, with growing pauses, until it succeeds; return its result. Raises `InvalidToken` at once."""
    pause, report = FIRST_PAUSE, log.warning
    while True:
        try:
            return await call()
        except InvalidToken:
            raise
        except TelegramError as error:
            report("telegram_unreachable", reason=type(error).__name__)
            report = log.debug
            asked_pause = retry_after_seconds(error) if isinstance(error, RetryAfter) else 0.0
            await asyncio.sleep(asked_pause or pause)
            pause = min(pause * 2, LONGEST_PAUSE)


async def unless_stopped(stop: asyncio.Event, work: Awaitable[T]) -> T | None:
    """Return the result of `work`. If `stop` is set first, cancel it and return None."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        await end(working, stopping)
