"""Answers to presses of buttons (Bot API, answerCallbackQuery), which do not count against Telegram's limits."""

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
"""For how long a press waits to be answered before its update counts as handled."""


@dataclass(frozen=True, slots=True)
class PressAnswers:
    """The answers that are under way."""

    api: BotApi
    clock: MonotonicClock
    calls: RunningCalls
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    """By the id of the press."""

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a press at once."""
        task = self._tasks[query_id] = self.calls.start(self._answer(query_id, text, alert=alert, url=url))
        task.add_done_callback(lambda _: self._tasks.pop(query_id, None))

    async def answered(self, query_id: str) -> None:
        """Wait, for a moment at most, until a press is answered: only then is its update handled."""
        task = self._tasks.get(query_id)
        if task is not None:
            await asyncio.wait({task}, timeout=ANSWERED_SECONDS)

    async def _answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a press, with a few attempts if the network or a rate limit prevents it."""
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
