"""The outbox: the only room that makes the bot's messages appear, change and go, and that answers taps.

What is to be seen is posted as a screen for a slot. For each slot the latest screen wins, whatever was posted before;
slots wait for their chat's pace, the weightier first. What Telegram refuses is tried again, sent anew, or let be.
"""

import asyncio
import re
from collections.abc import Awaitable
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Protocol

import structlog
from telegram.error import ChatMigrated, RetryAfter, TelegramError

from services.telegram.api import Address, Api, Fate, fate
from services.telegram.pace import Limits, Pace
from services.telegram.screens.screen import Screen
from shared.tasks import end

log = structlog.get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
ANSWER_TRIES = 3
_CLOCKS = re.compile(r"</?tg-time[^>]*>")


class Priority(IntEnum):
    """Which of the messages that wait goes first. Taps are answered without waiting."""

    HAND = 1
    NEWS = 2
    TABLE = 3
    PING = 4


class Clock(Protocol):
    """Time, so that tests need not wait for it."""

    def now(self) -> float:
        """Return seconds of a clock that only goes forward."""

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, but no longer than this."""


class RealClock:
    """The time that passes."""

    def now(self) -> float:
        """Return the event loop's time."""
        return asyncio.get_running_loop().time()

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a message: the table's in its group, a hand in its private chat."""

    ref: str
    name: str


class Listener(Protocol):
    """Who is told what the outbox learns."""

    async def placed(self, slot: Slot, message: int | None) -> None:
        """A new message fills the slot; none where its id was lost on the way."""

    async def closed(self, chat: int, reason: str) -> None:
        """The bot may not write to this chat (any more)."""

    async def moved(self, old: int, new: int) -> None:
        """A group has become a supergroup."""


@dataclass(slots=True, kw_only=True)
class _Parcel:
    """A slot's message: what is seen, what is to be seen, and how far we are."""

    to: Address
    screen: Screen
    priority: Priority
    slot: Slot | None = None
    message: int | None = None
    fresh: bool = False
    """A new message replaces the old one, so that the phone rings."""
    anew: bool = True
    """Is a message that vanished worth sending again?"""
    every: float = 0.0
    number: int = 0
    shown: Screen | None = None
    ready: float = 0.0
    tries: int = 0
    failed: bool = False

    @property
    def waits(self) -> bool:
        if self.failed or (self.message is None and not self.anew):
            return False
        return self.fresh or self.screen != self.shown


@dataclass(slots=True)
class _Shelf:
    """A chat's parcels; one is delivered at a time, so that they arrive in order."""

    parcels: dict[object, _Parcel] = field(default_factory=dict)
    busy: bool = False


