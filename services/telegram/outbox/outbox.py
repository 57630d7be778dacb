"""The outbox: the only room that makes the bot's messages appear, change and go, and that answers taps.

What is to be seen is posted as a screen for a slot. For each slot the latest screen wins, whatever was posted before;
slots wait for their chat's pace, the weightier first.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import structlog

from services.telegram.outbox.api import Api
from services.telegram.outbox.choosing import choose
from services.telegram.outbox.clock import Clock, RealClock
from services.telegram.outbox.delivering import Courier, Listener
from services.telegram.outbox.errands import answer, delete
from services.telegram.outbox.pace import Limits, Pace
from services.telegram.outbox.parcels import Address, Parcel, Priority, Slot
from services.telegram.outbox.shelves import Shelves
from services.telegram.screens.screen import Screen
from shared.tasks import end

log = structlog.get_logger(__name__)

SETTLE_SECONDS = 5.0


class Outbox:
    """Takes screens, and delivers them while `delivering`."""

    def __init__(self, api: Api, *, limits: Limits | None = None, clock: Clock | None = None) -> None:
        self._api = api
        self._clock = clock or RealClock()
        self._pace = Pace(limits or Limits())
        self._shelves = Shelves()
        self._calls: set[asyncio.Task[None]] = set()
        self._call_ended = asyncio.Event()

    # --- posting

    def show(
        self,
        slot: Slot,
        to: Address,
        screen: Screen,
        *,
        message: int | None = None,
        priority: Priority = Priority.TABLE,
        fresh: bool = False,
        anew: bool = True,
    ) -> None:
        """Let a slot show this screen: edit its message, or send one where there is none and it is worth one (`anew`).

        `message` is the one that fills the slot, for a slot that the outbox does not know yet.
        """
        parcel = self._shelves.of_slot(slot, to, screen, priority, message)
        parcel.change(screen, fresh=fresh, anew=anew)
        if parcel.waits:
            self._shelves.stirred.set()

    def say(self, to: Address, screen: Screen, priority: Priority = Priority.NEWS) -> None:
        """Send a message that will not change."""
        self._shelves.add(to, screen, priority)

    def turn(self, chat: int, message: int, screen: Screen) -> None:
        """Let a message that belongs to no table show another screen."""
        self.show(Slot("", str(message)), Address(chat), screen, message=message, priority=Priority.NEWS, anew=False)

    def delete(self, chat: int, message: int) -> None:
        """Delete a message; whether it works is of no weight."""
        self._start(delete(self._api, chat, message))

    def answer(self, tap: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a tap at once."""
        self._pace.start(self._clock.now())
        self._start(answer(self._api, self._clock, tap, text, alert=alert, url=url))

    # --- what others learn of messages

    def adopt(self, slot: Slot, chat: int, message: int) -> None:
        """Learn from a tap which message fills a slot whose message's id was lost, or is an older one's."""
        self._shelves.adopt(slot, chat, message)

    def forget(self, ref: str) -> None:
        """Forget a table's slots; what still waits in them is delivered first."""
        self._shelves.forget(ref)

    def move(self, old: int, new: int) -> None:
        """Send everything for a group to the supergroup that it became."""
        self._shelves.move(old, new)

    # --- delivering

    @asynccontextmanager
    async def delivering(self, listener: Listener) -> AsyncIterator[None]:
        """Deliver, and tell somebody what is learnt by it; at the end what still waits is delivered, within reason."""
        courier = Courier(
            api=self._api,
            listener=listener,
            shelves=self._shelves,
            pace=self._pace,
            clock=self._clock,
            delete=self.delete,
        )
        loop = asyncio.create_task(self._run(courier), name="outbox")
        try:
            yield
        finally:
            await self._settle()
            await end(loop, *self._calls)

    async def _settle(self) -> None:
        """Wait until nothing waits any more, but no longer than a few seconds."""
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                while self._calls or any(self._shelves.waiting()):
                    self._call_ended.clear()
                    await self._call_ended.wait()
        except TimeoutError:
            log.warning("messages_left_behind")

    async def _run(self, courier: Courier) -> None:
        stirred = self._shelves.stirred
        while True:
            stirred.clear()
            now = self._clock.now()
            match choose(self._shelves.deliverable(), self._pace, now):
                case Parcel() as parcel:
                    self._dispatch(courier, parcel, now)
                case None:
                    self._pace.sweep(now)
                    self._shelves.tidy()
                    await self._clock.wait(stirred, None)
                case when:
                    await self._clock.wait(stirred, when - now)

    def _dispatch(self, courier: Courier, parcel: Parcel, now: float) -> None:
        chat = parcel.to.chat
        self._shelves.busy.add(chat)
        self._pace.start(now)
        self._start(self._deliver(courier, parcel, chat))

    async def _deliver(self, courier: Courier, parcel: Parcel, chat: int) -> None:
        try:
            await courier.deliver(parcel)
        finally:
            self._shelves.busy.discard(chat)

    def _start(self, call: Awaitable[None]) -> None:
        task = asyncio.ensure_future(call)
        self._calls.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._calls.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("outbox_task_failed", exc_info=task.exception())
        self._call_ended.set()
        self._shelves.stirred.set()
