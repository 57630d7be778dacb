"""When a group's evenings are: the moments of a weekly time in the group's time zone."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.dates import format_date
from msgspec import Struct

from locanda.translations import Language

DAY = 86_400
INVITED_BEFORE = DAY
"""How many seconds before it begins an evening is announced."""
REMINDED_BEFORE = 1800
"""How many seconds before it begins people are reminded, unless it was announced just then."""
LATEST = 3600
"""How many seconds after its time an evening is still announced that could not be announced before."""
GATHERING = 600
"""For how many seconds at least people can sit down after the announcement."""


class WeeklyTime(Struct, frozen=True):
    """A weekday and a time of the day."""

    weekday: int
    """0 for Monday."""
    minute: int
    """Of the day, by the clock on the wall."""

    @property
    def clock(self) -> time:
        """The time of the day."""
        return time(self.minute // 60, self.minute % 60)


def read_zone(text: str) -> str | None:
    """Return the time zone that a text names as IANA does, in any case; None for none."""
    words = (word.lower().strip(".,;()") for word in text.split())
    return next((zones()[word].key for word in words if word in zones()), None)


def without_zone(text: str) -> str:
    """Return a text without the time zone that it names: `Etc/GMT+3` has a number that is no hour."""
    return " ".join(word for word in text.split() if read_zone(word) is None)


@cache
def zones() -> dict[str, ZoneInfo]:
    """Return all time zones by their names in small letters. The first call reads six hundred files: in a thread."""
    return {name.lower(): ZoneInfo(name) for name in available_timezones()}


ZONES: dict[Language, str] = {"it": "Europe/Rome", "en": "UTC"}
"""The time zone of a group that has named none, by its language."""


LOCALES: dict[Language, Locale] = {language: Locale.parse(language) for language in ZONES}
"""Names of days and months."""
DAYS = {language: dict(locale.days["format"]["wide"]) for language, locale in LOCALES.items()}
"""The names of the days by language and weekday; read at import, so that no update waits for a file."""


def zone_of(named: str, language: Language) -> str:
    """Return the time zone of a group."""
    return named or ZONES[language]


def local(moment: float, zone: str) -> datetime:
    """Return a moment (Unix seconds) by the clocks of a time zone."""
    return datetime.fromtimestamp(moment, zones()[zone.lower()])


def day_of(when: date, language: Language) -> str:
    """Return a day in words: "Thursday 26 November"."""
    return format_date(when, "EEEE d MMMM", locale=LOCALES[language])


def month_of(when: date, language: Language) -> str:
    """Return a month in words: "November 2026"."""
    return format_date(when, "MMMM y", locale=LOCALES[language])


def on_day(day: date, at: WeeklyTime, zone: str) -> float:
    """Return the moment of a day's time (Unix seconds).

    Where clocks are put forward over it, it is as long after the change as it is named after the clocks' last minute
    before; where they are put back and show it twice, it is the first of the two.
    """
    return datetime.combine(day, at.clock, zones()[zone.lower()]).astimezone(UTC).timestamp()


def occurrences(at: WeeklyTime, zone: str, after: float) -> Iterator[tuple[date, float]]:
    """Yield the days of a weekly time and their moments after one (Unix seconds), the next one first."""
    day = local(after, zone).date() - timedelta(days=1)
    day += timedelta(days=(at.weekday - day.weekday()) % 7)
    while True:
        moment = on_day(day, at, zone)
        if moment > after:
            yield day, moment
        day += timedelta(days=7)


def next_time(at: WeeklyTime, zone: str, after: float) -> tuple[date, float]:
    """Return the first day of a weekly time, and its moment, after one."""
    return next(occurrences(at, zone, after))
