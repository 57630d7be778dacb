"""What happens at a table, beside its game: public facts all of them, in the order in which they happened.

A table's `events` mix these with the events of its game (`shared.games`); `type` tells them apart.
"""

from typing import Literal

from msgspec import Struct

from shared.games.base import Count, Result, SeatNumber


class Opened(Struct, frozen=True, tag="opened"):
    """The table was opened by its host."""

    seat: SeatNumber
    name: str


class Changed(Struct, frozen=True, tag="changed"):
    """The host changed the options, the time for a turn or the listing."""


class Sat(Struct, frozen=True, tag="sat"):
    """Somebody sat down."""

    seat: SeatNumber
    name: str
    kind: Literal["person", "computer"]


class Left(Struct, frozen=True, tag="left"):
    """Somebody left the open table; the seats behind move up by one."""

    seat: SeatNumber
    name: str


class Replaced(Struct, frozen=True, tag="replaced"):
    """Somebody left and a computer player took the seat over."""

    seat: SeatNumber
    name: str


class Seeded(Struct, frozen=True, tag="seeded"):
    """A seat gave its own share in the coming shuffle."""

    seat: SeatNumber


class Started(Struct, frozen=True, tag="started"):
    """A match started."""

    match: Count


class Dealt(Struct, frozen=True, tag="dealt"):
    """The cards of a deal were dealt."""

    deal: Count
    dealer: SeatNumber


class TimedOut(Struct, frozen=True, tag="timed_out"):
    """A person's time was up: a computer player made what was left of this one turn."""

    seat: SeatNumber


class Away(Struct, frozen=True, tag="away"):
    """A person let two turns pass: a computer player holds the hand until the person is back."""

    seat: SeatNumber


class Returned(Struct, frozen=True, tag="returned"):
    """A person who was away is back."""

    seat: SeatNumber


class DeadlineMoved(Struct, frozen=True, tag="deadline_moved"):
    """The deadline was put off by as long as the house was closed."""

    milliseconds: Count


class MatchOver(Struct, frozen=True, tag="match_over"):
    """The match ended."""

    result: Result


TableEvent = (
    Opened
    | Changed
    | Sat
    | Left
    | Replaced
    | Seeded
    | Started
    | Dealt
    | TimedOut
    | Away
    | Returned
    | DeadlineMoved
    | MatchOver
)
