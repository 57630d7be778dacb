"""Pieces of text that many screens share: names, times, lists."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

from shared.translate import Words
from shared.words.phrases import duration, listed

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


def moment(when: datetime, now: datetime, words: Words) -> str:
    """Return a moment that Telegram shows on the reader's own clock (Bot API 9.5, date-time entities).

    An app or server that does not know them shows the text inside instead: how long there is.
    """
    left = max(0, round((when - now).total_seconds()))
    shape = "T" if left < 900 else "t" if left < 43_200 else "wt"
    return f'<tg-time unix="{int(when.timestamp())}" format="{shape}">{duration(left, words)}</tg-time>'


def shortened(text: str, most: int) -> str:
    """Return the text, cut with an ellipsis where it is too long."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def named(seats: Iterable[int], names: Sequence[str], words: Words) -> str:
    """Return the bold names of seats as a list in words."""
    return listed((bold(names[seat]) for seat in seats), words)
