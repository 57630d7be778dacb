"""Screens of settings, data deletion, help, and rules."""

import re
from collections.abc import Sequence
from html import escape

from msgspec import Struct

from locanda.games.base import N_
from locanda.texts.chat import bold, plain
from locanda.texts.phrases import turn_time
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.play.turns import Passing
from services.telegram.records import ChatRecord, PersonRecord
from services.telegram.screens.games import icon_of
from services.telegram.screens.screen import Button, Screen, choice, joined, time_rows

LANGUAGES: tuple[Language, ...] = ("it", "en")
PASSINGS: tuple[Passing, ...] = ("never", "forced", "always")
PASSING_TITLES: dict[Passing, str] = {
    "never": N_("Never"),
    "forced": N_("Only if forced"),
    "always": N_("Always"),
}
LANGUAGE_NAMES: dict[Language, str] = {"it": "Italiano", "en": "English"}
PAGE = 1500
"""Maximum characters of a page, so that it fits a phone's screen; only a single longer paragraph may exceed it."""

APP_STEPS = (
    N_("Serve the page at an https address, and name it in PUBLIC_URL."),
    N_("Send /newapp to @BotFather, choose this bot, and give a title, a description and a picture of 640 × 360."),
    N_("As the address give the one of PUBLIC_URL, and choose a short name."),
    N_("Put the short name into TELEGRAM_APP and start the bot again."),
)
"""Steps with which the owner sets up the Mini App (BotFather, /newapp)."""

_HEADING = re.compile(r"^#+\s*(.+)$")
_ITEM = re.compile(r"^(\s*)[-*]\s+")
_START = re.compile(r"\s*([-*] |\d+\. |#|\|)")
"""Start of a heading, a list item or a table row. Any other line continues the one before it."""
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_ITALIC = re.compile(r"(?<![*\w])[*_](?!\s)([^*_]+?)[*_](?![*\w])")
_CODE = re.compile(r"`([^`]+)`")


class Switch(Struct, frozen=True):
    """A setting that is on or off: its line of text, and the button that changes it."""

    name: callback_data.SettingName
    line: str
    values: tuple[str, str]
    """The texts of the values off and on."""
    changes: tuple[str, str]
    """The button's labels while the setting is off and while it is on."""

    def shown(self, *, on: bool, translations: Translations) -> str:
        """Return the line of text with the current value."""
        return translations.gettext(self.line).format(value=bold(translations.gettext(self.values[on])))

    def row(self, *, on: bool, translations: Translations) -> tuple[Button, ...]:
        """Return the row with the button for the other value."""
        return (Button(translations.gettext(self.changes[on]), callback_data.ChangeSetting(self.name, int(not on))),)


NO_YES, OFF_ON = (N_("no"), N_("yes")), (N_("off"), N_("on"))

HOSTS = Switch(
    "hosts",
    N_("Who may open and close tables: {value}"),
    (N_("everybody"), N_("administrators")),
    (N_("Tables: limit to administrators"), N_("Tables: allow everybody")),
)
NUDGES = Switch("nudges", N_("Nudges (/nudge): {value}"), OFF_ON, (N_("Turn nudges on"), N_("Turn nudges off")))
PICTURES = Switch(
    "pictures",
    N_("Picture at the end of a match: {value}"),
    NO_YES,
    (N_("Turn the picture on"), N_("Turn the picture off")),
)
PHOTOS = Switch(
    "photos", N_("Photo of your cards with each hand: {value}"), NO_YES, (N_("Turn photos on"), N_("Turn photos off"))
)
REMINDERS = Switch(
    "reminders", N_("Reminders of your turn: {value}"), OFF_ON, (N_("Turn reminders on"), N_("Turn reminders off"))
)
REMARKS = Switch(
    "remarks",
    N_("What people say at the table: {value}"),
    NO_YES,
    (N_("Show what people say"), N_("Hide what people say")),
)


def group_screen(chat: ChatRecord, language: Language) -> Screen:
    """Return a group's settings with the buttons to change them."""
    translations = translations_in(language)
    switches = (
        (HOSTS, chat.hosts == "admins"),
        (NUDGES, chat.nudges),
        (PICTURES, chat.pictures),
        (REMARKS, chat.remarks),
    )
    lines = (
        _language_line(chat.language, translations),
        translations.gettext("Time for a turn at new tables: {value}").format(
            value=bold(turn_time(chat.seconds, translations))
        ),
        *(switch.shown(on=on, translations=translations) for switch, on in switches),
    )
    rows = (
        _languages(chat.language),
        *time_rows(chat.seconds or 0, lambda seconds: callback_data.ChangeSetting("seconds", seconds), translations),
        *(switch.row(on=on, translations=translations) for switch, on in switches),
    )
    heading = bold(translations.gettext("Settings of the group"))
    return Screen(joined(f"⚙️ {heading}", "\n".join(lines)), rows)


def person_screen(person: PersonRecord, language: Language) -> Screen:
    """Return a person's settings with the buttons to change them."""
    translations = translations_in(language)
    switches = ((PHOTOS, person.photos), (REMINDERS, person.reminders), (REMARKS, person.remarks))
    passing = translations.gettext(PASSING_TITLES[person.passing]).lower()
    lines = (
        _language_line(person.language, translations),
        *(switch.shown(on=on, translations=translations) for switch, on in switches),
        translations.gettext("Automatic pass: {value}").format(value=bold(passing)),
    )
    explained = translations.gettext(
        "When you can't play anything, I pass for you. Where passing can also be a choice, I take as long as a person "
        "would, so that nobody can tell."
    )
    rows = (
        _languages(person.language),
        *(switch.row(on=on, translations=translations) for switch, on in switches),
        _passings(person.passing, translations),
    )
    heading = bold(translations.gettext("Your settings"))
    return Screen(joined(f"⚙️ {heading}", "\n".join(lines), f"<i>{explained}</i>"), rows)


