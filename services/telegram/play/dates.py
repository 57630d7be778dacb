"""Times of a group's evenings: conversion of a weekly local time to Unix seconds."""

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
"""Seconds between an evening's announcement and its beginning."""
REMINDED_BEFORE = 1800
"""Seconds between the reminder and the beginning. An evening announced late has no reminder."""
LATEST = 3600
"""Seconds after its planned time in which an evening may still be announced, for example after an outage."""
GATHERING = 600
"""Minimum seconds between the announcement and the beginning, so that people can answer."""


class WeeklyTime(Struct, frozen=True):
    """A weekday and a time of the day."""

    weekday: int
    """0 for Monday."""
    minute: int
    """Minute of the day, in local time."""

    @property
    def clock(self) -> time:
        """The time of the day."""
        return time(self.minute // 60, self.minute % 60)


def read_zone(text: str) -> str | None:
    """Return the IANA time zone that a text names, in upper or lower case; None for a text without a time zone."""
    words = (word.lower().strip(".,;()") for word in text.split())
    return next((zones()[word].key for word in words if word in zones()), None)


def without_zone(text: str) -> str:
    """Return a text without its time zone: the number in `Etc/GMT+3` is not an hour."""
    return " ".join(word for word in text.split() if read_zone(word) is None)


@cache
def zones() -> dict[str, ZoneInfo]:
    """Return all time zones by lower-case name. The first call reads 600 files, so make it in a thread."""
    return {name.lower(): ZoneInfo(name) for name in available_timezones()}


ZONES: dict[Language, str] = {"it": "Europe/Rome", "en": "UTC"}
"""The default time zone of a group, by its language."""


LOCALES: dict[Language, Locale] = {language: Locale.parse(language) for language in ZONES}
"""Babel's locales, with the names of days and months."""
DAYS = {language: dict(locale.days["format"]["wide"]) for language, locale in LOCALES.items()}
"""The names of the days by language and weekday; read at import, so that no update waits for a file."""


def zone_of(named: str, language: Language) -> str:
    """Return a group's time zone: the named one, or its language's default."""
    return named or ZONES[language]


def local(moment: float, zone: str) -> datetime:
    """Return a moment (Unix seconds) as a date and time in a time zone."""
    return datetime.fromtimestamp(moment, zones()[zone.lower()])


def day_of(when: date, language: Language) -> str:
    """Return a day in words: "Thursday 26 November"."""
    return format_date(when, "EEEE d MMMM", locale=LOCALES[language])


def month_of(when: date, language: Language) -> str:
    """Return a month in words: "November 2026"."""
    return format_date(when, "MMMM y", locale=LOCALES[language])


def on_day(day: date, at: WeeklyTime, zone: str) -> float:
    """Return when a local time occurs on a day (Unix seconds).

    A time that is skipped when clocks go forward is moved by the skipped span. If a time occurs twice when clocks go
    back, the first one is returned.
    """
    return datetime.combine(day, at.clock, zones()[zone.lower()]).astimezone(UTC).timestamp()


def occurrences(at: WeeklyTime, zone: str, after: float) -> Iterator[tuple[date, float]]:
    """Yield each later occurrence of a weekly time: its day, and its moment (Unix seconds like `after`)."""
    day = local(after, zone).date() - timedelta(days=1)
    day += timedelta(days=(at.weekday - day.weekday()) % 7)
    while True:
        moment = on_day(day, at, zone)
        if moment > after:
            yield day, moment
        day += timedelta(days=7)


def next_time(at: WeeklyTime, zone: str, after: float) -> tuple[date, float]:
    """Return the first occurrence of a weekly time after a moment: its day, and its moment (Unix seconds)."""
    return next(occurrences(at, zone, after))
