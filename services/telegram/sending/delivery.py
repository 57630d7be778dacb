"""Delivers one message to Telegram and handles its errors; and the calls that wait for no rate limit."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from msgspec import structs
from telegram.error import ChatMigrated, RetryAfter, TelegramError

from services.telegram.records import FACE_DOWN, NO_ID, DealEndSlot, MatchEndSlot, ShownMessage, TableSlot
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import TEMPORARY, DeliveryError, MessageApi, classify, retry_after_seconds
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.custom_emoji import CustomEmoji
from services.telegram.sending.lost_messages import SentIds, UndeterminedError, find_message
from services.telegram.sending.messages import Address, MessageQueue, MessageSlot, OutgoingMessage, Priority
from services.telegram.sending.rate_limits import RateLimiter

log = structlog.get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
OUTAGE_PAUSE = 1.0
"""Seconds until a delivery is tried again that the store's outage has prevented."""
ANSWER_ATTEMPTS, ANSWER_PAUSE = 3, 0.5
SUPERSEDED = Screen("⬇️")
"""The text of a message that is too old to be deleted: its successor is below."""
_EMPTIED = {
    DeliveryError.NOT_DELETABLE: SUPERSEDED,
    DeliveryError.HAS_PHOTO: structs.replace(SUPERSEDED, photo=FACE_DOWN),
}
"""The screen of a message that cannot be deleted, or whose photo cannot be removed."""
_DATE_TIMES = re.compile(r"</?tg-time[^>]*>")


class OutboxListener(Protocol):
    """Receives what the outbox learns from Telegram."""

    async def record(self, slot: TableSlot, message: ShownMessage) -> None:
        """Store what is about to be sent in a slot, and then what was sent."""

    async def chat_closed(self, chat: int, reason: str) -> None:
        """Receive a chat to which the bot may not write (any more), with Telegram's description of the error."""

    async def chat_moved(self, old: int, new: int) -> None:
        """Receive the ids of a group that has become a supergroup."""


# --- calls that wait for no rate limit of a chat


async def answer_callback_query(
    api: MessageApi, clock: MonotonicClock, query_id: str, text: str | None, *, alert: bool, url: str | None
) -> None:
    """Answer a callback query, with a few attempts if the network or a rate limit prevents it."""
    for _ in range(ANSWER_ATTEMPTS):
        try:
            await api.answer(query_id, text, alert=alert, url=url)
        except TelegramError as error:
            if classify(error) not in TEMPORARY:
                log.debug("callback_query_not_answered", reason=error.message)
                return
            await clock.wait(asyncio.Event(), ANSWER_PAUSE)
        else:
            return


async def delete_message(api: MessageApi, clock: MonotonicClock, chat: int, message_id: int) -> None:
    """Delete a message, trying until it succeeds; a message that is too old to delete is emptied."""
    attempts = 0
    instead: Screen | None = None
    while True:
        try:
            await (api.edit(chat, message_id, instead) if instead else api.delete(chat, message_id))
        except TelegramError as error:
            kind = classify(error)
            if _EMPTIED.get(kind, instead) != instead:
                instead = _EMPTIED[kind]
                continue
            if kind not in TEMPORARY:
                log.debug("message_not_deleted", reason=error.message)
                return
            pause = retry_after_seconds(error) if isinstance(error, RetryAfter) else _pause_after(attempts)
            attempts += 1
            await clock.wait(asyncio.Event(), pause)
        else:
            return


