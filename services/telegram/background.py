"""Background tasks: what the bot does after it has answered an update. The bot cancels them when it stops."""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Self

import structlog

from services.common.processes import end

log = structlog.get_logger(__name__)


class BackgroundTasks:
    """Tasks that nothing waits for; those still running when the bot stops are cancelled."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Start a task; if it fails, log its error."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("background_task_failed", exc_info=task.exception())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await end(*self._tasks)
