"""Fakes: a clock that tests advance, a Bot API that fails on request, a store, and an outbox that uses these."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from redis.exceptions import ConnectionError as RedisConnectionError
from telegram.error import TelegramError

from services.telegram.records import ShownMessage, StoredDelivery, TableSlot
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.bot_api import BotApi
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox
from tests.telegram.samples import GROUP, HAND_SLOT, TABLE_SLOT


class FakeClock(MonotonicClock):
    """A clock whose time passes only in `advance`."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._waiting: list[tuple[float, asyncio.Event]] = []

    def now(self) -> float:
        """Return the time."""
        return self._now

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event; `advance` sets it when the time has passed."""
        if seconds is not None:
            self._waiting.append((self._now + seconds, event))
        await event.wait()

    async def advance(self, seconds: float) -> None:
        """Advance the time in small steps, and run the tasks that become due."""
        await calm()
        until = self._now + seconds
        while self._now < until:
            self._now = min(until, self._now + 0.25)
            due = [waiting for waiting in self._waiting if waiting[0] <= self._now]
            self._waiting = [waiting for waiting in self._waiting if waiting[0] > self._now]
            for _, event in due:
                event.set()
            await calm()


async def calm() -> None:
    """Run all tasks that can run now."""
    for _ in range(25):
        await asyncio.sleep(0)


@dataclass
class Sent:
    """A call of the outbox."""

    at: float
    kind: str
    chat: int
    message: int
    text: str
    thread: int | None = None
    silent: bool = False


@dataclass
class FakeApi(BotApi):
    """A Bot API that records its calls and raises planned errors: `failures` before the effect, `lost` after it."""

    clock: FakeClock
    sent: list[Sent] = field(default_factory=list)
    failures: dict[str, deque[TelegramError]] = field(default_factory=lambda: defaultdict(deque))
    lost: dict[str, deque[TelegramError]] = field(default_factory=lambda: defaultdict(deque))
    numbers: int = 100

    async def send(self, to: Address, screen: Screen, document: bytes = b"", *, silent: bool = False) -> int:
        """Send a message."""
        self._fail(self.failures, "send")
        self.numbers += 1
        self._note("send", to.chat, self.numbers, screen.text, to.thread)
        self.sent[-1].silent = silent
        self._fail(self.lost, "send")
        return self.numbers

    async def edit(self, chat: int, message_id: int, screen: Screen, *, shown: Screen | None = None) -> None:
        """Edit a message."""
        self._fail(self.failures, "edit")
        self._note("edit", chat, message_id, screen.text)
        self._fail(self.lost, "edit")

    async def delete(self, chat: int, message_id: int) -> None:
        """Delete a message."""
        self._fail(self.failures, "delete")
        self._note("delete", chat, message_id, "")

    async def answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a button press."""
        self._fail(self.failures, "answer")
        self._note("answer", 0, 0, text or url or "")

    def _note(self, kind: str, chat: int, message: int, text: str, thread: int | None = None) -> None:
        self.sent.append(Sent(self.clock.now(), kind, chat, message, text, thread))

    def _fail(self, planned: dict[str, deque[TelegramError]], kind: str) -> None:
        if planned[kind]:
            raise planned[kind].popleft()

    def of(self, kind: str) -> list[Sent]:
        """Return the calls of one kind."""
        return [call for call in self.sent if call.kind == kind]

    @property
    def texts(self) -> list[str]:
        """The texts of all messages sent and edited."""
        return [call.text for call in self.sent if call.kind in {"send", "edit"}]


@dataclass
class FakeStore:
    """A store in memory (`MessageStore`); raises planned errors instead of recording a message."""

    recorded: list[tuple[int, ShownMessage]] = field(default_factory=list)
    """The messages of all tables at the start."""
    deliveries: dict[str, StoredDelivery] = field(default_factory=dict)
    away: bool = False
    written: int = 0
    """The number of deliveries written or deleted so far."""
    mute: bool = False
    """Whether a write takes effect but gets no answer."""
    failures: deque[Exception] = field(default_factory=deque)
    records: dict[TableSlot, ShownMessage] = field(default_factory=dict)
    places: list[tuple[TableSlot, int]] = field(default_factory=list)
    """Sent or adopted messages."""
    begun: list[tuple[TableSlot, ShownMessage]] = field(default_factory=list)
    """Messages about to be sent."""
    closures: list[tuple[int, str]] = field(default_factory=list)
    moves: list[tuple[int, int]] = field(default_factory=list)
    newest_ids: dict[int, int] = field(default_factory=dict)

    async def shown(self, ref: str) -> dict[TableSlot, ShownMessage]:
        """Return the records of a table."""
        return {slot: record for slot, record in self.records.items() if slot.ref == ref}

    async def shown_messages(self) -> list[tuple[int, ShownMessage]]:
        """Return the chats and messages in `recorded`."""
        return self.recorded

    async def record(self, slot: TableSlot, message: ShownMessage) -> None:
        """Record a message that is about to be sent, or was sent."""
        if message.begun is not None:
            self.begun.append((slot, message))
            return
        if self.failures:
            raise self.failures.popleft()
        self.records[slot] = message
        if message.id is not None:
            self.places.append((slot, message.id))

    async def forget(self, slot: TableSlot) -> None:
        """Forget a record."""
        self.records.pop(slot, None)

    async def load(self) -> dict[str, StoredDelivery]:
        """Return all stored deliveries."""
        if self.away:
            raise RedisConnectionError
        return dict(self.deliveries)

    async def write(self, changed: Mapping[str, StoredDelivery], removed: Iterable[str]) -> None:
        """Store deliveries, and delete those that are done."""
        if self.away:
            raise RedisConnectionError
        self.deliveries |= changed
        self.written += len(changed) + len(list(removed))
        for name in removed:
            self.deliveries.pop(name, None)
        if self.mute:
            raise RedisConnectionError

    async def note_newest(self, messages: Mapping[int, int]) -> None:
        """Store the newest ids."""
        self.newest_ids |= messages

    async def newest(self) -> dict[int, int]:
        """Return the newest ids."""
        return self.newest_ids

    async def close_chat(self, chat: int, reason: str) -> None:
        """Record the report."""
        self.closures.append((chat, reason))

    async def move_chat(self, old: int, new: int) -> None:
        """Record the report."""
        self.moves.append((old, new))


@dataclass
class OutboxHarness:
    """An outbox with its fakes, and shortcuts for the screens of one table."""

    outbox: Outbox
    api: FakeApi
    clock: FakeClock
    store: FakeStore

    def table(self, text: str, *, message: int | None = None, chat: int = GROUP, create: bool = True) -> None:
        self.show(TABLE_SLOT, Wanted(Screen(text), create=create), ShownMessage(message), Address(chat))

    def hand(self, text: str, *, ring: str = "", record: ShownMessage | None = None) -> None:
        self.show(HAND_SLOT, Wanted(Screen(text), ring), record)

    def show(
        self, slot: TableSlot, wanted: Wanted, record: ShownMessage | None = None, to: Address | None = None
    ) -> None:
        """Set the wanted content of one message, whose stored record is `record`."""
        self.outbox.show(to or Address(GROUP), {slot: wanted}, {slot: record or ShownMessage()})