def _pause_after(attempts: int) -> float:
    """Return the seconds to wait after an attempt that failed, given the number of attempts before it."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempts, 10))


# --- messages


@dataclass(slots=True, kw_only=True)
class Delivery:
    """Delivers messages, one call each."""

    api: MessageApi
    listener: OutboxListener
    queue: MessageQueue
    limiter: RateLimiter
    clock: MonotonicClock
    delete: Callable[[OutgoingMessage, int], None]
    """Deletes a message that another has replaced."""
    outages: tuple[type[Exception], ...]
    """What the listener raises while its store is away."""
    emoji: CustomEmoji
    sent_ids: SentIds
    date_times: bool = field(init=False, default=True)
    """Whether the server knows date-time entities."""

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send or edit a message; postpone it while the store is away, or after an error of the bot.

        Raises the latter.
        """
        try:
            await self._deliver(message)
        except self.outages as error:
            if not message.attempts:
                log.warning("delivery_postponed", reason=type(error).__name__)
            message.begun, message.failed = None, False
            self._postpone(message, OUTAGE_PAUSE)
        except Exception:
            self._postpone(message, _pause_after(message.attempts))
            raise

    async def _deliver(self, message: OutgoingMessage) -> None:
        """Send or edit a message. Its screen and address may change during the call, so they are read first."""
        if message.unrecorded:
            await self._record_id(message)
            return
        to, screen, drawing = message.to, message.screen, message.is_drawing
        is_new, ring = message.is_new, message.ring
        if message.message_id:
            self.sent_ids.see(to.chat, message.message_id)
        newest = self.sent_ids.newest(to.chat)
        try:
            if message.begun is not None and await self._find(message, to, screen, ring, message.begun):
                return
            if not is_new and message.message_id:
                await self.api.edit(to.chat, message.message_id, self._supported(screen), shown=message.shown)
                self._record_delivery(message, screen)
            else:
                await self._begin(message, newest)
                sent = await self.api.send(to, self._supported(screen))
                await self._place(message, to, sent, screen, ring)
        except TelegramError as error:
            uncertain = classify(error) in {DeliveryError.UNCERTAIN, DeliveryError.SERVER_FAILED}
            if uncertain and not is_new:
                message.shown = None  # it may show the new screen, and the next one may equal the one before
            searched = newest is not None
            if is_new and uncertain and newest is not None and await self._find(message, to, screen, ring, newest):
                return
            message.begun = None
            await self._handle_error(message, screen, ring, error, searched=searched)
            if is_new and searched:
                await self._record(message)  # so that nobody looks for it
        finally:
            self.limiter.count_message(to.chat, self.clock.now(), drawing=drawing)

    async def _begin(self, message: OutgoingMessage, newest: int | None) -> None:
        """Store that a table's message is about to be sent: if the bot is killed, its next start looks for it."""
        message.begun = newest
        if newest is not None:
            await self._record(message)

    async def _find(self, message: OutgoingMessage, to: Address, screen: Screen, ring: str, after: int) -> bool:
        """Look for a message whose sending got no answer, with an id above `after`; return whether not to send it now.

        It has arrived, or Telegram does not say: then it is looked for again before it is sent.
        """
        ids = self.sent_ids.unknown(to.chat, after)
        try:
            found = await find_message(self.api, self.clock, to.chat, ids, self._supported(screen))
        except UndeterminedError:
            message.begun = after
            self._postpone(message, _pause_after(message.attempts))
            return True
        if found is None:
            message.begun = None
            return False
        await self._place(message, to, found, screen, ring)
        return True

    async def _place(self, message: OutgoingMessage, to: Address, sent: int, screen: Screen, ring: str) -> None:
        """Record a message that was sent, and the one that it replaces."""
        self.sent_ids.add(to.chat, sent)
        if message.message_id and message.message_id != sent:
            message.superseded.add(message.message_id)
        message.message_id = sent
        await self._record_new(message, screen, ring)

    async def _record_new(self, message: OutgoingMessage, screen: Screen, ring: str) -> None:
        message.replace, message.rung = False, ring
        self._record_delivery(message, screen)
        await self._record_id(message)

    async def _record_id(self, message: OutgoingMessage) -> None:
        """Record the id of a message that was sent; delete those that it replaces."""
        message.unrecorded = True
        await self._record(message)
        message.unrecorded = False
        for before in message.superseded:
            self.delete(message, before)

    async def _record(self, message: OutgoingMessage) -> None:
        if message.slot is not None and not isinstance(message.slot, MessageSlot):
            await self.listener.record(message.slot, message.record)

    def _supported(self, screen: Screen) -> Screen:
        """Return the screen without entities that the server does not know, with the custom emoji that may be used."""
        known = screen if self.date_times else structs.replace(screen, text=_DATE_TIMES.sub("", screen.text))
        return self.emoji.drawn(known)

    def _record_delivery(self, message: OutgoingMessage, screen: Screen) -> None:
        message.shown = screen
        message.attempts, message.begun = 0, None
        message.sequence = self.queue.next_sequence()
        message.not_before = 0.0

    async def _handle_error(
        self, message: OutgoingMessage, screen: Screen, ring: str, error: TelegramError, *, searched: bool
    ) -> None:
        """Change or postpone a message; `searched`: if it is new and may have arrived, it was looked for in vain."""
        match classify(error):
            case DeliveryError.NOT_MODIFIED:
                self._record_delivery(message, screen)
            case (
                DeliveryError.MESSAGE_GONE
                | DeliveryError.NOT_EDITABLE
                | DeliveryError.HAS_PHOTO
                | DeliveryError.PHOTO_REFUSED
                | DeliveryError.TOPIC_GONE
            ) as kind:
                self._adapt(message, kind)
            case DeliveryError.NO_DATE_TIME:
                self.date_times = False
            case DeliveryError.RATE_LIMITED if isinstance(error, RetryAfter):
                self.limiter.pause(message.to.chat, self.clock.now() + retry_after_seconds(error))
            case DeliveryError.MIGRATED if isinstance(error, ChatMigrated):
                old = message.to.chat
                self.queue.move_chat(old, error.new_chat_id)
                await self.listener.chat_moved(old, error.new_chat_id)
            case DeliveryError.FORBIDDEN:
                message.failed = True
                await self.listener.chat_closed(message.to.chat, error.message)
            case DeliveryError.UNCERTAIN if message.is_new and not searched and message.priority is not Priority.HAND:
                await self._count_as_arrived(message, screen, ring)
            case DeliveryError.NOT_SENT | DeliveryError.SERVER_FAILED | DeliveryError.UNCERTAIN:
                self._postpone(message, _pause_after(message.attempts))
            case DeliveryError.REJECTED if self.emoji.drawn(screen) != screen:
                # The owner's Telegram Premium may have ended.
                log.warning("custom_emoji_refused", reason=error.message)
                self.emoji.use({})
            case _:
                message.failed = True
                log.error("message_refused", slot=type(message.slot).__name__, reason=error.message)

    def _adapt(self, message: OutgoingMessage, kind: DeliveryError) -> None:
        """Change a message that Telegram refuses: make it a new one, without its photo, or outside its topic."""
        match kind:
            case DeliveryError.MESSAGE_GONE:
                message.message_id = None
            case DeliveryError.NOT_EDITABLE:
                self._supersede(message)
            case DeliveryError.HAS_PHOTO:
                message.replace = True
            case DeliveryError.PHOTO_REFUSED:
                message.screen = structs.replace(message.screen, photo=())
            case _:
                message.to = Address(message.to.chat)

    def _supersede(self, message: OutgoingMessage) -> None:
        """Replace a message that cannot be edited. One that only was to be edited is deleted, unless it is a result."""
        if message.create or isinstance(message.slot, MessageSlot):
            message.replace = True
            return
        before, message.message_id = message.message_id, None
        if before and not isinstance(message.slot, DealEndSlot | MatchEndSlot):
            self.delete(message, before)

    async def _count_as_arrived(self, message: OutgoingMessage, screen: Screen, ring: str) -> None:
        """Record a message that may have arrived and cannot be looked for as one without an id.

        So it never appears twice; its next change is sent as a new message. Nobody can play without a hand, which is
        sent again.
        """
        message.message_id = NO_ID
        await self._record_new(message, screen, ring)

    def _postpone(self, message: OutgoingMessage, seconds: float) -> None:
        message.attempts += 1
        message.not_before = self.clock.now() + seconds
