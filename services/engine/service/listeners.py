"""Events for the listeners of a table, with the views of their seats; made once for all with equal views."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from locanda import messages
from services.engine.service.accounts import Group
from services.engine.service.transactions import shown
from services.engine.store.errors import StoreDownError
from services.engine.table.state import AnyTable

MOST_WAITING = 8
"""The most events that wait for a slow listener, who then reads missing ones from the store. Also the most versions
that wait in a feed with many listeners, who then get only the newest."""

NO_VIEW = b"null"

_encoder = msgspec.json.Encoder()


EventKind: TypeAlias = Literal["change", "gap"]


class EncodedEvent(Struct, frozen=True):
    """An event with its views in JSON."""

    id: int
    """The table's version after the event."""
    event: EventKind
    table: bytes
    """The listener's view of it, as JSON."""
    seats: tuple[bytes, ...] = ()
    """The views of further seats by the listener's tokens, in their order; `null` for an unknown token."""
    frames: dict[str | None, bytes] = msgspec.field(default_factory=dict)
    """Its bytes by language of its words, made once for all listeners."""


class EncodedRemark(Struct, frozen=True):
    """A remark at the table, as JSON."""

    remark: bytes


class EncodedViews:
    """The views of one version of a table, each made and encoded once."""

    def __init__(self, table: AnyTable) -> None:
        self._table = table
        self._seats: dict[bytes | None, int] = {
            seat.token: number for number, seat in enumerate(table.everybody) if seat.token
        }
        """Seats by the digest of their tokens. The time of a look-up by digest reveals nothing about a token."""
        self._public: messages.Table | None = None
        self._encoded: dict[int | None, bytes] = {}
        self._events: dict[tuple[EventKind, int | None, tuple[int | None, ...]], EncodedEvent] = {}

    @property
    def version(self) -> int:
        """The table's version."""
        return self._table.version

    def has_seat(self, digest: bytes) -> bool:
        """Return whether a token is a seat's."""
        return digest in self._seats

    def event(self, kind: EventKind, digest: bytes | None, seats: Sequence[bytes]) -> EncodedEvent:
        """Return an event for the bearer of a token, with the views of further tokens: each token as its digest.

        Spectators get the public view. Equal events share one object.
        """
        own, others = self._seats.get(digest), tuple([self._seats.get(token) for token in seats])
        event = self._events.get((kind, own, others))
        if event is None:
            views = tuple([NO_VIEW if seat is None else self._of(seat) for seat in others])
            event = EncodedEvent(self._table.version, kind, self._of(own), views)
            self._events[kind, own, others] = event
        return event

    def _of(self, seat: int | None) -> bytes:
        if seat not in self._encoded:
            self._public = self._public or shown(self._table, None)
            own = self._public if seat is None else shown(self._table, seat, self._public)
            self._encoded[seat] = _encoder.encode(own)
        return self._encoded[seat]


Send: TypeAlias = Callable[[EncodedEvent | EncodedRemark], bool]
"""Sends an event at once; returns false if something is in its way, so that the event waits."""


def send_nothing(_: EncodedEvent | EncodedRemark) -> bool:
    """Send nothing at once."""
    return False


class Listener:
    """A follower of a table, and the events that wait for them."""

    def __init__(
        self,
        account: Group,
        digest: bytes | None,
        send: Send = send_nothing,
        seats: Sequence[bytes] = (),
        *,
        hears: bool = False,
    ) -> None:
        self.account = account
        """The account that pays for the listener's events."""
        self.digest = digest
        """Of the listener's token; None for a spectator."""
        self.seats = seats
        """The digests of further tokens, whose seats' views the listener gets too."""
        self.hears = hears
        """Whether the listener gets remarks."""
        self._send = send
        self.events: deque[EncodedEvent | EncodedRemark] = deque()
        """Those that wait."""
        self.after = 0
        """The version that the listener has, with all events that wait."""
        self.reads = True
        """Whether the listener must read missed versions from the store: until then events are useless."""
        self.newest = 0
        """The newest version that the feed has told of, since the listener has begun to read."""
        self.late = False
        """Whether the feed owes the listener the newest version."""
        self.failure: Exception | None = None
        """The reason why there will be no more events."""
        self._woken: asyncio.Future[bool] | None = None

    @property
    def behind(self) -> bool:
        """Whether the listener must read missing events from the store."""
        return self.reads or self.newest > self.after

    @property
    def waits(self) -> bool:
        """Whether the listener has all events, and waits for more."""
        return self._woken is not None and not self._woken.done()

    def announce(self, version: int) -> bool:
        """Tell the listener of a version, and wake them if they miss some; return whether it is their next one."""
        self.newest = max(self.newest, version)
        if self.reads or version != self.after + 1 or len(self.events) >= MOST_WAITING:
            self.wake()
            return False
        return True

    def give(self, event: EncodedEvent) -> None:
        """Send the listener's next event, or queue it."""
        self.after = event.id
        self._pass_on(event)

    def hear(self, remark: EncodedRemark) -> None:
        """Send the listener a remark, or queue it; drop it if many events wait."""
        if self.hears and len(self.events) < MOST_WAITING:
            self._pass_on(remark)

    def _pass_on(self, event: EncodedEvent | EncodedRemark) -> None:
        if not (self.waits and self._send(event)):
            self.events.append(event)
            self.wake()

    def fail(self, failure: Exception) -> None:
        """End the listener's events with an exception."""
        self.failure = failure
        self.wake()

    def wake(self, *, quiet: bool = False) -> None:
        """Wake the listener if they wait; `quiet`: because nothing has happened for a while."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(not quiet)

    async def woken(self) -> bool:
        """Return true once something has happened that was not sent at once; false after a quiet time."""
        self._woken = asyncio.get_running_loop().create_future()
        try:
            return await self._woken
        finally:
            self._woken = None

    async def newer(self, after: int, wait: float) -> None:
        """Return once the table is newer than a version, or gone, or when `wait` seconds are up."""
        try:
            async with asyncio.timeout(wait):
                while self.newest <= after and (self.failure is None or isinstance(self.failure, StoreDownError)):
                    await self.woken()
        except TimeoutError:
            pass
