"""The MarkdownV2 parse mode, with Telegram's refusals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.emulator.spans import Span, cannot_parse, date_time, link

RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
MARKS = {
    "```": "Pre", "||": "Spoiler", "__": "Underline", "![": "CustomEmoji",
    "`": "Code", "*": "Bold", "_": "Italic", "~": "Strikethrough", "[": "TextUrl",
}  # fmt: skip
CLOSING = {"TextUrl": "]", "CustomEmoji": "]"} | {name: mark for mark, name in MARKS.items() if "[" not in mark}
KINDS = {name: name.lower() for name in MARKS.values()}
LANGUAGE = re.compile(r"(?P<language>[^\s`]+(?=\s))?(\r\n|\n\r|\n|\r)?")
TIME = re.compile(r"tg://time\?unix=(\d+)(?:&format=(\w+))?")


@dataclass
class _OpenMark:
    name: str
    start: int
    source: int
    language: str = ""


@dataclass
class _MarkdownParser:
    source: str
    text: list[str] = field(default_factory=list)
    open: list[_OpenMark] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    quote: int | None = None

    def parse(self) -> None:
        position = 0
        while position < len(self.source):
            position = self._step(position)
        self._end_quote()
        if self.open:
            raise self._unclosed()

    def _step(self, position: int) -> int:
        character = self.source[position]
        following = self.source[position + 1 : position + 2]
        if character == "\\" and following and ord(following) <= 126:
            return self._write(following, position + 2)
        if self.open and self.open[-1].name in {"Code", "Pre"} and character != "`":
            return self._write(character, position + 1)
        if character == "\n":
            return self._newline(position)
        if character not in RESERVED:
            return self._write(character, position + 1)
        if self.open and self._closes(position):
            return self._close(position)
        return self._begin(position)

    def _write(self, character: str, position: int) -> int:
        self.text.append(character)
        return position

    def _newline(self, position: int) -> int:
        if self.quote is not None and not self.source.startswith(">", position + 1):
            self._end_quote()
        return self._write("\n", position + 1)

    def _end_quote(self) -> None:
        """Ends a quotation after its last line; a final empty spoiler mark makes it expandable."""
        if self.quote is None:
            return
        expandable = bool(self.open) and self.open[-1].name == "Spoiler" and self.open[-1].start == len(self.text)
        if expandable:
            self.open.pop()
        if self.open:
            raise self._unclosed()
        self.spans.append(Span("expandable_blockquote" if expandable else "blockquote", self.quote, len(self.text)))
        self.quote = None

    def _unclosed(self) -> Exception:
        last = self.open[-1]
        where = len(self.source[: last.source].encode())
        return cannot_parse(f"Can't find end of {last.name} entity at byte offset {where}")

    def _closes(self, position: int) -> bool:
        name = self.open[-1].name
        if name == "Italic" and self.source.startswith("__", position):
            return False
        return self.source.startswith(CLOSING[name], position)

    def _begin(self, position: int) -> int:
        if self.source[position] == ">" and (not self.text or self.text[-1] == "\n"):
            self.quote = len(self.text) if self.quote is None else self.quote
            return position + 1
        mark = next((mark for mark in MARKS if self.source.startswith(mark, position)), None)
        if mark is None:
            character = self.source[position]
            raise cannot_parse(f"Character '{character}' is reserved and must be escaped with the preceding '\\'")
        opened = _OpenMark(MARKS[mark], len(self.text), position)
        self.open.append(opened)
        after = position + len(mark)
        language = LANGUAGE.match(self.source, after) if opened.name == "Pre" else None
        opened.language = (language["language"] or "") if language else ""
        return language.end() if language else after

    def _close(self, position: int) -> int:
        closed = self.open.pop()
        start, end, after = closed.start, len(self.text), position + len(CLOSING[closed.name])
        span: Span | None = Span(
            KINDS[closed.name], start, end, {"language": closed.language} if closed.language else {}
        )
        if closed.name in {"TextUrl", "CustomEmoji"}:
            url, after = self._url(after)
            span = (
                link(url or "".join(self.text[start:end]), start, end)
                if closed.name == "TextUrl"
                else _icon(url, start, end)
            )
        if span is not None and end > start:
            self.spans.append(span)
        return after

    def _url(self, position: int) -> tuple[str, int]:
        if not self.source.startswith("(", position):
            return "", position
        match = re.compile(r"\(((?:\\.|[^)\\])*)\)").match(self.source, position)
        if match is None:
            where = len(self.source[: position + 1].encode())
            raise cannot_parse(f"Can't find end of a URL at byte offset {where}")
        return re.sub(r"\\(.)", r"\1", match[1]), match.end()


def parse_markdown(source: str) -> tuple[str, list[Span]]:
    """Returns the text without its marks, and the marked spans."""
    parser = _MarkdownParser(source)
    parser.parse()
    return "".join(parser.text), parser.spans


def _icon(url: str, start: int, end: int) -> Span | None:
    if not url:
        raise cannot_parse("The entity must contain a tg://emoji or tg://time URL")
    emoji, time = re.fullmatch(r"tg://emoji\?id=(\d+)", url), TIME.fullmatch(url)
    if emoji:
        return Span("custom_emoji", start, end, {"custom_emoji_id": emoji[1]})
    if time:
        return date_time(time[1], time[2] or "", start, end)
    raise cannot_parse("Invalid tg://emoji or tg://time URL specified")