def _language_line(language: Language, translations: Translations) -> str:
    return translations.gettext("Language: {value}").format(value=bold(LANGUAGE_NAMES[language]))


def _passings(chosen: Passing, translations: Translations) -> tuple[Button, ...]:
    return tuple(
        choice(
            translations.gettext(PASSING_TITLES[passing]),
            callback_data.ChangeSetting("passing", number),
            chosen=passing == chosen,
        )
        for number, passing in enumerate(PASSINGS)
    )


def _languages(chosen: Language) -> tuple[Button, ...]:
    return tuple(
        choice(LANGUAGE_NAMES[code], callback_data.ChangeSetting("language", number), chosen=code == chosen)
        for number, code in enumerate(LANGUAGES)
    )


def forget_screen(language: Language) -> Screen:
    """Ask which of the person's data to delete."""
    translations = translations_in(language)
    text = translations.gettext(
        "I know your name, your language, the tables you sit at and your results in your groups. What shall I forget?"
    )
    forget = callback_data.ForgetPerson
    boards = Button(translations.gettext("Take me off the leaderboards"), forget("boards"))
    everything = Button(translations.gettext("Everything: I also leave my tables"), forget("all"), style="danger")
    nothing = Button(translations.gettext("Nothing"), forget("nothing"))
    return Screen(text, ((boards,), (everything,), (nothing,)))


def forgotten_screen(what: str, language: Language) -> Screen:
    """Confirm which data was deleted; `what` has the same values as in `callback_data.ForgetPerson`."""
    translations = translations_in(language)
    said = {
        "all": translations.gettext(
            "Done: I have forgotten you, and your seats have other names. Only earlier messages in chats remain. If "
            "we meet again, we start from the beginning."
        ),
        "boards": translations.gettext("Done: you are on no leaderboard any more, and will not come back to one."),
        "nothing": translations.gettext("All as before."),
    }
    return Screen(said[what])


# --- help and rules


def help_screen(commands: Sequence[tuple[str, str]], language: Language) -> Screen:
    """Return the welcome and the commands; `commands` has their names and descriptions in this language."""
    welcome = translations_in(language).gettext(
        "Welcome to the inn! Here we play Italian card games in company: the table is in the group, "
        "your cards come to you in private."
    )
    lines = "\n".join(f"/{name} · {description}" for name, description in commands)
    return Screen(joined(f"🍷 {welcome}", lines))


def guest_screen(username: str, language: Language) -> Screen:
    """Return the invitation for a chat without the bot."""
    translations = translations_in(language)
    text = translations.gettext(
        "Shall we play cards? Add me to a group: the table is there, your cards come to you in private. "
        "Or play against the computer, with me alone."
    )
    address = f"https://t.me/{username}"
    add = Button(translations.gettext("Add me to a group"), url=f"{address}?startgroup=play")
    alone = Button(translations.gettext("Play alone"), url=f"{address}?start=play")
    return Screen(f"🃏 {text}", ((add,), (alone,)))


def owner_help_screen(
    commands: Sequence[tuple[str, str]], own: Sequence[tuple[str, str]], app: str, language: Language
) -> Screen:
    """Return the help for the bot's owner, with their commands (`own`) and the Mini App's address, if any."""
    translations = translations_in(language)
    yours = bold(translations.gettext("This bot is yours:"))
    lines = "\n".join(f"/{name} · {description}" for name, description in own)
    about = [translations.gettext("The Mini App is on: {address}").format(address=escape(app, quote=False))]
    if not app:
        about = [translations.gettext("For the table with pictures inside Telegram, the Mini App:")]
        about += [
            f"{number}. {escape(step, quote=False)}"
            for number, step in enumerate(map(translations.gettext, APP_STEPS), 1)
        ]
    return Screen(joined(help_screen(commands, language).text, f"{yours}\n{lines}", "\n".join(about)))


def rules_screen(
    game: str, rules: str, page: int, language: Language, *, ref: str | None = None, variants: tuple[str, ...] = ()
) -> Screen:
    """Return a page of the rules; `variants` are the options in use at the table `ref`."""
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
    return Screen(joined(f"{icon_of(game)} {all_pages[page]}", on), (tuple(turn),))


def pages(markdown: str) -> list[str]:
    """Convert Markdown to pages in Telegram's HTML, split between paragraphs and before headings."""
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
    """Convert a Markdown block to HTML: headings, lists, bold, italic and code. Joins the lines of a sentence."""
    lines: list[str] = []
    for line in block.splitlines():
        if lines and not _START.match(line) and not _HEADING.match(lines[-1]):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(map(_line, lines))


def _line(line: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        return bold(heading[1].replace("**", ""))
    text = _ITEM.sub(r"\1• ", escape(line.rstrip(), quote=False))
    text = _CODE.sub(r"<code>\1</code>", text)
    return _ITALIC.sub(r"<i>\1</i>", _BOLD.sub(r"<b>\1</b>", text))
