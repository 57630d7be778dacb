"""Screens (a message's text, buttons and photo), and helpers to build texts and rows of buttons."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from html import escape
from typing import Literal

from msgspec import Struct, structs

from locanda.texts.chat import bold, lines_on_a_phone, plain, visible
from locanda.texts.phrases import duration, listed, turn_time
from locanda.translations import Language, Translations, translations_in
from services.telegram.callback_data import CallbackData
from services.telegram.play.dates import day_of, local
from services.telegram.records import HandGrid, Photo, TableSlot

TEXT_LIMIT = 4096
"""Maximum characters of a message without markup (Bot API, sendMessage)."""
CAPTION_LIMIT = 1024
"""Maximum characters of a photo's caption without markup (Bot API, sendPhoto)."""
ALERT_LIMIT = 200
"""Maximum characters of an alert or toast (Bot API, answerCallbackQuery)."""
TIMES = (0, 30, 60, 120, 300, 3600, 86_400)
"""The selectable times for a turn, in seconds; 0 for no limit."""

LEFT_OUT = "…"
"""Replaces the end of a cut text."""
_TAGS = re.compile(r"<(/?)([a-z-]+)[^>]*>")

PHONE_LINES = 12
"""Maximum lines of a hand's text, so that a phone shows it and the card buttons without scrolling."""

Style = Literal["primary", "success", "danger"]


class Button(Struct, frozen=True):
    """A button, which sends callback data, opens a URL, or opens the Mini App."""

    label: str
    data: CallbackData | None = None
    url: str | None = None
    style: Style | None = None
    app: str | None = None
    """URL of the Mini App to open; works only in private chats (Bot API, WebAppInfo)."""
    card: str | None = None
    """Code of the card to show as a custom emoji."""
    emoji: str | None = None
    """The id of the custom emoji before the label."""


Rows = tuple[tuple[Button, ...], ...]


class Screen(Struct, frozen=True):
    """A message: its text in Telegram's HTML, its inline keyboard, and its photo or file."""

    text: str
    rows: Rows = ()
    photo: Photo = ()
    """The photo, whose caption is the text; empty for none."""
    document: str = ""
    """Name of a file with the person's stored data, whose caption is the text; empty for none."""


class Wanted(Struct, frozen=True):
    """The wanted content of a message, and how to deliver it."""

    screen: Screen
    ring: str = ""
    """Reason for a notification. If the reason changes, a new message replaces the old one, so that phones ring."""
    since: float = 0.0
    """When the turn that `ring` names began (Unix seconds)."""
    grid: HandGrid | None = None
    """The layout of a hand's cards."""
    create: bool = True
    """Whether to send a missing message; if false, only an existing message is edited."""
    takes: TableSlot | None = None
    """A slot whose message this one takes over, by an edit or, if `ring` has changed, by a replacement."""
    silent: bool = False
    """Whether to send the message without sound, because it asks nobody for anything."""


def fitted(texts: Iterable[str]) -> str:
    """Return the first text that fits a phone without scrolling, or else the last one."""
    text = ""
    for text in texts:
        if lines_on_a_phone(text) <= PHONE_LINES:
            break
    return text


def fits_caption(text: str) -> bool:
    """Return whether a text in Telegram's HTML fits a photo's caption."""
    return units(text) <= CAPTION_LIMIT


def at_most(lines: Iterable[str], most: int, translations: Translations) -> list[str]:
    """Return at most `most` lines, plus a line with the number of those left out."""
    every = list(lines)
    if len(every) <= most:
        return every
    return [*every[:most], translations.gettext("and {n} more").format(n=len(every) - most)]


def units(text: str) -> int:
    """Return the length of a text in Telegram's HTML as Telegram counts it: UTF-16 units without markup."""
    return len(visible(text).encode("utf-16-le")) // 2


def pages(text: str, limit: int = TEXT_LIMIT) -> list[str]:
    """Split a text in Telegram's HTML at line ends into texts of limited length, each with closed tags."""
    texts, room, begins = list[str](), 0, ""
    for line in text.split("\n"):
        for part in [line] if units(line) <= limit else _chunks(line, limit):
            if not texts or units(part) + 1 > room:
                begins = "".join(tag[0] for tag in _open_tags(texts[-1])) if texts else ""
                texts[-1:] = [f"{last}{_closing(last)}" for last in texts[-1:]]
                texts.append(f"{begins}{part}")
                room = limit - units(part)
            else:
                texts[-1] += f"\n{part}"
                room -= units(part) + 1
    return [page for page in texts if visible(page).strip()] or [text]


