"""When a group's evenings are: what people write, and the moments that follow from it in the group's time zone."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from unicodedata import normalize
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from locanda.translations import Language

WEEKDAYS = (
    ("lunedi", "lun", "monday", "mon"),
    ("martedi", "mar", "tuesday", "tue"),
    ("mercoledi", "mer", "wednesday", "wed"),
    ("giovedi", "gio", "thursday", "thu"),
    ("venerdi", "ven", "friday", "fri"),
    ("sabato", "sab", "saturday", "sat"),
    ("domenica", "dom", "sunday", "sun"),
)
"""What people call the days, Monday first, without accents."""
FROM_TODAY = {"oggi": 0, "stasera": 0, "today": 0, "tonight": 0, "domani": 1, "tomorrow": 1}
DAY = 86_400
INVITED_BEFORE = DAY
"""How many seconds before it begins an evening is announced."""
REMINDED_BEFORE = 1800
"""How many seconds before it begins people are reminded, unless it was announced just then."""
LATEST = 3600
"""How many seconds after its time an evening is still announced that could not be announced before."""
GATHERING = 600
"""For how many seconds at least people can sit down after the announcement."""

_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*([ap]m)?")


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


def read_time(text: str, today: date) -> WeeklyTime | None:
    """Return the time that people write, in either language: "giovedì alle 21", "tomorrow at 9:30 pm"."""
    plain = _without_accents(text)
    words = re.findall(r"[a-z]+", plain)
    days = [day for day, names in enumerate(WEEKDAYS) if any(word in names for word in words)]
    days += [(today.weekday() + FROM_TODAY[word]) % 7 for word in words if word in FROM_TODAY]
    clocks = [minute for found in _CLOCK.finditer(plain) if (minute := _minute(*found.groups())) is not None]
    if not len(days) == len(clocks) == 1:
        return None
    passed, minute = divmod(clocks[0], 24 * 60)
    return WeeklyTime((days[0] + passed) % 7, minute)


def _minute(hour: str, minutes: str | None, half: str | None) -> int | None:
    """Return the minute of the day, 24 hours for midnight at its end; None for no time."""
    hours, minute = int(hour), int(minutes or 0)
    if half and not 1 <= hours <= 12:
        return None
    hours = hours % 12 + 12 * (half == "pm") if half else hours
    found = hours * 60 + minute
    return found if found <= 24 * 60 and minute < 60 else None


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


def _without_accents(text: str) -> str:
    return normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()


ZONES: dict[Language, str] = {"it": "Europe/Rome", "en": "UTC"}
"""The time zone of a group that has named none, by its language."""


def zone_of(named: str, language: Language) -> str:
    """Return the time zone of a group."""
    return named or ZONES[language]


def local(moment: float, zone: str) -> datetime:
    """Return a moment (Unix seconds) by the clocks of a time zone."""
    return datetime.fromtimestamp(moment, zones()[zone.lower()])


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
