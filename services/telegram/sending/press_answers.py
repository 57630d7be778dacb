"""Answers to button presses (Bot API, answerCallbackQuery), which do not count against Telegram's rate limits."""

import asyncio
from dataclasses import dataclass, field

import structlog
from telegram.error import TelegramError

from services.telegram.sending.bot_api import TEMPORARY, BotApi, classify
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.loop import RunningCalls

log = structlog.get_logger(__name__)

ATTEMPTS, PAUSE = 3, 0.5
ANSWERED_SECONDS = 5.0
"""Maximum seconds to wait for a press's answer before its update counts as handled."""


@dataclass(frozen=True, slots=True)
class PressAnswers:
    """Answers presses, and tracks the running calls."""

    api: BotApi
    clock: MonotonicClock
    calls: RunningCalls
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    """Running calls, by id of the press."""

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a press at once."""
        task = self._tasks[query_id] = self.calls.start(self._answer(query_id, text, alert=alert, url=url))
        task.add_done_callback(lambda _: self._tasks.pop(query_id, None))

    async def answered(self, query_id: str) -> None:
        """Wait at most `ANSWERED_SECONDS` until a press is answered: its update is not handled before."""
        task = self._tasks.get(query_id)
        if task is not None:
            await asyncio.wait({task}, timeout=ANSWERED_SECONDS)

    async def _answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a press, with a few retries after network errors and rate limits."""
        for _ in range(ATTEMPTS):
            try:
                await self.api.answer(query_id, text, alert=alert, url=url)
            except TelegramError as error:
                if classify(error) not in TEMPORARY:
                    log.debug("callback_query_not_answered", reason=error.message)
                    return
                await self.clock.wait(asyncio.Event(), PAUSE)
            else:
                return
