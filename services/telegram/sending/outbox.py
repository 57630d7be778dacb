"""The outbox: the one object through which the bot sends, edits and deletes messages, and answers callback queries.

Callers give it a screen for a slot. A slot's latest screen replaces earlier ones that are not delivered yet. Messages
are sent by priority, within Telegram's rate limits.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager

import structlog

from services.common.processes import end
from services.telegram.records import HandSlot, ShownMessage
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import MessageApi
from services.telegram.sending.clock import LoopClock, MonotonicClock
from services.telegram.sending.custom_emoji import CustomEmoji
from services.telegram.sending.delivery import (
    Delivery,
    OutboxListener,
    answer_callback_query,
    delete_message,
)
from services.telegram.sending.journal import DeliveryStore, Journal
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import (
    Address,
    MessageQueue,
    MessageSlot,
    OutgoingMessage,
    Priority,
    Slot,
    choose_next,
)
from services.telegram.sending.rate_limits import RateLimiter, RateLimits

log = structlog.get_logger(__name__)

FLUSH_SECONDS = 1.0
"""For how long messages are still delivered when the bot stops; the rest is stored, and delivered after its start."""
ANSWERED_SECONDS = 5.0
"""For how long a press waits to be answered before its update counts as handled."""
SAVE_SECONDS, SAVE_PAUSE, RETRY_SECONDS = 0.5, 0.05, 1.0
FENCED_SECONDS = 0.25
"""Seconds after which drawings that wait for the lease are tried again."""


class Outbox:
    """Accepts screens at any time; delivers them within `delivering`."""

    def __init__(
        self,
        api: MessageApi,
        *,
        store: DeliveryStore | None = None,
        limits: RateLimits | None = None,
        clock: MonotonicClock | None = None,
        leads: Callable[[], bool] = lambda: True,
        outages: tuple[type[Exception], ...] = (),
    ) -> None:
        """`leads` tells whether this process draws tables: no other does meanwhile.

        `outages` are raised by store and listener while Redis is away.
        """
        self.emoji = CustomEmoji()
        """The pictures of cards that messages may show."""
        self._api = api
        self._leads = leads
        self._outages = outages
        self._clock = clock or LoopClock()
        self._limiter = RateLimiter(limits or RateLimits())
        self._queue = MessageQueue()
        self._journal = Journal(store, self._queue)
        self._sent_ids = SentIds()
        self._unsaved = asyncio.Event()
        self._replaced: set[tuple[int, int]] = set()
        """Chats and ids of messages that others have replaced, while they are being deleted."""
        self._calls: set[asyncio.Task[None]] = set()
        self._answers: dict[str, asyncio.Task[None]] = {}
        """The answers to callback queries that are under way."""
        self._call_ended = asyncio.Event()

    # --- screens

    def show(
        self,
        slot: Slot,
        to: Address,
        screen: Screen,
        *,
        known: ShownMessage | None = None,
        priority: Priority = Priority.TABLE,
        create: bool = True,
        keep: bool = False,
    ) -> None:
        """Show a screen in a slot: edit the slot's message, or send one if there is none.

        `known` is the record of the slot's message, for a slot that is new to the outbox. With `create` false an
        existing message is edited and none sent. With `keep` it is stored until it is delivered: after a start nothing
        draws it again.
        """
        outgoing = self._queue.for_slot(slot, to, screen, priority, known)
        outgoing.kept = keep or isinstance(slot, MessageSlot)
        self._change(outgoing, screen, create=create)

    def show_hand(
        self, slot: HandSlot, screen: Screen, hand: ShownMessage, *, known: ShownMessage | None, create: bool = True
    ) -> None:
        """Show a hand as `show` does, in a new message if the reason to notify its person (`hand.ring`) is new."""
        outgoing = self._queue.for_slot(slot, Address(slot.user), screen, Priority.HAND, known)
        outgoing.ring, outgoing.since, outgoing.grid, outgoing.kept = hand.ring, hand.since, hand.grid, False
        self._change(outgoing, screen, create=create)

    def _change(self, outgoing: OutgoingMessage, screen: Screen, *, create: bool) -> None:
        outgoing.change(screen, create=create)
        if outgoing.pending:
            self._queue.changed.set()
            if outgoing.kept:
                self._unsaved.set()

    def screen(self, slot: Slot, chat: int) -> Screen | None:
        """Return the latest screen of a slot, delivered or not; None if the slot has no message."""
        message = self._queue.find(slot, chat)
        return None if message is None else message.screen

    def hand(self, slot: HandSlot) -> ShownMessage | None:
        """Return for what, and in which places, a hand was drawn last; None if it was not."""
        message = self._queue.find(slot, slot.user)
        return None if message is None else ShownMessage(None, message.ring, message.since, message.grid)

    def send(self, to: Address, screen: Screen, priority: Priority = Priority.NEWS) -> None:
        """Send a message that will not change."""
        self._queue.add(to, screen, priority)
        self._unsaved.set()

    def edit(self, chat: int, message: int, screen: Screen) -> None:
        """Edit a message that belongs to no table."""
        known = ShownMessage(message)
        self.show(MessageSlot(message), Address(chat), screen, known=known, priority=Priority.NEWS, create=False)

    def delete(self, chat: int, message: int) -> None:
        """Delete a message, trying until it succeeds, also after a restart."""
        if (chat, message) not in self._journal.deletions:
            self._journal.deletions.add((chat, message))
            self._start(self._save_and_delete(chat, message))

    async def _save_and_delete(self, chat: int, message: int) -> None:
        await self._try_to_save()  # first: a kill during the attempts leaves the message to the next start
        await self._delete(chat, message)

    def _delete_replaced(self, message: OutgoingMessage, before: int) -> None:
        """Delete a message that another has replaced, of which that one's record tells until then."""
        if (message.to.chat, before) not in self._replaced:
            self._replaced.add((message.to.chat, before))
            self._start(self._delete_before(message, message.to.chat, before))

    async def _delete_before(self, message: OutgoingMessage, chat: int, before: int) -> None:
        await delete_message(self._api, self._clock, chat, before)
        self._replaced.discard((chat, before))
        message.superseded.discard(before)

    async def _delete_all(self, messages: list[tuple[int, int]]) -> None:
        await self._try_to_save()
        for chat, message in messages:  # one after the other: some may be deleted already
            await self._delete(chat, message)

    async def _delete(self, chat: int, message: int) -> None:
        await delete_message(self._api, self._clock, chat, message)
        self._journal.deletions.discard((chat, message))
        self._unsaved.set()

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a callback query at once: answers do not count against Telegram's limits on messages."""
        task = self._start(answer_callback_query(self._api, self._clock, query_id, text, alert=alert, url=url))
        self._answers[query_id] = task
        task.add_done_callback(lambda _: self._answers.pop(query_id, None))

    def count_message(self, chat: int) -> None:
        """Count a message that was sent without the outbox towards Telegram's limits."""
        now = self._clock.now()
        self._limiter.begin_call()
        self._limiter.end_call(now)
        self._limiter.count_message(chat, now)

    async def answered(self, query_id: str) -> None:
        """Wait, for a moment at most, until a callback query is answered: only then is its update handled."""
        task = self._answers.get(query_id)
        if task is not None:
            await asyncio.wait({task}, timeout=ANSWERED_SECONDS)

    def waiting(self) -> int:
        """Return how many messages are to be sent or edited."""
        return sum(1 for _ in self._queue.pending())

    async def save(self) -> None:
        """Store what is still to be delivered, for after a restart. Raises what redis-py raises."""
        self._unsaved.clear()
        try:
            await self._journal.save()
        except BaseException:
            self._unsaved.set()
            raise

    async def save_table(self, ref: str) -> None:
        """Store what is still to be delivered of a table that no start draws again. Raises what redis-py raises."""
        self._queue.keep_table(ref)
        await self.save()

    # --- changes of chats and tables

    def recheck(self, slot: Slot, chat: int, *, replace: bool = False) -> None:
        """Deliver a slot's screen again, since its message may be missing. With `replace`, as a new message."""
        self._queue.recheck(slot, chat, replace=replace)

    def recheck_table(self, ref: str) -> None:
        """Deliver all screens of a table again: some of their messages may be missing."""
        self._queue.recheck_table(ref)

    def mark_missing(self, slot: Slot, chat: int, message: int) -> None:
        """Record that a slot's message is missing in its chat, so that its next drawing is sent as a new one."""
        self._queue.mark_missing(slot, chat, message)

    def adopt(self, slot: Slot, chat: int, message: int) -> None:
        """Set the message of a slot whose message is unknown or older: a button press names the one people look at."""
        self._queue.adopt(slot, chat, message)

    def forget_table(self, ref: str) -> None:
        """Remove a table's slots, except those with something to deliver."""
        self._queue.forget_table(ref)

    def move_chat(self, old: int, new: int) -> None:
        """Move a group's pending messages to the supergroup that it became."""
        self._queue.move_chat(old, new)

    # --- delivery

    @asynccontextmanager
    async def delivering(self, listener: OutboxListener) -> AsyncIterator[None]:
        """Deliver messages, and report to the listener.

        First it restores what an earlier process stored. At the end it delivers for a moment, then stores the rest.
        """
        delivery = Delivery(
            api=self._api,
            listener=listener,
            queue=self._queue,
            limiter=self._limiter,
            clock=self._clock,
            delete=self._delete_replaced,
            outages=self._outages,
            emoji=self.emoji,
            sent_ids=self._sent_ids,
        )
        restored = await self._restore()
        loop = asyncio.create_task(self._run(delivery), name="outbox")
        saving = asyncio.create_task(self._save_changes(restored=restored), name="outbox journal")
        try:
            yield
        finally:
            await self._flush()
            await end(loop, saving, *self._calls)
            await self._try_to_save()

    async def _flush(self) -> None:
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                while self._calls or any(self._queue.pending()):
                    self._call_ended.clear()
                    await self._call_ended.wait()
        except TimeoutError:
            log.warning("messages_not_delivered")

    async def _restore(self) -> bool:
        """Restore what was stored; return whether the store has answered."""
        try:
            shown = await self._journal.shown_messages()
            deletions = await self._journal.restore()
        except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
            log.warning("deliveries_not_loaded", reason=type(error).__name__)
            return False
        for chat, message in shown:
            if message.id:
                self._sent_ids.add(chat, message.id)
        left = [(chat, before) for chat, message in shown for before in message.replaced]
        self._journal.deletions.update(left, [(each.chat, each.message) for each in deletions])
        self._start(self._delete_all([*self._journal.deletions]))
        return True

    async def _save_changes(self, *, restored: bool) -> None:
        while not restored:
            await asyncio.sleep(RETRY_SECONDS)
            restored = await self._restore()
        while True:
            await self._unsaved.wait()
            await asyncio.sleep(SAVE_PAUSE)
            if not self._unsaved.is_set():
                continue  # whoever drew has stored it
            self._unsaved.clear()
            try:
                await self._journal.save()
            except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
                log.warning("deliveries_not_saved", reason=type(error).__name__)
                self._unsaved.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _try_to_save(self) -> None:
        """Store what is to be delivered; give up after a moment, or if the store fails."""
        try:
            async with asyncio.timeout(SAVE_SECONDS):
                await self._journal.save()
        except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
            log.warning("deliveries_not_saved", reason=type(error).__name__)

    async def _run(self, delivery: Delivery) -> None:
        changed = self._queue.changed
        while True:
            changed.clear()
            now = self._clock.now()
            self._limiter.forget_idle_chats(now)
            self._queue.remove_delivered()
            match choose_next(self._deliverable(), self._limiter, now):
                case OutgoingMessage() as message:
                    self._dispatch(delivery, message)
                case None:
                    await self._clock.wait(changed, None if self._leads() else FENCED_SECONDS)
                case time:
                    await self._clock.wait(changed, time - now)

    def _deliverable(self) -> Iterator[OutgoingMessage]:
        """Yield what may be delivered now.

        Drawings wait while another process may lead, and until it is known what the process before has begun.
        """
        messages, draws = self._queue.deliverable(), self._journal.restored and self._leads()
        return messages if draws else (message for message in messages if message.slot is None)

    def _dispatch(self, delivery: Delivery, message: OutgoingMessage) -> None:
        chat = message.to.chat
        self._queue.busy_chats.add(chat)
        self._limiter.begin_call()
        self._start(self._deliver(delivery, message, chat))

    async def _deliver(self, delivery: Delivery, message: OutgoingMessage, chat: int) -> None:
        try:
            await delivery.deliver(message)
        finally:
            self._limiter.end_call(self._clock.now())
            self._queue.busy_chats.discard(chat)
            self._queue.changed.set()
            if message.kept:
                self._unsaved.set()

    def _start(self, call: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._call_done)
        return task

    def _call_done(self, task: asyncio.Task[None]) -> None:
        self._calls.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("outbox_task_failed", exc_info=task.exception())
        self._call_ended.set()
