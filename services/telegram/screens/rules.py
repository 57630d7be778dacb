"""The rules of a game, page by page, from the engine's Markdown."""

import re
from html import escape

from services.telegram import buttons
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.screen import Button, Screen, joined
from services.telegram.screens.text import bold, plain
from shared.translate import Language, translator

PAGE = 1500
"""Characters after which a page ends at the next paragraph: what a telephone shows without scrolling for long."""

_HEADING = re.compile(r"^#+\s*(.+)$")
_ITEM = re.compile(r"^(\s*)[-*]\s+")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_ITALIC = re.compile(r"(?<![*\w])[*_](?!\s)([^*_]+?)[*_](?![*\w])")
_CODE = re.compile(r"`([^`]+)`")


def rules_screen(
    game: str, rules: str, page: int, language: Language, *, ref: str | None = None, variants: tuple[str, ...] = ()
) -> Screen:
    """Return a page of the rules; at a table, with the variants that are on there."""
    words = translator(language)
    all_pages = pages(rules)
    page = min(page, len(all_pages) - 1)
    on = ""
    if variants:
        here = words.gettext("On at this table:")
        on = "\n".join([f"<u>{here}</u>", *(f"✅ {plain(line)}" for line in variants)])
    turn = []
    if page:
        turn.append(Button("◀️", buttons.Rules(game, page - 1, ref)))
    turn.append(Button(f"{page + 1} / {len(all_pages)}", buttons.Rules(game, page, ref)))
    if page + 1 < len(all_pages):
        turn.append(Button("▶️", buttons.Rules(game, page + 1, ref)))
    return Screen(joined(f"{DRAWINGS[game].icon} {all_pages[page]}", on), (tuple(turn),))


def pages(markdown: str) -> list[str]:
    """Return the pages of a Markdown text as Telegram's HTML, cut between paragraphs and before headings."""
    done: list[str] = []
    page = ""
    for block in (block for block in re.split(r"\n\s*\n", markdown.strip()) if block.strip()):
        html = paragraph(block)
        if page and (len(page) + len(html) > PAGE or (_HEADING.match(block) and len(page) > PAGE // 2)):
            done.append(page)
            page = ""
        page = joined(page, html)
    return [*done, page]


def paragraph(block: str) -> str:
    """Return a Markdown block as HTML: headings, lists, bold, italic and code."""
    return "\n".join(_line(line) for line in block.splitlines())


def _line(line: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        return bold(heading[1].replace("**", ""))
    text = _ITEM.sub(r"\1• ", escape(line.rstrip(), quote=False))
    text = _CODE.sub(r"<code>\1</code>", text)
    return _ITALIC.sub(r"<i>\1</i>", _BOLD.sub(r"<b>\1</b>", text))