class Outbox:
    """Delivers screens. Use as an async context manager: leaving it delivers what still waits, within reason."""

    def __init__(
        self, api: Api, listener: Listener, *, limits: Limits | None = None, clock: Clock | None = None
    ) -> None:
        self._api = api
        self._listener = listener
        self._clock = clock or RealClock()
        self._pace = Pace(limits or Limits())
        self._shelves: dict[int, _Shelf] = {}
        self._numbers = count()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None
        self._clocks = True
        """Does the server know date-time entities?"""

    async def __aenter__(self) -> "Outbox":
        self._loop = asyncio.create_task(self._run(), name="outbox")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.settle(5.0)
        await end(*(task for task in (self._loop, *self._tasks) if task))

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
        shelf = self._shelves.setdefault(to.chat, _Shelf())
        parcel = shelf.parcels.get(slot)
        if parcel is None:
            every = self._pace.limits.table_seconds if priority is Priority.TABLE else 0.0
            parcel = _Parcel(to=to, screen=screen, priority=priority, slot=slot, message=message or None, every=every)
            shelf.parcels[slot] = parcel
        parcel.screen, parcel.anew, parcel.failed = screen, anew, False
        parcel.fresh = parcel.fresh or (fresh and parcel.message is not None)
        parcel.number = parcel.number or next(self._numbers) + 1
        if parcel.waits:
            self._stir()

    def say(self, to: Address, screen: Screen, priority: Priority = Priority.NEWS) -> None:
        """Send a message that will not change."""
        shelf = self._shelves.setdefault(to.chat, _Shelf())
        number = next(self._numbers) + 1
        shelf.parcels[number] = _Parcel(to=to, screen=screen, priority=priority, number=number)
        self._stir()

    def turn(self, chat: int, message: int, screen: Screen) -> None:
        """Let a message that belongs to no table show another screen."""
        self.show(Slot("", str(message)), Address(chat), screen, message=message, priority=Priority.NEWS, anew=False)

    def delete(self, chat: int, message: int) -> None:
        """Delete a message; whether it works is of no weight."""
        self._start(self._delete(chat, message))

    def answer(self, tap: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a tap at once."""
        self._pace.start(self._clock.now())
        self._start(self._answer(tap, text, alert=alert, url=url))

    def adopt(self, slot: Slot, chat: int, message: int) -> None:
        """Learn from a tap which message fills a slot whose message's id was lost, or is an older one's."""
        shelf = self._shelves.get(chat)
        parcel = shelf.parcels.get(slot) if shelf else None
        if parcel is not None and (parcel.message or 0) < message and not parcel.fresh:
            parcel.message = message

    def forget(self, ref: str) -> None:
        """Forget a table's slots; what still waits in them is delivered first."""
        for shelf in self._shelves.values():
            for key, parcel in list(shelf.parcels.items()):
                if parcel.slot is not None and parcel.slot.ref == ref and not parcel.waits:
                    del shelf.parcels[key]

    def move(self, old: int, new: int) -> None:
        """Send everything for a group to the supergroup that it became: there, all messages are new."""
        shelf = self._shelves.pop(old, None)
        if shelf is None:
            return
        target = self._shelves.setdefault(new, _Shelf())
        for key, parcel in shelf.parcels.items():
            parcel.to, parcel.message, parcel.fresh = Address(new), None, False
            if parcel.waits:
                target.parcels.setdefault(key, parcel)
        self._stir()

    async def settle(self, seconds: float) -> None:
        """Wait until nothing waits any more, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                while self._tasks or self._waiting():
                    self._idle.clear()
                    await self._idle.wait()
        except TimeoutError:
            log.warning("messages_left_behind")

    # --- delivering

    def _stir(self) -> None:
        self._wake.set()

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("outbox_task_failed", exc_info=task.exception())
        self._idle.set()
        self._stir()

    def _waiting(self) -> bool:
        return any(parcel.waits for shelf in self._shelves.values() for parcel in shelf.parcels.values())

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            now = self._clock.now()
            when = self._pace.all_due(now)
            chosen, due = self._choose(now)
            if chosen is not None and when <= now:
                self._dispatch(chosen, now)
                continue
            if chosen is None and due is None:
                self._tidy(now)
            wait = when - now if chosen is not None else None if due is None else due - now
            await self._clock.wait(self._wake, wait)

    def _choose(self, now: float) -> tuple[_Parcel | None, float | None]:
        """Return the weightiest parcel that may go now, or else the time at which the next one may."""
        best: _Parcel | None = None
        soonest: float | None = None
        for chat, shelf in self._shelves.items():
            for parcel in () if shelf.busy else shelf.parcels.values():
                if not parcel.waits:
                    continue
                spare = parcel.priority >= Priority.TABLE and parcel.message is not None
                due = max(parcel.ready, self._pace.due(chat, now, spare=spare))
                if due > now:
                    soonest = due if soonest is None else min(soonest, due)
                elif best is None or (parcel.priority, parcel.number) < (best.priority, best.number):
                    best = parcel
        return best, soonest

    def _tidy(self, now: float) -> None:
        self._pace.sweep(now)
        for chat, shelf in list(self._shelves.items()):
            for key, parcel in list(shelf.parcels.items()):
                if (parcel.slot is None or not parcel.slot.ref) and not parcel.waits:
                    del shelf.parcels[key]
            if not shelf.parcels and not shelf.busy:
                del self._shelves[chat]

    def _dispatch(self, parcel: _Parcel, now: float) -> None:
        self._shelves[parcel.to.chat].busy = True
        self._pace.start(now)
        self._start(self._deliver(parcel))

    async def _deliver(self, parcel: _Parcel) -> None:
        to, screen, fresh = parcel.to, parcel.screen, parcel.fresh
        try:
            if parcel.message is None or fresh:
                await self._send(parcel, to, screen)
            else:
                await self._api.edit(to.chat, parcel.message, self._timely(screen))
            self._delivered(parcel, screen, fresh=fresh)
        except TelegramError as error:
            await self._failed(parcel, screen, error)
        finally:
            for chat in {to.chat, parcel.to.chat} & self._shelves.keys():
                self._shelves[chat].busy = False
            self._pace.spend(to.chat, self._clock.now())

    async def _send(self, parcel: _Parcel, to: Address, screen: Screen) -> None:
        before = parcel.message
        parcel.message = await self._api.send(to, self._timely(screen))
        if parcel.slot is not None:
            await self._listener.placed(parcel.slot, parcel.message)
        if before is not None:
            self.delete(to.chat, before)

    def _delivered(self, parcel: _Parcel, screen: Screen, *, fresh: bool) -> None:
        parcel.shown = screen
        parcel.fresh = parcel.fresh and not fresh
        parcel.tries = 0
        parcel.number = next(self._numbers) + 1
        parcel.ready = self._clock.now() + parcel.every

    async def _failed(self, parcel: _Parcel, screen: Screen, error: TelegramError) -> None:
        sending = parcel.message is None or parcel.fresh
        match fate(error):
            case Fate.SHOWN:
                self._delivered(parcel, screen, fresh=False)
            case Fate.VANISHED:
                parcel.message = None
            case Fate.NO_TOPIC:
                parcel.to = Address(parcel.to.chat)
            case Fate.NO_CLOCK:
                self._clocks = False
            case Fate.HELD if isinstance(error, RetryAfter):
                self._pace.pause(parcel.to.chat, self._clock.now() + _seconds(error))
            case Fate.MIGRATED if isinstance(error, ChatMigrated):
                old = parcel.to.chat
                self.move(old, error.new_chat_id)
                await self._listener.moved(old, error.new_chat_id)
            case Fate.FORBIDDEN:
                parcel.failed = True
                await self._listener.closed(parcel.to.chat, error.message)
            case Fate.DOUBTFUL if sending:
                await self._doubted(parcel, screen)
            case Fate.FAILED | Fate.DOUBTFUL:
                self._later(parcel, min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(parcel.tries, 10)))
            case _:
                parcel.failed = True
                log.error("message_refused", slot=parcel.slot and parcel.slot.name.split(":")[0], reason=error.message)

    async def _doubted(self, parcel: _Parcel, screen: Screen) -> None:
        """Decide on a message that may have arrived: a hand is sent again, since without it nobody can play.

        Anything else counts as arrived rather than appear twice; its next change comes as a message of its own.
        """
        if parcel.priority is Priority.HAND:
            self._later(parcel, FIRST_PAUSE)
            return
        parcel.message = None
        self._delivered(parcel, screen, fresh=True)
        if parcel.slot is not None:
            await self._listener.placed(parcel.slot, None)

    def _later(self, parcel: _Parcel, seconds: float) -> None:
        parcel.tries += 1
        parcel.ready = self._clock.now() + seconds

    def _timely(self, screen: Screen) -> Screen:
        return screen if self._clocks else Screen(_CLOCKS.sub("", screen.text), screen.rows)

    async def _delete(self, chat: int, message: int) -> None:
        try:
            await self._api.delete(chat, message)
        except TelegramError as error:
            log.debug("message_not_deleted", reason=error.message)

    async def _answer(self, tap: str, text: str | None, *, alert: bool, url: str | None) -> None:
        for _ in range(ANSWER_TRIES):
            try:
                await self._api.answer(tap, text, alert=alert, url=url)
            except TelegramError as error:
                if fate(error) not in {Fate.FAILED, Fate.DOUBTFUL, Fate.HELD}:
                    log.debug("tap_not_answered", reason=error.message)
                    return
                await self._clock.wait(asyncio.Event(), FIRST_PAUSE)
            else:
                return


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return float(after.total_seconds()) if not isinstance(after, int) else float(after)
