"""Delivering a parcel, and what becomes of one that Telegram refused: tried again, sent anew, or let be."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from telegram.error import ChatMigrated, RetryAfter, TelegramError

from services.telegram.outbox.api import Api
from services.telegram.outbox.clock import Clock
from services.telegram.outbox.fates import Fate, fate
from services.telegram.outbox.pace import Pace
from services.telegram.outbox.parcels import Address, Parcel, Priority, Slot
from services.telegram.outbox.shelves import Shelves
from services.telegram.screens.screen import Screen

log = structlog.get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
_DATE_TIMES = re.compile(r"</?tg-time[^>]*>")


class Listener(Protocol):
    """Who is told what the outbox learns."""

    async def placed(self, slot: Slot, message: int | None) -> None:
        """A new message fills the slot; none where its id was lost on the way."""

    async def closed(self, chat: int, reason: str) -> None:
        """The bot may not write to this chat (any more)."""

    async def moved(self, old: int, new: int) -> None:
        """A group has become a supergroup."""


@dataclass(slots=True, kw_only=True)
class Courier:
    """Brings parcels to Telegram."""

    api: Api
    listener: Listener
    shelves: Shelves
    pace: Pace
    clock: Clock
    delete: Callable[[int, int], None]
    date_times: bool = field(init=False, default=True)
    """Does the server know date-time entities?"""

    async def deliver(self, parcel: Parcel) -> None:
        """Let Telegram show what the parcel is to show by now; it may be changed meanwhile."""
        to, screen, fresh = parcel.to, parcel.screen, parcel.fresh
        try:
            if parcel.message is None or fresh:
                await self._send(parcel, to, screen)
            else:
                await self.api.edit(to.chat, parcel.message, self._known(screen))
            self._delivered(parcel, screen, fresh=fresh)
        except TelegramError as error:
            await self._failed(parcel, screen, error)
        finally:
            self.pace.spend(to.chat, self.clock.now())

    async def _send(self, parcel: Parcel, to: Address, screen: Screen) -> None:
        before = parcel.message
        parcel.message = await self.api.send(to, self._known(screen))
        if parcel.slot is not None:
            await self.listener.placed(parcel.slot, parcel.message)
        if before is not None:
            self.delete(to.chat, before)

    def _known(self, screen: Screen) -> Screen:
        """Return the screen as the server knows to show it."""
        return screen if self.date_times else Screen(_DATE_TIMES.sub("", screen.text), screen.rows)

    def _delivered(self, parcel: Parcel, screen: Screen, *, fresh: bool) -> None:
        parcel.shown = screen
        parcel.fresh = parcel.fresh and not fresh
        parcel.tries = 0
        parcel.number = self.shelves.number()
        rest = self.pace.limits.table_seconds if parcel.priority is Priority.TABLE else 0.0
        parcel.ready = self.clock.now() + rest

    async def _failed(self, parcel: Parcel, screen: Screen, error: TelegramError) -> None:
        match fate(error):
            case Fate.SHOWN:
                self._delivered(parcel, screen, fresh=False)
            case Fate.VANISHED:
                parcel.message = None
            case Fate.NO_TOPIC:
                parcel.to = Address(parcel.to.chat)
            case Fate.NO_CLOCK:
                self.date_times = False
            case Fate.HELD if isinstance(error, RetryAfter):
                self.pace.pause(parcel.to.chat, self.clock.now() + _seconds(error))
            case Fate.MIGRATED if isinstance(error, ChatMigrated):
                old = parcel.to.chat
                self.shelves.move(old, error.new_chat_id)
                await self.listener.moved(old, error.new_chat_id)
            case Fate.FORBIDDEN:
                parcel.failed = True
                await self.listener.closed(parcel.to.chat, error.message)
            case Fate.DOUBTFUL if parcel.is_new:
                await self._doubted(parcel, screen)
            case Fate.FAILED | Fate.DOUBTFUL:
                self._later(parcel, min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(parcel.tries, 10)))
            case _:
                parcel.failed = True
                log.error("message_refused", slot=parcel.slot and parcel.slot.name.split(":")[0], reason=error.message)

    async def _doubted(self, parcel: Parcel, screen: Screen) -> None:
        """Decide on a message that may have arrived: a hand is sent again, since without it nobody can play.

        Anything else counts as arrived rather than appear twice; its next change comes as a message of its own.
        """
        if parcel.priority is Priority.HAND:
            self._later(parcel, FIRST_PAUSE)
            return
        parcel.message = None
        self._delivered(parcel, screen, fresh=True)
        if parcel.slot is not None:
            await self.listener.placed(parcel.slot, None)

    def _later(self, parcel: Parcel, seconds: float) -> None:
        parcel.tries += 1
        parcel.ready = self.clock.now() + seconds


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return float(after.total_seconds()) if not isinstance(after, int) else float(after)
