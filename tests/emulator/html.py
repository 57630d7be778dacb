"""The HTML parse mode, with Telegram's refusals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.emulator.spans import Span, cannot_parse, date_time, link

SIMPLE = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler", "span": "spoiler",
}  # fmt: skip
TAGS = SIMPLE.keys() | {"a", "tg-emoji", "tg-time", "pre", "code", "blockquote"}
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
PLAIN = re.compile("[^<&]+")
REFERENCE = re.compile(r"&(?:#x(?P<hex>[0-9A-Fa-f]{1,6})|#(?P<dec>[0-9]{1,7})|(?P<name>lt|gt|amp|quot)(?![A-Za-z]));?")
START = re.compile(r"<(?P<name>[^\s>]*+)(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
END = re.compile(r"</(?P<name>[^\s>]*)\s*>")
ATTRIBUTE = re.compile(
    r"\s*(?P<name>[^\s=>/\"']+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<token>[\w.-]+)))?"
)


@dataclass
class _OpenTag:
    name: str
    attributes: dict[str, str]
    start: int


@dataclass
class _HtmlParser:
    source: str
    text: list[str] = field(default_factory=list)
    length: int = 0
    open: list[_OpenTag] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def parse(self) -> None:
        position = 0
        while position < len(self.source):
            position = self._step(position)
        if self.open:
            raise cannot_parse(f'Can\'t find end tag corresponding to start tag "{self.open[-1].name}"')

    def _step(self, position: int) -> int:
        character = self.source[position]
        if character == "<":
            return self._end(position) if self.source.startswith("</", position) else self._start(position)
        match = (REFERENCE if character == "&" else PLAIN).match(self.source, position)
        if match is None:
            self._write(character)
            return position + 1
        self._write(_character(match) if match.re is REFERENCE else match[0])
        return match.end()

    def _write(self, text: str) -> None:
        self.text.append(text)
        self.length += len(text)

    def _offset(self, position: int) -> int:
        return len(self.source[:position].encode())

    def _start(self, position: int) -> int:
        match = START.match(self.source, position)
        if match is None:
            raise cannot_parse(f"Unclosed start tag at byte offset {self._offset(position)}")
        name = match["name"].lower()
        if name not in TAGS:
            raise cannot_parse(f'Unsupported start tag "{name}" at byte offset {self._offset(position)}')
        attributes = self._attributes(match["attributes"], name, position)
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise cannot_parse(f'Tag "span" must have class "tg-spoiler" at byte offset {self._offset(position)}')
        self.open.append(_OpenTag(name, attributes, self.length))
        return match.end()

    def _attributes(self, source: str, tag: str, position: int) -> dict[str, str]:
        attributes: dict[str, str] = {}
        at, source = 0, source.rstrip()
        while at < len(source):
            match = ATTRIBUTE.match(source, at)
            if match is None:
                where = self._offset(position)
                raise cannot_parse(f'Empty attribute name in the tag "{tag}" at byte offset {where}')
            value = match["double"] or match["single"] or (match["token"] or "").lower()
            attributes[match["name"]] = REFERENCE.sub(_character, value)
            at = match.end()
        return attributes

    def _end(self, position: int) -> int:
        offset = self._offset(position)
        if not self.open:
            raise cannot_parse(f"Unexpected end tag at byte offset {offset}")
        match = END.match(self.source, position)
        if match is None:
            raise cannot_parse(f"Unclosed end tag at byte offset {offset}")
        name, tag = match["name"].lower(), self.open.pop()
        if name and name != tag.name:
            raise cannot_parse(
                f'Unmatched end tag at byte offset {offset}, expected "</{tag.name}>", found "</{name}>"'
            )
        span = self._span(tag)
        if span is not None and span.end > span.start:
            self.spans.append(span)
        return match.end()

    def _span(self, tag: _OpenTag) -> Span | None:
        start, end = tag.start, self.length
        if tag.name in SIMPLE:
            return Span(SIMPLE[tag.name], start, end)
        if tag.name == "a":
            return link(tag.attributes.get("href") or "".join(self.text)[start:end], start, end)
        if tag.name == "tg-time":
            return date_time(tag.attributes.get("unix", ""), tag.attributes.get("format", ""), start, end)
        if tag.name == "tg-emoji":
            return _emoji(tag.attributes.get("emoji-id", ""), start, end)
        if tag.name == "blockquote":
            return Span("expandable_blockquote" if "expandable" in tag.attributes else "blockquote", start, end)
        return self._code(tag, start, end)

    def _code(self, tag: _OpenTag, start: int, end: int) -> Span:
        """Returns the entity of a code tag; `<pre><code class="language-x">` is one entity with a language."""
        last = self.spans[-1] if self.spans else None
        language = tag.attributes.get("class", "").removeprefix("language-")
        if tag.name == "pre" and last and (last.kind, last.start, last.end) == ("code", start, end):
            self.spans.pop()
            return Span("pre", start, end, last.extra)
        nested = tag.name == "code" and self.open and self.open[-1].name == "pre" and language
        return Span(tag.name, start, end, {"language": language} if nested else {})


def parse_html(source: str) -> tuple[str, list[Span]]:
    """Returns the text without its tags, and the marked spans."""
    parser = _HtmlParser(source)
    parser.parse()
    return "".join(parser.text), parser.spans


def _character(reference: re.Match[str]) -> str:
    if reference["name"]:
        return NAMED[reference["name"]]
    code = int(reference["hex"], 16) if reference["hex"] else int(reference["dec"])
    return chr(code) if 0 < code < 0x10FFFF else reference[0]


def _emoji(emoji_id: str, start: int, end: int) -> Span:
    if not emoji_id.isdigit() or int(emoji_id) == 0:
        raise cannot_parse("Invalid custom emoji identifier specified")
    return Span("custom_emoji", start, end, {"custom_emoji_id": emoji_id})
