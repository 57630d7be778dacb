"""A group's seasons: their length, the points of places, and the table from the record of matches."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from services.telegram.evenings.summary import POINTS, Places, Score, leaders, scores
from services.telegram.play.dates import WeeklyTime, local, on_day
from services.telegram.records import NOBODY

Ended: TypeAlias = tuple[float, Places]
"""A match of the record: when it ended, and the places of its people."""
Length = Literal["month", "week", "ended"]
"""The length of a season: the calendar's month or week, or until a person ends it."""
MOST_POINTS, MOST_PLACES = 100, 10
"""The most points of a place, and the most places that have points."""


class Season(Struct, frozen=True):
    """The season under way."""

    number: int = 1
    since: float = 0.0
    """When it began (Unix seconds); 0 for the first one, which has all matches."""
    length: Length = "month"
    points: tuple[int, ...] = POINTS
    following: tuple[int, ...] = ()
    """The points of the next seasons, where they are others."""
    by: int = NOBODY
    """The person who set its length or its points."""

    def until(self, zone: str, first: float | None) -> float | None:
        """Return its end by the group's clocks; None until a person ends it, and before its first match.

        `first` is when its first match ended: a season in which nobody plays does not pass.
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
    """When its last match ended."""
    length: Length
    scores: tuple[Score, ...]
    """Best first; in the archive those of the winners alone, where earlier releases stored all."""
    announced: bool = True
    """Whether the end was announced to the group. Seasons stored by earlier releases lack this field: they count as
    announced."""

    @property
    def champions(self) -> list[int]:
        """Its winners."""
        return [score.person for score in self.of_champions.scores]

    @property
    def of_champions(self) -> "PastSeason":
        """The season with the scores of its winners alone."""
        return structs.replace(self, scores=tuple(leaders(self.scores)) if self.scores else ())

    def without(self, user: int) -> "PastSeason":
        """Return it without a person."""
        return structs.replace(self, scores=tuple(score for score in self.scores if score.person != user))


def _midnight(day: date, zone: str) -> float:
    return on_day(day, WeeklyTime(day.weekday(), 0), zone)


def of_season(season: Season, record: Iterable[Ended]) -> list[Ended]:
    """Return the matches since a season's beginning, in the order in which they ended."""
    return sorted((match for match in record if season.since <= match[0]), key=lambda match: match[0])


def table(season: Season, record: Iterable[Ended]) -> tuple[Score, ...]:
    """Return the table of the season under way, best first: it follows from the record of matches alone."""
    return scores((places for _, places in of_season(season, record)), season.points)


def ended(season: Season, record: Iterable[Ended], until: float) -> tuple[PastSeason, Season] | None:
    """Return the archive of a season that ends at a moment, and the next season; None if no match was played."""
    played = [match for match in of_season(season, record) if match[0] < until]
    if not played:
        return None
    past = PastSeason(season.number, played[-1][0], season.length, table(season, played), announced=False)
    points = season.following or season.points
    return past, structs.replace(season, number=season.number + 1, since=until, points=points, following=())


def due(season: Season, record: Iterable[Ended], zone: str, now: float) -> float | None:
    """Return when a season was over that is over by now, and is not ended yet."""
    until = season.until(zone, next((moment for moment, _ in of_season(season, record)), None))
    return until if until is not None and until <= now else None


def read_points(text: str) -> tuple[int, ...] | None:
    """Return the points of the places as people write them: "10 6 3 1"; None for anything else."""
    words = text.replace(",", " ").replace("-", " ").split()
    if not 1 <= len(words) <= MOST_PLACES or not all(word.isdecimal() and int(word) <= MOST_POINTS for word in words):
        return None
    points = tuple(map(int, words))
    return points if points[0] and points == tuple(sorted(points, reverse=True)) else None
