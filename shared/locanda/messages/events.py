"""Events of a table other than those of its game.

All are public, and are listed in the order in which they happened.

A table's `events` contain these and the events of its game (`locanda.games`); `type` distinguishes them.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.games.base import Count, Result, SeatNumber
from locanda.messages import Level


class Opened(Struct, frozen=True, tag="opened"):
    """The host opened the table."""

    seat: SeatNumber
    name: str
    """The host's name."""


class Changed(Struct, frozen=True, tag="changed"):
    """The host changed the options or other settings."""


class Sat(Struct, frozen=True, tag="sat"):
    """A person or a computer player sat down."""

    seat: SeatNumber
    name: str
    """The newcomer's name."""
    kind: Literal["person", "computer"]
    """Whether it is a person or a computer player."""


class LevelChanged(Struct, frozen=True, tag="level_changed"):
    """The host changed the level of a computer player."""

    seat: SeatNumber
    level: Level
    """The new level."""


class Renamed(Struct, frozen=True, tag="renamed"):
    """A seat was renamed; the old name is in no view or event any more."""

    seat: SeatNumber
    name: str
    """The new name."""


class Left(Struct, frozen=True, tag="left"):
    """A player left the open table; later seats move up by one."""

    seat: SeatNumber
    name: str
    """The name of the person who left."""


class Replaced(Struct, frozen=True, tag="replaced"):
    """A player left during a match, and a computer player took over the seat."""

    seat: SeatNumber
    name: str
    """The name of the person who left."""


class Removed(Struct, frozen=True, tag="removed"):
    """A person was removed by another seat. The effect is that of `left` at an open table, otherwise of `replaced`."""

    seat: SeatNumber
    name: str
    """The name of the person who was removed."""
    by: SeatNumber
    """The seat that removed them, by its number after the removal."""


class Seeded(Struct, frozen=True, tag="seeded"):
    """A seat set its client seed for the next match."""

    seat: SeatNumber


class Started(Struct, frozen=True, tag="started"):
    """A match started."""

    match: Count
    """The match's number, counted from 1."""


class Dealt(Struct, frozen=True, tag="dealt"):
    """The cards of a deal were dealt."""

    deal: Count
    """The deal's number in the match, counted from 1."""
    dealer: SeatNumber
    """The dealer; the next seat begins."""


class TimedOut(Struct, frozen=True, tag="timed_out"):
    """A person's time was up, and a computer player finished this turn."""

    seat: SeatNumber


class Away(Struct, frozen=True, tag="away"):
    """A person missed two turns of the match; a computer player plays for them until they return."""

    seat: SeatNumber


class Returned(Struct, frozen=True, tag="returned"):
    """A person who was away returned."""

    seat: SeatNumber


class DeadlineMoved(Struct, frozen=True, tag="deadline_moved"):
    """The deadline was postponed by the time for which the engine was down."""

    milliseconds: Annotated[int, Meta(ge=0, le=31_536_000_000)]
    """Milliseconds added to the deadline."""


class MatchOver(Struct, frozen=True, tag="match_over"):
    """The match ended."""

    result: Result
    """Ranking and points of the match."""


class Closed(Struct, frozen=True, tag="closed"):
    """The operator closed the table; all seats are empty."""


class RematchAnswered(Struct, frozen=True, tag="rematch_answered"):
    """A person answered, after a match, whether they stay for another one."""

    seat: SeatNumber
    stays: bool
    """Whether they stay."""


class Awaited(Struct, frozen=True, tag="awaited"):
    """After a match, a person sat down for the next one."""

    name: str
    """The newcomer's name."""


TableEvent = (
    Opened
    | Changed
    | Sat
    | LevelChanged
    | Renamed
    | Left
    | Replaced
    | Removed
    | Seeded
    | Started
    | Dealt
    | TimedOut
    | Away
    | Returned
    | DeadlineMoved
    | MatchOver
    | Closed
    | RematchAnswered
    | Awaited
)
