"""Help: the bot's commands, and the rules of a game page by page."""

import re
from collections.abc import Sequence
from html import escape

from locanda.games.base import N_
from locanda.translations import Language, translations_in
from services.telegram import callback_data
from services.telegram.screens.games.registry import GAME_SCREENS
from services.telegram.screens.screen import Button, Screen, bold, joined, plain

PAGE = 1500
"""The characters after which a page ends at the next paragraph, so that it fits a phone's screen."""

APP_STEPS = (
    N_("Serve the page at an https address, and name it in PUBLIC_URL."),
    N_("Send /newapp to @BotFather, choose this bot, and give a title, a description and a picture of 640 × 360."),
    N_("As the address give the one of PUBLIC_URL, and choose a short name."),
    N_("Put the short name into TELEGRAM_APP and start the bot again."),
)
"""How an owner gives the bot its Mini App (BotFather, /newapp)."""

_HEADING = re.compile(r"^#+\s*(.+)$")
_ITEM = re.compile(r"^(\s*)[-*]\s+")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_ITALIC = re.compile(r"(?<![*\w])[*_](?!\s)([^*_]+?)[*_](?![*\w])")
_CODE = re.compile(r"`([^`]+)`")


def help_screen(commands: Sequence[tuple[str, str]], language: Language) -> Screen:
    """Return the welcome and the commands, given as names and descriptions in the same language."""
    welcome = translations_in(language).gettext(
        "Welcome to the inn! Here we play Italian card games in company: the table is in the group, "
        "your cards come to you in private."
    )
    lines = "\n".join(f"/{name} · {description}" for name, description in commands)
    return Screen(joined(f"🍷 {welcome}", lines))


def owner_help_screen(
    commands: Sequence[tuple[str, str]], own: Sequence[tuple[str, str]], app: str, language: Language
) -> Screen:
    """Return the help for the bot's owner, with the commands that are theirs alone and the steps to a Mini App.

    `app` is the address of the Mini App; empty while there is none.
    """
    translations = translations_in(language)
    yours = bold(translations.gettext("This bot is yours:"))
    lines = "\n".join(f"/{name} · {description}" for name, description in own)
    about = [translations.gettext("The Mini App is on: {address}").format(address=plain(app))]
    if not app:
        about = [translations.gettext("For the table with pictures inside Telegram, the Mini App:")]
        about += [f"{number}. {plain(step)}" for number, step in enumerate(map(translations.gettext, APP_STEPS), 1)]
    return Screen(joined(help_screen(commands, language).text, f"{yours}\n{lines}", "\n".join(about)))


def rules_screen(
    game: str, rules: str, page: int, language: Language, *, ref: str | None = None, variants: tuple[str, ...] = ()
) -> Screen:
    """Return a page of the rules; at a table, with the variants that are on there."""
    translations = translations_in(language)
    all_pages = pages(rules)
    page = min(page, len(all_pages) - 1)
    on = ""
    if variants:
        here = translations.gettext("On at this table:")
        on = "\n".join([f"<u>{here}</u>", *(f"✅ {plain(line)}" for line in variants)])
    turn = []
    if page:
        turn.append(Button("◀️", callback_data.ShowRules(game, page - 1, ref)))
    turn.append(Button(f"{page + 1} / {len(all_pages)}", callback_data.ShowRules(game, page, ref)))
    if page + 1 < len(all_pages):
        turn.append(Button("▶️", callback_data.ShowRules(game, page + 1, ref)))
    return Screen(joined(f"{GAME_SCREENS[game].icon} {all_pages[page]}", on), (tuple(turn),))


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
