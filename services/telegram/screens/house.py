"""The settings of a group, and of a person; and taking leave of the bot."""

from services.telegram import buttons
from services.telegram.records import Chat, Person
from services.telegram.screens.screen import Button, Rows, Screen, in_rows, joined
from services.telegram.screens.text import TIMES, bold
from shared.translate import Language, Words, translator
from shared.words.phrases import turn_time

LANGUAGES: tuple[Language, ...] = ("it", "en")
LANGUAGE_NAMES: dict[Language, str] = {"it": "Italiano", "en": "English"}


def group_screen(chat: Chat, language: Language) -> Screen:
    """Return the group's settings, to be changed by its administrators."""
    words = translator(language)
    hosts = words.gettext("everybody") if chat.hosts == "all" else words.gettext("administrators")
    nudges = words.gettext("on") if chat.nudges else words.gettext("off")
    lines = (
        words.gettext("Language: {value}").format(value=bold(LANGUAGE_NAMES[chat.language])),
        words.gettext("Time for a turn at new tables: {value}").format(value=bold(turn_time(chat.seconds, words))),
        words.gettext("Who may open and close tables: {value}").format(value=bold(hosts)),
        words.gettext("Nudges (/nudge): {value}").format(value=bold(nudges)),
    )
    heading = bold(words.gettext("Settings of the group"))
    return Screen(joined(f"⚙️ {heading}", "\n".join(lines)), _group_rows(chat, words))


def _group_rows(chat: Chat, words: Words) -> Rows:
    times = []
    for seconds in TIMES:
        mark = "● " if seconds == (chat.seconds or 0) else ""
        times.append(Button(f"{mark}{turn_time(seconds, words)}", buttons.SetHouse("seconds", seconds)))
    hosts = words.gettext("Tables: only administrators") if chat.hosts == "all" else words.gettext("Tables: everybody")
    nudges = words.gettext("Nudges: off") if chat.nudges else words.gettext("Nudges: on")
    return (
        _languages(chat.language),
        *in_rows(times, 3),
        (Button(hosts, buttons.SetHouse("hosts", int(chat.hosts == "all"))),),
        (Button(nudges, buttons.SetHouse("nudges", int(not chat.nudges))),),
    )


def person_screen(person: Person, language: Language) -> Screen:
    """Return a person's own settings."""
    words = translator(language)
    heading = bold(words.gettext("Your settings"))
    line = words.gettext("Language: {value}").format(value=bold(LANGUAGE_NAMES[person.language]))
    return Screen(joined(f"⚙️ {heading}", line), (_languages(person.language),))


def _languages(chosen: Language) -> tuple[Button, ...]:
    return tuple(
        Button(f"{'● ' if code == chosen else ''}{LANGUAGE_NAMES[code]}", buttons.SetHouse("language", number))
        for number, code in enumerate(LANGUAGES)
    )


def forget_screen(language: Language) -> Screen:
    """Ask what is to be forgotten."""
    words = translator(language)
    text = words.gettext(
        "I know your name, your language, the tables you sit at and your results in your groups. What shall I forget?"
    )
    return Screen(
        text,
        (
            (Button(words.gettext("Take me off the leaderboards"), buttons.Forget("boards")),),
            (Button(words.gettext("Everything: I also leave my tables"), buttons.Forget("all"), style="danger"),),
            (Button(words.gettext("Nothing"), buttons.Forget("nothing")),),
        ),
    )


def forgotten_screen(what: str, language: Language) -> Screen:
    """Say what was forgotten."""
    words = translator(language)
    said = {
        "all": words.gettext("Done: I have forgotten you. If we meet again, we start anew."),
        "boards": words.gettext("Done: you are on no leaderboard any more, and will not come back to one."),
        "nothing": words.gettext("All as before."),
    }
    return Screen(said[what])
