"""Seasons of a group: length, points of places, and the table computed from match records. No I/O."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from services.telegram.evenings.summary import POINTS, Places, Score, leaders, scores
from services.telegram.play.dates import WeeklyTime, local, on_day
from services.telegram.records import NOBODY

Ended: TypeAlias = tuple[float, Places]
"""A recorded match: when it ended (Unix seconds), and the places of its people."""
Length = Literal["month", "week", "ended"]
"""Length of a season: a calendar month, a calendar week, or until a person ends it."""
MOST_POINTS, MOST_PLACES = 100, 10


class Season(Struct, frozen=True):
    """The current season."""

    number: int = 1
    since: float = 0.0
    """When the season began (Unix seconds); 0 for the first season, which has all matches."""
    length: Length = "month"
    points: tuple[int, ...] = POINTS
    following: tuple[int, ...] = ()
    """Points of the places from the next season on; empty if they do not change."""
    by: int = NOBODY
    """The person who set the season's length or points."""

    def until(self, zone: str, first: float | None) -> float | None:
        """Return the season's end (Unix seconds); None before its first match, or if a person has to end it.

        `first` is when its first match ended. The season is the month or week of that match in the group's time zone.
        """
        if self.length == "ended" or first is None:
            return None
        day = local(first, zone).date()
        if self.length == "week":
            return _midnight(day + timedelta(days=7 - day.weekday()), zone)
        return _midnight((day.replace(day=1) + timedelta(days=32)).replace(day=1), zone)


class PastSeason(Struct, frozen=True):
    """A season that is over."""

    number: int
    last: float
    """When the season's last match ended (Unix seconds)."""
    length: Length
    scores: tuple[Score, ...]
    """Scores, best first. The archive's records have only the winners' scores; records of earlier releases have all."""
    announced: bool = True
    """Whether the season's end was announced; true for records of earlier releases, which lack this field."""

    @property
    def champions(self) -> list[int]:
        """The people who won the season."""
        return [score.person for score in self.of_champions.scores]

    @property
    def of_champions(self) -> "PastSeason":
        """The season with only the winners' scores."""
        return structs.replace(self, scores=tuple(leaders(self.scores)) if self.scores else ())

    def without(self, user: int) -> "PastSeason":
        """Return the season without a person."""
        return structs.replace(self, scores=tuple(score for score in self.scores if score.person != user))


def _midnight(day: date, zone: str) -> float:
    return on_day(day, WeeklyTime(day.weekday(), 0), zone)


def of_season(season: Season, record: Iterable[Ended]) -> list[Ended]:
    """Return the matches since a season's beginning, ordered by their end."""
    return sorted((match for match in record if season.since <= match[0]), key=lambda match: match[0])


def table(season: Season, record: Iterable[Ended]) -> tuple[Score, ...]:
    """Return the season's scores, best first, computed from the recorded matches."""
    return scores((places for _, places in of_season(season, record)), season.points)


def ended(season: Season, record: Iterable[Ended], until: float) -> tuple[PastSeason, Season] | None:
    """End a season at `until` (Unix seconds): return the past and the next season; None if no match was played."""
    played = [match for match in of_season(season, record) if match[0] < until]
    if not played:
        return None
    past = PastSeason(season.number, played[-1][0], season.length, table(season, played), announced=False)
    points = season.following or season.points
    return past, structs.replace(season, number=season.number + 1, since=until, points=points, following=())


def due(season: Season, record: Iterable[Ended], zone: str, now: float) -> float | None:
    """Return the end of a season that is over at `now`, else None."""
    until = season.until(zone, next((moment for moment, _ in of_season(season, record)), None))
    return until if until is not None and until <= now else None


def read_points(text: str) -> tuple[int, ...] | None:
    """Parse the points of places as people write them, such as "10 6 3 1"; return None for anything else."""
    words = text.replace(",", " ").replace("-", " ").split()
    if not 1 <= len(words) <= MOST_PLACES or not all(word.isdecimal() and int(word) <= MOST_POINTS for word in words):
        return None
    points = tuple(map(int, words))
    return points if points[0] and points == tuple(sorted(points, reverse=True)) else None
