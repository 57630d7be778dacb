from __future__ import annotations

import pytest

from tests.emulator.entities import formatted
from tests.emulator.refusals import RefusedError
from tests.emulator.state import JSON


def read(
    text: str, mode: str | None = "HTML", given_entities: list[JSON] | None = None
) -> tuple[str, list[tuple[object, ...]]]:
    shown, entities = formatted(text, mode, given_entities, too_long="message is too long")
    rest = [tuple(value for name, value in entity.items() if name not in {"offset", "length"}) for entity in entities]
    return shown, [(*kind, entity["offset"], entity["length"]) for kind, entity in zip(rest, entities, strict=True)]


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("<b>Anna</b> gioca", "Anna gioca", [("bold", 0, 4)]),
        ("🂱 <i>ciao</i>", "🂱 ciao", [("italic", 3, 4)]),
        ("<b>a<u>b</u></b>", "ab", [("bold", 0, 2), ("underline", 1, 1)]),
        ("7&lt;8 &amp; 9&gt;1 &quot;&#65;&#x42;&nbsp;", '7<8 & 9>1 "AB&nbsp;', []),
        ("<tg-spoiler>x</tg-spoiler><span class='tg-spoiler'>y</span>", "xy", [("spoiler", 0, 1), ("spoiler", 1, 1)]),
        (
            '<a href="https://example.org/?a=1&amp;b=2">qui</a>',
            "qui",
            [("text_link", "https://example.org/?a=1&b=2", 0, 3)],
        ),
        (
            '<tg-time unix="1700000000" format="r">fra poco</tg-time>',
            "fra poco",
            [("date_time", 1700000000, "r", 0, 8)],
        ),
        ('<pre><code class="language-python">x</code></pre>', "x", [("pre", "python", 0, 1)]),
        ("<blockquote expandable>x</blockquote>", "x", [("expandable_blockquote", 0, 1)]),
        ("  <b> x </b> ", "x", [("bold", 0, 1)]),
        ("/gioca con @anna_b", "/gioca con @anna_b", [("bot_command", 0, 6), ("mention", 11, 7)]),
    ],
)
def test_html_becomes_text_and_entities(source: str, text: str, entities: list[tuple[object, ...]]) -> None:
    assert read(source) == (text, entities)


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("*Anna* gioca\\!", "Anna gioca!", [("bold", 0, 4)]),
        (
            "__u__ _i_ ~s~ ||x||",
            "u i s x",
            [("underline", 0, 1), ("italic", 2, 1), ("strikethrough", 4, 1), ("spoiler", 6, 1)],
        ),
        ("`a*b` ```py\nx```", "a*b x", [("code", 0, 3), ("pre", "py", 4, 1)]),
        ("[qui](https://example.org/a\\)b)", "qui", [("text_link", "https://example.org/a)b", 0, 3)]),
        (">uno\n>due\ntre", "uno\ndue\ntre", [("blockquote", 0, 7)]),
        (">uno||", "uno", [("expandable_blockquote", 0, 3)]),
        ("![alle 9](tg://time?unix=1700000000&format=t)", "alle 9", [("date_time", 1700000000, "t", 0, 6)]),
    ],
)
def test_markdown_becomes_text_and_entities(source: str, text: str, entities: list[tuple[object, ...]]) -> None:
    assert read(source, "MarkdownV2") == (text, entities)


@pytest.mark.parametrize(
    ("mode", "source", "words"),
    [
        ("HTML", "<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("HTML", "è<b>x</i>", 'Unmatched end tag at byte offset 6, expected "</b>", found "</i>"'),
        ("HTML", "x</b>", "Unexpected end tag at byte offset 1"),
        ("HTML", "<p>x</p>", 'Unsupported start tag "p" at byte offset 0'),
        ("HTML", "1 < 2", "Unclosed start tag at byte offset 2"),
        ("HTML", "<b>x</b", "Unclosed end tag at byte offset 4"),
        ("HTML", "<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("HTML", '<tg-time unix="5" format="x">x</tg-time>', "Invalid date-time format specified"),
        ("MarkdownV2", "Via!", "Character '!' is reserved and must be escaped with the preceding '\\'"),
        ("MarkdownV2", "è *x", "Can't find end of Bold entity at byte offset 3"),
        ("MarkdownV2", "[x](http://y", "Can't find end of a URL at byte offset 4"),
    ],
)
def test_bad_markup_is_refused_with_the_place(mode: str, source: str, words: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        read(source, mode)
    assert refusal.value.description == f"Bad Request: can't parse entities: {words}"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "message text is empty"),
        (" \n ", "text must be non-empty"),
        ("<b></b>", "text must be non-empty"),
        ("x" * 4097, "message is too long"),
        ("🂱" * 8193, "text is too long"),
    ],
)
def test_texts_of_a_wrong_length_are_refused(source: str, words: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        read(source)
    assert refusal.value.description == f"Bad Request: {words}"


def test_4096_characters_are_counted_after_the_tags_are_gone() -> None:
    text, _ = read(f"<b>{'x' * 4096}</b>")
    assert len(text) == 4096


def test_given_entities_are_counted_in_utf16_units() -> None:
    assert read("🂱 ciao", None, [{"type": "bold", "offset": 3, "length": 4}]) == ("🂱 ciao", [("bold", 3, 4)])
    with pytest.raises(RefusedError, match="ends after the end of the text at UTF-16 offset 8"):
        read("🂱 ciao", None, [{"type": "bold", "offset": 3, "length": 5}])
