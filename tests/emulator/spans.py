"""Marked spans of text, counted in characters, and the refusals that the parsers of HTML and MarkdownV2 share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.emulator.refusals import RefusedError, bad_request
from tests.emulator.state import JSON

USER_LINK = re.compile(r"tg://user\?id=(\d+)")
TIME_FORMAT = re.compile(r"|[rR]|[tTdDwW]+")


@dataclass(frozen=True)
class Span:
    """An entity that covers text[start:end]."""

    kind: str
    start: int
    end: int
    extra: JSON = field(default_factory=dict)


def utf16_length(text: str) -> int:
    """Returns the length of a text in UTF-16 code units, in which Telegram counts offsets."""
    return len(text.encode("utf-16-le")) // 2


def cannot_parse(why: str) -> RefusedError:
    """Returns the refusal (400) of markup that does not parse."""
    return bad_request(f"can't parse entities: {why}")


def link(url: str, start: int, end: int) -> Span | None:
    """Returns the entity of a link; None for an invalid URL, which Telegram drops as well."""
    user = USER_LINK.fullmatch(url)
    if user:
        mentioned = {"id": int(user[1]), "is_bot": False, "first_name": ""}
        return Span("text_mention", start, end, {"user": mentioned})
    if re.match(r"(https?|tg|ton|tonsite)://\S", url):
        return Span("text_link", start, end, {"url": url})
    if re.fullmatch(r"[\w-]+(\.[\w-]+)+(/\S*)?", url):
        return Span("text_link", start, end, {"url": f"http://{url}"})
    return None


def date_time(unix: str, time_format: str, start: int, end: int) -> Span | None:
    """Returns the entity of a time, which readers see in their own time zone and language; None for an invalid time."""
    if not TIME_FORMAT.fullmatch(time_format):
        raise cannot_parse("Invalid date-time format specified")
    if not unix.isdigit() or int(unix) == 0:
        return None
    named = {"date_time_format": time_format} if time_format else {}
    return Span("date_time", start, end, {"unix_time": int(unix)} | named)
