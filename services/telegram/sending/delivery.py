"""Delivery: the one call that a message's next step takes, and what Telegram's errors mean for the message."""

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
"""Seconds until a step is tried again that the store's outage has prevented."""
UNCERTAIN = {DeliveryError.UNCERTAIN, DeliveryError.SERVER_FAILED}
"""Errors of a call that may have had its effect."""
_DATE_TIMES = re.compile(r"</?tg-time[^>]*>")


def pause_after(attempts: int) -> float:
    """Return the seconds to wait after an attempt that failed, given the number of attempts before it."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempts, 10))


@dataclass(slots=True, kw_only=True)
class MessageDelivery:
    """Does the next step of messages, one call each."""

    api: BotApi
    store: MessageStore
    limiter: RateLimiter
    clock: MonotonicClock
    moved: Callable[[int, int], None]
    """Takes the messages of a group to the supergroup that it became."""
    document: Callable[[int], Awaitable[bytes]]
    """Returns the file with all that is stored on a person."""
    save: Callable[[Message], Awaitable[None]]
    """Stores pending work on messages of no table."""
    outages: tuple[type[Exception], ...]
    """The error of an unreachable store."""
    emoji: CustomEmoji
    sent_ids: SentIds
    date_times: bool = field(init=False, default=True)
    """Whether the server knows date-time entities."""

    async def deliver(self, message: Message) -> None:
        """Do a message's next step; postpone it while the store is away, or after an error of the bot, which it raises.

        The wanted content may change during the call, so it is read first.
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
        """Send a message. That it is about to be sent is stored first: after a kill it is looked for."""
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
                message.shown = None  # the edit may have worked, so even a return to the old screen must be sent
            await self._handle_error(message, to, wanted.screen, error)
        else:
            if message.record.id == message_id:
                message.edited(wanted.screen)
        finally:
            self.limiter.count_message(to.chat, self.clock.now(), answer=message.is_answer)

    async def _find(self, message: Message) -> None:
        """Look for a message whose sending got no answer. While Telegram does not say, it is not sent again."""
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
        """Record which message shows the wanted content."""
        (self.sent_ids.see_loose if message.table is None else self.sent_ids.add)(to.chat, sent)
        message.sent(sent, wanted)
        await self._record(message)

    async def _begin_anew(self, message: Message) -> None:
        """Record that no sending is under way, so that it is not looked for."""
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
            with suppress(*self.outages):  # what cannot be stored may come twice after a kill, and is sent now
                await self.save(message)

    def _supported(self, screen: Screen) -> Screen:
        """Return the screen within limits, without entities unknown to the server, with custom emoji."""
        screen = within_limits(screen)
        known = screen if self.date_times else structs.replace(screen, text=_DATE_TIMES.sub("", screen.text))
        return self.emoji.drawn(known)

    def _postpone(self, message: Message, seconds: float) -> None:
        message.attempts += 1
        message.not_before = self.clock.now() + seconds

    # --- errors

    async def _handle_error(self, message: Message, to: Address, screen: Screen, error: TelegramError) -> None:
        """Change or postpone a message that Telegram has not taken in a chat: its own may have moved meanwhile."""
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
    """Change a message that Telegram refuses, so that it may take it; return whether that can help."""
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
    """Let a new message take the place of one that cannot be edited; a result that was only to be edited stays."""
    if message.wanted.create:
        message.replace = True
    elif isinstance(message.slot, RESULTS):
        message.failed = True
    else:
        message.retire()
