"""Hand-written fakes: a clock that is moved by hand, and a Telegram that remembers and fails as told."""

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field

from telegram.error import TelegramError

from services.telegram.outbox.parcels import Address, Slot
from services.telegram.screens.screen import Screen


class FakeClock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._waiting: list[tuple[float, asyncio.Event]] = []

    def now(self) -> float:
        """Return the time."""
        return self._now

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, or until the time has come."""
        if seconds is not None:
            self._waiting.append((self._now + seconds, event))
        await event.wait()

    async def advance(self, seconds: float) -> None:
        """Let time pass in small steps, and everybody do what is due."""
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
    """Let everything run that can run now."""
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


@dataclass
class FakeApi:
    """A Telegram that remembers what it was asked, and fails as told: before or after the effect."""

    clock: FakeClock
    sent: list[Sent] = field(default_factory=list)
    failures: dict[str, deque[TelegramError]] = field(default_factory=lambda: defaultdict(deque))
    lost: dict[str, deque[TelegramError]] = field(default_factory=lambda: defaultdict(deque))
    numbers: int = 100

    async def send(self, to: Address, screen: Screen) -> int:
        """Send a message."""
        self._fail(self.failures, "send")
        self.numbers += 1
        self._note("send", to.chat, self.numbers, screen.text, to.thread)
        self._fail(self.lost, "send")
        return self.numbers

    async def edit(self, chat: int, message: int, screen: Screen) -> None:
        """Edit a message."""
        self._fail(self.failures, "edit")
        self._note("edit", chat, message, screen.text)
        self._fail(self.lost, "edit")

    async def delete(self, chat: int, message: int) -> None:
        """Delete a message."""
        self._fail(self.failures, "delete")
        self._note("delete", chat, message, "")

    async def answer(self, tap: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a tap."""
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
class FakeListener:
    """Remembers what the outbox tells."""

    places: list[tuple[Slot, int | None]] = field(default_factory=list)
    closures: list[tuple[int, str]] = field(default_factory=list)
    moves: list[tuple[int, int]] = field(default_factory=list)

    async def placed(self, slot: Slot, message: int | None) -> None:
        """Remember."""
        self.places.append((slot, message))

    async def closed(self, chat: int, reason: str) -> None:
        """Remember."""
        self.closures.append((chat, reason))

    async def moved(self, old: int, new: int) -> None:
        """Remember."""
        self.moves.append((old, new))
