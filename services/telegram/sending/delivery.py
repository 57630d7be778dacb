"""Delivery of messages: makes the call of a message's next step, and handles Telegram's errors."""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog
from msgspec import structs
from telegram.error import ChatMigrated, RetryAfter, TelegramError

from services.telegram.records import NO_ID, ShownMessage
from services.telegram.screens.screen import Screen, Wanted, within_limits
from services.telegram.sending.bot_api import TEMPORARY, BotApi, DeliveryError, classify, retry_after_seconds
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.custom_emoji import CustomEmoji
from services.telegram.sending.lost_messages import SentIds, UndeterminedError, find_message
from services.telegram.sending.messages import RESULTS, Address, Message, MessageSlot, Step
from services.telegram.sending.rate_limits import RateLimiter
from services.telegram.sending.store import MessageStore

log = structlog.get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
OUTAGE_PAUSE = 1.0
"""Seconds until a step is retried after an outage of the store."""
UNCERTAIN = {DeliveryError.UNCERTAIN, DeliveryError.SERVER_FAILED}
"""Errors after which it is unknown whether the call has taken effect."""
_DATE_TIMES = re.compile(r"</?tg-time[^>]*>")


def pause_after(attempts: int) -> float:
    """Return the seconds to wait after a failed attempt; `attempts` is the number of failures before it."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempts, 10))


@dataclass(slots=True, kw_only=True)
class MessageDelivery:
    """Does the next step of a message: one call of the Bot API or of the store."""

    api: BotApi
    store: MessageStore
    limiter: RateLimiter
    clock: MonotonicClock
    moved: Callable[[int, int], None]
    """Moves a group's messages to the supergroup that it became (old id, new id)."""
    document: Callable[[int], Awaitable[bytes]]
    """Returns the file with all stored data on a person."""
    save: Callable[[Message], Awaitable[None]]
    """Stores the pending state of a message that belongs to no table."""
    outages: tuple[type[Exception], ...]
    """The errors of an unreachable store."""
    emoji: CustomEmoji
    sent_ids: SentIds
    date_times: bool = field(init=False, default=True)
    """Whether the server supports date-time entities; assumed until it refuses one."""

    async def deliver(self, message: Message) -> None:
        """Do a message's next step. Postpone it during an outage of the store, or after an unexpected error (raised).

        The wanted content may change during a call, so each step reads it before the call.
        """
        try:
            match message.step:
                case Step.RECORD:
                    await self._record(message)
                case Step.FIND:
                    await self._find(message)
                case Step.SEND:
                    await self._send(message)
                case Step.EDIT:
                    await self._edit(message)
                case Step.FORGET:
                    await self._forget_former(message)
                case None:
                    return
        except self.outages as error:
            if not message.attempts:
                log.warning("delivery_postponed", reason=type(error).__name__)
            self._postpone(message, OUTAGE_PAUSE)
        except Exception:
            self._postpone(message, pause_after(message.attempts))
            raise

    # --- the steps

    async def _send(self, message: Message) -> None:
        """Send a message. First store that a sending begins, so that the message is searched for after a crash."""
        to, wanted, newest = message.to, message.wanted, self.sent_ids.newest(message.to.chat)
        document = await self.document(to.chat) if wanted.screen.document else b""
        if newest is not None:
            await self._store(message, structs.replace(message.record, begun=newest))
            message.record = structs.replace(message.record, begun=newest)
        try:
            sent = await self.api.send(to, self._supported(wanted.screen), document, silent=message.is_silent)
        except TelegramError as error:
            if newest is None or classify(error) not in UNCERTAIN:
                await self._begin_anew(message)
            await self._handle_error(message, to, wanted.screen, error)
        else:
            await self._place(message, to, sent, wanted)
        finally:
            self.limiter.count_message(to.chat, self.clock.now(), answer=message.is_answer)

    async def _edit(self, message: Message) -> None:
        to, wanted, message_id = message.to, message.wanted, message.record.id or NO_ID
        self.sent_ids.see(to.chat, message_id)
        try:
            await self.api.edit(to.chat, message_id, self._supported(wanted.screen), shown=message.shown)
        except TelegramError as error:
            if classify(error) in UNCERTAIN:
                message.shown = None  # unknown, because the edit may have taken effect
            await self._handle_error(message, to, wanted.screen, error)
        else:
            if message.record.id == message_id:
                message.edited(wanted.screen)
        finally:
            self.limiter.count_message(to.chat, self.clock.now(), answer=message.is_answer)

    async def _find(self, message: Message) -> None:
        """Search for a message whose sending had no answer. It is not sent again while the search is undecided."""
        to, wanted, begun = message.to, message.wanted, message.record.begun or NO_ID
        ids = self.sent_ids.unknown(to.chat, begun)
        try:
            sent_message = await find_message(self.api, self.clock, to.chat, ids, self._supported(wanted.screen))
        except UndeterminedError:
            self._postpone(message, pause_after(message.attempts))
            return
        if sent_message is None:
            await self._begin_anew(message)
        else:
            await self._place(message, to, sent_message, wanted)

    async def _place(self, message: Message, to: Address, sent: int, wanted: Wanted) -> None:
        """Record the id of the message that shows the wanted content."""
        (self.sent_ids.see_loose if message.table is None else self.sent_ids.add)(to.chat, sent)
        message.sent(sent, wanted)
        await self._record(message)

    async def _begin_anew(self, message: Message) -> None:
        """Record that no sending is under way, so that the message is not searched for."""
        if message.record.begun is not None:
            message.note(structs.replace(message.record, begun=None))
            await self._record(message)

    async def _record(self, message: Message) -> None:
        await self._store(message, message.record)
        message.recorded = True

    async def _forget_former(self, message: Message) -> None:
        if message.former is not None:
            await self.store.forget(message.former)
        message.former = None

    async def _store(self, message: Message, record: ShownMessage) -> None:
        if message.slot is not None and not isinstance(message.slot, MessageSlot):
            await self.store.record(message.slot, record)
        else:
            message.record = record
            with suppress(*self.outages):  # the message is sent anyway: a crash may double it
                await self.save(message)

    def _supported(self, screen: Screen) -> Screen:
        """Return the screen within Telegram's limits, with custom emoji, and with entities that the server supports."""
        screen = within_limits(screen)
        known = screen if self.date_times else structs.replace(screen, text=_DATE_TIMES.sub("", screen.text))
        return self.emoji.drawn(known)

    def _postpone(self, message: Message, seconds: float) -> None:
        message.attempts += 1
        message.not_before = self.clock.now() + seconds

    # --- errors

    async def _handle_error(self, message: Message, to: Address, screen: Screen, error: TelegramError) -> None:
        """Adapt or postpone a message after an error. `to` is the call's address, as the message may have moved."""
        kind = classify(error)
        match kind:
            case DeliveryError.NOT_MODIFIED:
                message.edited(screen)
            case DeliveryError.NO_DATE_TIME:
                self.date_times = False
            case DeliveryError.RATE_LIMITED if isinstance(error, RetryAfter):
                self.limiter.pause(to.chat, self.clock.now() + retry_after_seconds(error))
            case DeliveryError.MIGRATED if isinstance(error, ChatMigrated):
                self.moved(to.chat, error.new_chat_id)
                await self.store.move_chat(to.chat, error.new_chat_id)
            case DeliveryError.FORBIDDEN:
                message.failed = True
                await self.store.close_chat(to.chat, error.message)
            case _ if kind in TEMPORARY:
                self._postpone(message, pause_after(message.attempts))
            case DeliveryError.REJECTED if self.emoji.drawn(screen) != screen:
                # The owner's Telegram Premium may have ended.
                log.warning("custom_emoji_refused", reason=error.message)
                self.emoji.use({})
            case _ if not _adapt(message, kind):
                message.failed = True
                log.error("message_refused", slot=type(message.slot).__name__, reason=error.message)


def _adapt(message: Message, kind: DeliveryError) -> bool:
    """Change a message that Telegram refuses, so that a retry may succeed; return false if nothing can be changed."""
    match kind:
        case DeliveryError.MESSAGE_GONE:
            message.lose()
        case DeliveryError.NOT_EDITABLE:
            _supersede(message)
        case DeliveryError.HAS_PHOTO:
            message.replace = True
        case DeliveryError.PHOTO_REFUSED:
            plain = structs.replace(message.wanted.screen, photo=())
            message.wanted = structs.replace(message.wanted, screen=plain)
        case DeliveryError.TOPIC_GONE:
            message.to = Address(message.to.chat)
        case _:
            return False
    return True


def _supersede(message: Message) -> None:
    """Replace a message that cannot be edited by a new one; a result that needed only an edit stays."""
    if message.wanted.create:
        message.replace = True
    elif isinstance(message.slot, RESULTS):
        message.failed = True
    else:
        message.retire()
