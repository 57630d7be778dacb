"""Records of a group's evening plan and evening, and the transitions between an evening's states. No I/O."""

from collections.abc import Container, Mapping, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct, structs

from services.common.pairings import Round, by_standing, plan, table_sizes
from services.telegram.play.dates import GATHERING, INVITED_BEFORE, LATEST, REMINDED_BEFORE, WeeklyTime, next_time
from services.telegram.records import NOBODY

ROUNDS = 5
"""Number of rounds to plan ahead, so that the same people meet as rarely as possible."""
QUIET = 1800
"""An evening ends after this many seconds without a match."""
LONGEST = 12 * 3600
"""Maximum duration of an evening, in seconds."""
ENOUGH = 2
"""Minimum number of people for an evening."""


class EveningPlan(Struct, frozen=True):
    """A group's plan: the game and the time."""

    id: str
    """Prefix of the references of the plan's evenings. It stays when the plan changes."""
    thread: int | None
    game: str
    at: WeeklyTime
    zone: str
    weekly: bool
    since: float
    """When the plan was made (Unix seconds). The first evening is later."""
    seen: int = 0
    """Id of the chat's newest message when the plan was made; later messages have higher ids."""
    by: int = NOBODY
    """The person who made the plan."""

    def ref(self, day: date) -> str:
        """Return the reference of the evening on a day."""
        return f"{self.id}{day:%Y%m%d}"

    def next(self, after: float) -> tuple[date, float] | None:
        """Return the day and the time (Unix seconds) of the first evening after `after`, or None."""
        first, day = next_time(self.at, self.zone, self.since), next_time(self.at, self.zone, max(self.since, after))
        return day if self.weekly or day == first else None

    def due(self, now: float) -> tuple[date, float] | None:
        """Return the day and time of an evening whose announcement is due, or None."""
        upcoming = self.next(now - LATEST)
        return upcoming if upcoming is not None and upcoming[1] - INVITED_BEFORE <= now else None

    def alarm(self, now: float) -> float | None:
        """Return when the next evening will be announced (Unix seconds), or None."""
        upcoming = self.next(max(now - LATEST, now + INVITED_BEFORE))
        return None if upcoming is None else upcoming[1] - INVITED_BEFORE


class PlannedTable(Struct, frozen=True):
    """A table of an evening."""

    ref: str
    people: tuple[int, ...]
    """People in the order of their seats."""
    seats: int
    """Number of seats; computer players take the seats without a person."""


State = Literal["gathering", "playing", "over", "off"]


class Evening(Struct, frozen=True):
    """An evening that was announced."""

    ref: str
    chat: int
    thread: int | None
    game: str
    zone: str
    announced: float
    starts: float
    state: State = "gathering"
    tables: tuple[tuple[PlannedTable, ...], ...] = ()
    seated: int = 0
    """Number of rounds whose people are seated."""
    begun: int = 0
    """Number of rounds whose matches have begun."""
    planned: tuple[Round, ...] = ()
    """The seating of later rounds, valid while the same people come."""
    changed: float = 0.0
    """When the evening's state or round last changed (Unix seconds)."""

    @property
    def is_reminded(self) -> bool:
        """Whether the evening was announced early enough for a reminder before it."""
        return self.announced < self.starts - 2 * REMINDED_BEFORE

    def without(self, user: int) -> "Evening":
        """Return a copy of the evening without a person and without planned rounds."""
        tables = tuple(
            tuple(
                structs.replace(table, people=tuple(person for person in table.people if person != user))
                for table in tables
            )
            for tables in self.tables
        )
        return structs.replace(self, tables=tables, planned=())

    def ring(self, now: float) -> str:
        """Return the reason of the group's latest notification: a new reason means a new message."""
        if self.tables:
            return f"round {len(self.tables)}"
        return "reminder" if self.is_reminded and now >= self.starts - REMINDED_BEFORE else "invitation"

    def alarm(self, now: float, last_end: float | None) -> float | None:
        """Return the next time at which the evening changes by itself (Unix seconds), or None."""
        match self.state:
            case "gathering":
                reminder = self.starts - REMINDED_BEFORE
                return reminder if self.is_reminded and now < reminder else self.starts
            case "playing":
                return self.ends_by_itself(last_end)
            case _:
                return None

    def ends_by_itself(self, last_end: float | None) -> float:
        """Return when the evening ends if nothing else happens; `last_end` is None during a match."""
        latest = self.starts + LONGEST
        return latest if last_end is None else min(latest, last_end + QUIET)


def announced(chat: int, fixed: EveningPlan, day: date, moment: float, now: float) -> Evening:
    """Return a new evening. If the announcement is late, the evening starts later, so that people can still answer."""
    starts = max(moment, now + GATHERING)
    return Evening(fixed.ref(day), chat, fixed.thread, fixed.game, fixed.zone, now, starts)


def with_round(
    evening: Evening,
    people: Sequence[int],
    players: tuple[int, int],
    refs: Sequence[str],
    now: float,
    standing: Sequence[int] | None = None,
) -> Evening:
    """Return an evening with its next round for these people.

    `players` is the minimum and maximum at a table. `standing` lists the people, best first, to seat people of similar
    rank together; without it, people are seated by the plan. `refs` has at least one reference for each new table.
    """
    fewest, most = players
    sizes = table_sizes(len(people), fewest, most)
    before = [tuple(table.people for table in tables) for tables in evening.tables]
    if standing is not None:
        order = sorted(people, key=lambda person: standing.index(person) if person in standing else len(standing))
        following: list[Round] = [by_standing(order, sizes)]
    elif evening.planned and {*people} == {person for table in evening.planned[0] for person in table}:
        following = list(evening.planned)
    else:
        rounds = max(1, ROUNDS - len(before))
        following = plan(people, sizes, rounds, before, f"{evening.ref} {len(before)}")
    seats = max([fewest, *sizes])
    tables = tuple(PlannedTable(ref, table, seats) for ref, table in zip(refs, following[0], strict=False))
    planned = () if standing else tuple(following[1:])
    return structs.replace(evening, state="playing", tables=(*evening.tables, tables), planned=planned, changed=now)


def with_only(people: Container[int], tables: Sequence[PlannedTable]) -> tuple[PlannedTable, ...]:
    """Return the tables of a round reduced to these people, without empty tables; computers take the other seats."""
    kept = (tuple(user for user in table.people if user in people) for table in tables)
    return tuple(structs.replace(table, people=there) for table, there in zip(tables, kept, strict=True) if there)


def in_state(evening: Evening, state: State, now: float) -> Evening:
    """Return an evening in another state."""
    return structs.replace(evening, state=state, changed=now)


def coming(answers: Mapping[int, bool]) -> list[int]:
    """Return the people who come, in the order of their answers."""
    return [person for person, comes in answers.items() if comes]
