"""Pieces of text that many screens share: names, times, lists."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

from shared.translate import Words

TIMES = (0, 30, 60, 120, 300, 3600, 86_400)
"""Times for a turn that a table may choose, in seconds; 0 is no limit."""


def plain(text: str) -> str:
    """Return a text of somebody's making, harmless inside HTML."""
    return escape(text, quote=False)


def bold(text: str) -> str:
    """Return a text of somebody's making in bold."""
    return f"<b>{plain(text)}</b>"


def mention(user: int, name: str) -> str:
    """Return a name that calls the person: his phone rings (Bot API, HTML style)."""
    return f'<a href="tg://user?id={user}">{plain(name)}</a>'


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


def moment(when: datetime, now: datetime, words: Words) -> str:
    """Return a moment that Telegram shows on the reader's own clock (Bot API 9.5, date-time entities).

    An app or server that does not know them shows the text inside instead: how long there is.
    """
    left = max(0, round((when - now).total_seconds()))
    shape = "T" if left < 900 else "t" if left < 43_200 else "wt"
    return f'<tg-time unix="{int(when.timestamp())}" format="{shape}">{duration(left, words)}</tg-time>'


def listed(parts: Iterable[str], words: Words) -> str:
    """Return a list in words: "Anna, Bruno and Carla"."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return words.gettext("{some} and {last}").format(some=", ".join(items[:-1]), last=items[-1])


def shortened(text: str, most: int) -> str:
    """Return the text, cut with an ellipsis where it is too long."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def medal(place: int) -> str:
    """Return the mark of a place in a ranking, the first being 0."""
    return ("🥇", "🥈", "🥉")[place] if place < 3 else f"{place + 1}."


def named(seats: Iterable[int], names: Sequence[str], words: Words) -> str:
    """Return the bold names of seats as a list in words."""
    return listed((bold(names[seat]) for seat in seats), words)
