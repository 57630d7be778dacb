"""Calls that wait for no chat's pace: answers to taps, and deletions."""

import asyncio

import structlog
from telegram.error import TelegramError

from services.telegram.outbox.api import Api
from services.telegram.outbox.clock import Clock
from services.telegram.outbox.fates import Fate, fate

log = structlog.get_logger(__name__)

TRIES, PAUSE = 3, 0.5
_PASSING = {Fate.FAILED, Fate.DOUBTFUL, Fate.HELD}


async def answer(api: Api, clock: Clock, tap: str, text: str | None, *, alert: bool, url: str | None) -> None:
    """Answer a tap; tried again a few times where a flood or the network was in the way."""
    for _ in range(TRIES):
        try:
            await api.answer(tap, text, alert=alert, url=url)
        except TelegramError as error:
            if fate(error) not in _PASSING:
                log.debug("tap_not_answered", reason=error.message)
                return
            await clock.wait(asyncio.Event(), PAUSE)
        else:
            return


async def delete(api: Api, chat: int, message: int) -> None:
    """Delete a message; whether it works is of no weight."""
    try:
        await api.delete(chat, message)
    except TelegramError as error:
        log.debug("message_not_deleted", reason=error.message)
