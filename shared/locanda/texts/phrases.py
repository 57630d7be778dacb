"""Short phrases for all clients: lists, numbers, durations, levels, places in a ranking."""

from collections.abc import Iterable

from locanda.games.base import N_
from locanda.messages import OWN_PREFIX
from locanda.translations import Translations


def listed(parts: Iterable[str], translations: Translations) -> str:
    """Join parts to a text such as "Anna, Bruno and Carla"."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return translations.gettext("{some} and {last}").format(some=", ".join(items[:-1]), last=items[-1])


def points(number: int, translations: Translations) -> str:
    """Return a number of points in words."""
    return translations.ngettext("{n} point", "{n} points", number).format(n=number)


def card_count(number: int, translations: Translations) -> str:
    """Return a number of cards in words."""
    return translations.ngettext("{n} card", "{n} cards", number).format(n=number)


def duration(seconds: int, translations: Translations) -> str:
    """Return a duration in a single unit, rounded up."""
    if seconds < 60:
        return translations.ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)
    if seconds < 3600:
        minutes = -(-seconds // 60)
        return translations.ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    hours = -(-seconds // 3600)
    return translations.ngettext("{n} hour", "{n} hours", hours).format(n=hours)


LEVELS: dict[str, str] = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard"), "plain": N_("plain")}
"""Levels of computer players, as words to show after their names."""


def level_name(level: str | None, translations: Translations) -> str:
    """Return the name of a level, or of an own player; empty for None."""
    if level is None or level in LEVELS:
        return translations.gettext(LEVELS[level]) if level else ""
    return translations.gettext("player {name}").format(name=level.removeprefix(OWN_PREFIX))


def turn_time(seconds: int | None, translations: Translations) -> str:
    """Return the time limit of a turn in words."""
    return duration(seconds, translations) if seconds else translations.gettext("no limit")


def medal(place: int) -> str:
    """Return the medal of a place in a ranking, counted from 0, or its number."""
    return ("🥇", "🥈", "🥉")[place] if place < 3 else place_number(place)


def place_number(place: int) -> str:
    """Return the number of a place in a ranking, counted from 0."""
    return f"{place + 1}."
