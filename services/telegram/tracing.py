"""One id for all that an update sets off: in the bot's log, and through `X-Request-ID` in the engine's."""

import time
from collections.abc import Awaitable, Callable

import structlog
from structlog.contextvars import bound_contextvars, clear_contextvars, get_contextvars
from telegram import Update

Handle = Callable[[Update], Awaitable[None]]
log = structlog.get_logger(__name__)


def request_id() -> str | None:
    """Return the id of the update that is being handled here, if one is."""
    found: str | None = get_contextvars().get("request_id")
    return found


def traced(handle: Handle) -> Handle:
    """Return the handler that gives each update an id, and logs one line about it; delivered again, it has the same."""

    async def told(update: Update) -> None:
        began = time.perf_counter()
        with bound_contextvars(request_id=f"update-{update.update_id}"):
            try:
                await handle(update)
            finally:
                ms = round((time.perf_counter() - began) * 1000, 1)
                log.info("update", kind=_kind(update), ms=ms)

    return told


def untraced() -> None:
    """Let go of the id: the task goes on when the update that began it is long done."""
    clear_contextvars()


def _kind(update: Update) -> str:
    return "tap" if update.callback_query else "message" if update.message else "membership"
