"""One id for all that an update sets off: in the bot's log, and through `X-Request-ID` in the engine's."""

import time
from collections.abc import Awaitable, Callable

import structlog
from telegram import Update

from shared import logs

Handle = Callable[[Update], Awaitable[None]]
log = structlog.get_logger(__name__)


def request_id() -> str | None:
    """Return the id of the update that is being handled here, if one is."""
    return logs.request_id.get()


def traced(handle: Handle) -> Handle:
    """Return the handler that gives each update an id, and logs one line about it; delivered again, it has the same."""

    async def told(update: Update) -> None:
        began = time.perf_counter()
        before = logs.request_id.set(f"update-{update.update_id}")
        try:
            await handle(update)
        finally:
            ms = round((time.perf_counter() - began) * 1000, 1)
            log.info("update", kind=_kind(update), ms=ms)
            logs.request_id.reset(before)

    return told


def untraced() -> None:
    """Let go of the id: the task goes on when the update that began it is long done."""
    logs.request_id.set(None)


def _kind(update: Update) -> str:
    return "tap" if update.callback_query else "message" if update.message else "membership"
