"""Views of tables as JSON. Each view is encoded once, for the mover's answer and for all listeners."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from locanda import messages
from services.engine.service.errors import UNEXPECTED_ERRORS, diagnosed
from services.engine.table.state import AnyTable
from services.engine.table.view import shared_part, view

NO_VIEW = b"null"

_encoder = msgspec.json.Encoder()

EventKind: TypeAlias = Literal["change", "gap"]


class EncodedEvent(Struct, frozen=True):
    """An event, with its views encoded as JSON."""

    id: int
    """The table's version after the event."""
    event: EventKind
    table: bytes
    """The listener's view of the table, as JSON."""
    seats: tuple[bytes, ...] = ()
    """Views of the listener's additional seats, in the order of their tokens. The view is `null` for an unknown token.
    """
    frames: dict[str | None, bytes] = msgspec.field(default_factory=dict)
    """The event as bytes of a stream, by the language of its sentences. All listeners share these bytes."""


class EncodedViews:
    """The views of one version of a table, each encoded once."""

    def __init__(self, table: AnyTable) -> None:
        self.table = table
        self.version = table.version
        self._seats: dict[bytes | None, int] = {
            seat.token: number for number, seat in enumerate(table.everybody) if seat.token
        }
        """Number of each seat, by the digest of its token. The time that a lookup takes reveals nothing about a token.
        """
        self._shared: messages.Table | None = None
        self._encoded: dict[int | None, bytes] = {}
        self._events: dict[tuple[EventKind, int | None, tuple[int | None, ...]], EncodedEvent] = {}

    def has_seat(self, digest: bytes) -> bool:
        """Return whether a token belongs to a seat."""
        return digest in self._seats

    def event(self, kind: EventKind, digest: bytes | None, seats: Sequence[bytes]) -> EncodedEvent:
        """Return an event for the listener with this token, with the views of additional tokens (all given as digests).

        Without a seat's token, the view is the spectators'. Equal events are the same object.
        """
        own, others = self._seats.get(digest), tuple(map(self._seats.get, seats))
        event = self._events.get((kind, own, others))
        if event is None:
            views = tuple([NO_VIEW if seat is None else self.of(seat) for seat in others])
            event = EncodedEvent(self.version, kind, self.of(own), views)
            self._events[kind, own, others] = event
        return event

    def of(self, seat: int | None) -> bytes:
        """Return the view of a seat or, without a seat, of spectators, as JSON. Raises the errors of `view`."""
        if seat not in self._encoded:
            self._encoded[seat] = _encoder.encode(self.view(seat))
        return self._encoded[seat]

    def view(self, seat: int | None) -> messages.Table:
        """Return the view of a seat or of spectators. Raises `NewerReleaseError`, `DamagedError` or `TableError`."""
        try:
            self._shared = self._shared or shared_part(self.table)
            return view(self.table, seat, self._shared)
        except UNEXPECTED_ERRORS as error:
            raise diagnosed(self.table, error) from None
