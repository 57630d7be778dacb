"""Pieces of text that every client needs: lists, points, times, places."""

from collections.abc import Iterable

from shared.translate import Words


def listed(parts: Iterable[str], words: Words) -> str:
    """Return a list in words: "Anna, Bruno and Carla"."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return words.gettext("{some} and {last}").format(some=", ".join(items[:-1]), last=items[-1])


def points(number: int, words: Words) -> str:
    """Return a number of points."""
    return words.ngettext("{n} point", "{n} points", number).format(n=number)


def duration(seconds: int, words: Words) -> str:
    """Return a length of time in words, rounded up to a whole unit."""
    if seconds < 60:
        return words.ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)
    if seconds < 3600:
        minutes = -(-seconds // 60)
        return words.ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    hours = -(-seconds // 3600)
    return words.ngettext("{n} hour", "{n} hours", hours).format(n=hours)


def turn_time(seconds: int | None, words: Words) -> str:
    """Return how long a turn may take."""
    return duration(seconds, words) if seconds else words.gettext("no limit")


def medal(place: int) -> str:
    """Return the mark of a place in a ranking, the first being 0."""
    return ("🥇", "🥈", "🥉")[place] if place < 3 else f"{place + 1}."