def _chunks(line: str, limit: int) -> list[str]:
    """Split a line that is too long, and remove its tags."""
    shown, size = visible(line), limit // 2  # Telegram counts some characters as two units
    return [escape(shown[at : at + size], quote=False) for at in range(0, len(shown), size)]


def within_limits(screen: Screen) -> Screen:
    """Return the screen with its text cut after the last line within Telegram's limit."""
    limit = CAPTION_LIMIT if screen.photo or screen.document else TEXT_LIMIT
    if units(screen.text) <= limit:
        return screen
    return structs.replace(screen, text=f"{pages(screen.text, limit - units(f' {LEFT_OUT}'))[0]}\n{LEFT_OUT}")


def _open_tags(text: str) -> list[re.Match[str]]:
    """Return the opening tags that a text does not close."""
    opened: list[re.Match[str]] = []
    for tag in _TAGS.finditer(text):
        if tag[1]:
            opened.pop()
        else:
            opened.append(tag)
    return opened


def _closing(text: str) -> str:
    """Return the closing tags that a text needs."""
    return "".join(f"</{tag[2]}>" for tag in reversed(_open_tags(text)))


def joined(*blocks: str) -> str:
    """Join non-empty blocks with empty lines between them."""
    return "\n\n".join(block for block in blocks if block)


def in_lines(*blocks: str) -> str:
    """Join non-empty blocks, each on its own line."""
    return "\n".join(block for block in blocks if block)


def time_of(moment: float, zone: str, language: Language) -> str:
    """Return a day and time in the group's time zone; apps may show the time in the reader's own."""
    when = local(moment, zone)
    at = f'<tg-time unix="{int(moment)}" format="t">{when:%H:%M}</tg-time>'
    text = translations_in(language).gettext("{day} at {time}")
    return text.format(day=bold(day_of(when, language)), time=f"<b>{at}</b>")


def in_rows(buttons: list[Button], width: int) -> Rows:
    """Arrange buttons in rows of at most `width`, as even as possible."""
    if not buttons:
        return ()
    rows = -(-len(buttons) // width)
    width = -(-len(buttons) // rows)
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))


def mention(user: int, name: str) -> str:
    """Return a mention of a person, which notifies them (Bot API, HTML style)."""
    return f'<a href="tg://user?id={user}">{plain(name)}</a>'


def choice(label: str, data: CallbackData, *, chosen: bool) -> Button:
    """Return the button of a choice, marked if it is the current one."""
    return Button(f"{'● ' if chosen else ''}{label}", data)


def moment(when: datetime, now: datetime, translations: Translations) -> str:
    """Return a time that Telegram shows in the reader's time zone (Bot API 9.5, date-time entities).

    Apps and servers without support for such entities show the text inside the entity: the time left.
    """
    left = max(0, round((when - now).total_seconds()))
    shape = "T" if left < 900 else "t" if left < 43_200 else "wt"
    return f'<tg-time unix="{int(when.timestamp())}" format="{shape}">{duration(left, translations)}</tg-time>'


def shortened(text: str, most: int) -> str:
    """Return the text, cut to `most` characters with an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def named(seats: Iterable[int], names: Sequence[str], translations: Translations) -> str:
    """Return the bold names of seats as an enumeration."""
    return listed((bold(names[seat]) for seat in seats), translations)


def table_letter(letter: str, translations: Translations) -> str:
    """Return the label of a table by its letter."""
    return translations.gettext("table {letter}").format(letter=letter)


def app_row(app: str, translations: Translations) -> Rows:
    """Return a row with the button that opens the Mini App from a group; no row without an app."""
    return ((Button(translations.gettext("🃏 Open the table"), url=app),),) if app else ()


def time_rows(chosen: int, data: Callable[[int], CallbackData], translations: Translations) -> Rows:
    """Return a button for each of `TIMES`, with the chosen one marked; `data` returns the callback data of a time."""
    return in_rows([choice(turn_time(time, translations), data(time), chosen=time == chosen) for time in TIMES], 3)
