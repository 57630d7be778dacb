"""Converts a bot's text to the text that people read: parse mode, given entities, trimming, length."""

from __future__ import annotations

import re

from tests.emulator.html import parse_html
from tests.emulator.markdown import parse_markdown
from tests.emulator.refusals import bad_request
from tests.emulator.spans import Span, utf16_length
from tests.emulator.state import JSON

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
LONGEST_INPUT = 1 << 15
PARSERS = {"html": parse_html, "markdownv2": parse_markdown}
# Telegram detects these entities in plain text. Bots' handlers need the commands.
FOUND = re.compile(
    r"(?<![\w/])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?!\w)"
    r"|(?<!\w)(?P<mention>@[A-Za-z][A-Za-z0-9_]{3,31})(?!\w)"
    r"|(?P<url>https?://[^\s<>\"]+[^\s<>\".,;:!?)])"
)


def formatted(
    text: str, parse_mode: str | None, entities: list[JSON] | None, *, too_long: str, most: int = LONGEST_TEXT
) -> tuple[str, list[JSON]]:
    """Returns the text that people read, and its entities; refuses empty, too long and wrongly marked-up text."""
    if not text:
        raise bad_request("message text is empty")
    if len(text.encode()) > LONGEST_INPUT:
        raise bad_request("text is too long")
    mode = (parse_mode or "none").lower()
    if mode == "none":
        spans = [_given(text, entity) for entity in entities or []]
    elif mode in PARSERS:
        text, spans = PARSERS[mode](text)
    else:
        raise bad_request("unsupported parse_mode")
    text, spans = _trimmed(text, spans)
    if not text:
        raise bad_request("text must be non-empty")
    if len(text) > most:
        raise bad_request(too_long)
    return text, as_entities(text, [*spans, *_found(text, spans)])


def typed(text: str) -> list[JSON]:
    """Returns the entities of a text that a person typed."""
    return as_entities(text, _found(text, []))


def as_entities(text: str, spans: list[Span]) -> list[JSON]:
    """Converts spans in characters to MessageEntity objects in UTF-16 units, in Telegram's order."""
    ordered = sorted((span for span in spans if span.end > span.start), key=lambda span: (span.start, -span.end))
    return [
        {
            "type": span.kind,
            "offset": utf16_length(text[: span.start]),
            "length": utf16_length(text[span.start : span.end]),
        }
        | span.extra
        for span in ordered
    ]


def _given(text: str, entity: JSON) -> Span:
    units = text.encode("utf-16-le")
    offset, length = int(entity["offset"]), int(entity["length"])
    if offset * 2 > len(units):
        raise bad_request(f"entity begins after the end of the text at UTF-16 offset {offset}")
    if (offset + length) * 2 > len(units):
        where = f"ends after the end of the text at UTF-16 offset {offset + length}"
        raise bad_request(f"entity beginning at UTF-16 offset {offset} {where}")
    start = len(units[: offset * 2].decode("utf-16-le", "ignore"))
    end = start + len(units[offset * 2 : (offset + length) * 2].decode("utf-16-le", "ignore"))
    extra = {name: value for name, value in entity.items() if name not in {"type", "offset", "length"}}
    return Span(str(entity["type"]), start, end, extra)


def _trimmed(text: str, spans: list[Span]) -> tuple[str, list[Span]]:
    ended = text.rstrip()
    kept = ended.lstrip()
    lost = len(ended) - len(kept)

    def moved(position: int) -> int:
        return min(max(position - lost, 0), len(kept))

    return kept, [Span(span.kind, moved(span.start), moved(span.end), span.extra) for span in spans]


def _found(text: str, known: list[Span]) -> list[Span]:
    literal = [span for span in known if span.kind in {"code", "pre", "text_link", "text_mention"}]
    spans = [Span(str(match.lastgroup), match.start(), match.end(), {}) for match in FOUND.finditer(text)]
    return [span for span in spans if not any(span.start < other.end and other.start < span.end for other in literal)]
