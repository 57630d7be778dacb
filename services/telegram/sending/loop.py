"""The loop that delivers messages, beginning with undelivered messages of an earlier process."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog

from services.common.processes import end
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.deletions import Deletions
from services.telegram.sending.delivery import MessageDelivery
from services.telegram.sending.journal import Journal
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Message
from services.telegram.sending.pending import Messages
from services.telegram.sending.rate_limits import RateLimiter

log = structlog.get_logger(__name__)

FLUSH_SECONDS = 1.0
"""Seconds during which messages are still delivered when the bot stops. The next start delivers the rest."""
RETRY_SECONDS = 1.0


class RunningCalls:
    """The tasks of running calls."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        self.ended = asyncio.Event()
        """Set whenever a call has ended."""

    def start(self, call: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Start a call as a task; log its error if it fails."""
        task = asyncio.create_task(call)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("outbox_task_failed", exc_info=task.exception())
        self.ended.set()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryLoop:
    """Delivers messages inside the context `running`."""

    messages: Messages
    delivery: MessageDelivery
    deletions: Deletions
    journal: Journal
    sent_ids: SentIds
    limiter: RateLimiter
    clock: MonotonicClock
    calls: RunningCalls = field(default_factory=RunningCalls)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Return a context in which messages are delivered; at its end, flush for a moment and store the rest."""
        restored = await self._restore()
        loop = asyncio.create_task(self._run(), name="outbox")
        saving = asyncio.create_task(self._save_changes(restored=restored), name="outbox journal")
        try:
            yield
        finally:
            await self.flush()
            await end(loop, saving, *self.calls.tasks)
            await self.journal.try_to_save()

    async def flush(self) -> None:
        """Wait until everything is delivered, at most `FLUSH_SECONDS`."""
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                while self.calls.tasks or self.messages.schedule:
                    self.calls.ended.clear()
                    await self.calls.ended.wait()
        except TimeoutError:
            log.warning("messages_not_delivered")

    async def _restore(self) -> bool:
        """Restore the stored messages; return whether the store answered."""
        try:
            shown, messages, deletions = await self.journal.restore()
        except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
            log.warning("deliveries_not_loaded", reason=type(error).__name__)
            return False
        for chat, record in shown:
            if record.id:
                self.sent_ids.add(chat, record.id)
        for message in messages:
            edited_meanwhile = self.messages.find(message.key) is not None
            if not edited_meanwhile and self.messages.answers.has_place_for(message):
                self.messages.add(message)
        left = [(chat, before) for chat, record in shown for before in record.replaced]
        self.deletions.restore([*((deletion.chat, deletion.message) for deletion in deletions), *left])
        return True

    async def _save_changes(self, *, restored: bool) -> None:
        while not restored:
            await asyncio.sleep(RETRY_SECONDS)
            restored = await self._restore()
        while True:
            await self.journal.unsaved.wait()
            try:
                await self.journal.save()
            except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
                log.warning("deliveries_not_saved", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _run(self) -> None:
        changed = self.messages.changed
        while True:
            changed.clear()
            now = self.clock.now()
            self.limiter.forget_idle_chats(now)
            match self.messages.schedule.take(now):
                case Message() as message:
                    self.calls.start(self._deliver(message, message.to.chat))
                case None:
                    await self.clock.wait(changed, None)
                case time:
                    await self.clock.wait(changed, time - now)

    async def _deliver(self, message: Message, chat: int) -> None:
        try:
            await self.delivery.deliver(message)
        finally:
            self.messages.end(message)
        if message.recorded:
            self.deletions.delete_replaced(message, chat, self.messages.touch_known)
