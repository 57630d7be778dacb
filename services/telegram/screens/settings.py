"""The settings of a group and of a person, and what the bot forgets of a person."""

from locanda.games.base import N_
from locanda.texts.phrases import turn_time
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.records import ChatRecord, Passing, PersonRecord
from services.telegram.screens.screen import Button, Rows, Screen, bold, joined, time_rows

LANGUAGES: tuple[Language, ...] = ("it", "en")
PASSINGS: tuple[Passing, ...] = ("never", "forced", "always")
PASSING_TITLES: dict[Passing, str] = {
    "never": N_("Never"),
    "forced": N_("Only if forced"),
    "always": N_("Always"),
}
LANGUAGE_NAMES: dict[Language, str] = {"it": "Italiano", "en": "English"}


def group_screen(chat: ChatRecord, language: Language) -> Screen:
    """Return a group's settings with the buttons to change them."""
    translations = translations_in(language)
    hosts = translations.gettext("everybody") if chat.hosts == "all" else translations.gettext("administrators")
    nudges = translations.gettext("on") if chat.nudges else translations.gettext("off")
    pictures = translations.gettext("yes") if chat.pictures else translations.gettext("no")
    lines = (
        translations.gettext("Language: {value}").format(value=bold(LANGUAGE_NAMES[chat.language])),
        translations.gettext("Time for a turn at new tables: {value}").format(
            value=bold(turn_time(chat.seconds, translations))
        ),
        translations.gettext("Who may open and close tables: {value}").format(value=bold(hosts)),
        translations.gettext("Nudges (/nudge): {value}").format(value=bold(nudges)),
        translations.gettext("Picture at the end of a match: {value}").format(value=bold(pictures)),
    )
    heading = bold(translations.gettext("Settings of the group"))
    return Screen(joined(f"⚙️ {heading}", "\n".join(lines)), _group_rows(chat, translations))


def _group_rows(chat: ChatRecord, translations: Translations) -> Rows:
    hosts = (
        translations.gettext("Tables: only administrators")
        if chat.hosts == "all"
        else translations.gettext("Tables: everybody")
    )
    nudges = translations.gettext("Nudges: off") if chat.nudges else translations.gettext("Nudges: on")
    pictures = translations.gettext("Picture: off") if chat.pictures else translations.gettext("Picture: on")
    return (
        _languages(chat.language),
        *time_rows(chat.seconds or 0, lambda seconds: callback_data.ChangeSetting("seconds", seconds), translations),
        (Button(hosts, callback_data.ChangeSetting("hosts", int(chat.hosts == "all"))),),
        (Button(nudges, callback_data.ChangeSetting("nudges", int(not chat.nudges))),),
        (Button(pictures, callback_data.ChangeSetting("pictures", int(not chat.pictures))),),
    )


def person_screen(person: PersonRecord, language: Language) -> Screen:
    """Return a person's own settings."""
    translations = translations_in(language)
    heading = bold(translations.gettext("Your settings"))
    reminders = translations.gettext("on") if person.reminders else translations.gettext("off")
    photos = translations.gettext("yes") if person.photos else translations.gettext("no")
    lines = (
        translations.gettext("Language: {value}").format(value=bold(LANGUAGE_NAMES[person.language])),
        translations.gettext("Photo of your cards with each hand: {value}").format(value=bold(photos)),
        translations.gettext("Reminders of your turn: {value}").format(value=bold(reminders)),
        translations.gettext("Automatic pass: {value}").format(
            value=bold(translations.gettext(PASSING_TITLES[person.passing]).lower())
        ),
    )
    change = translations.gettext("Photos: off") if person.photos else translations.gettext("Photos: on")
    button = Button(change, callback_data.ChangeSetting("photos", int(not person.photos)))
    remind = translations.gettext("Reminders: off") if person.reminders else translations.gettext("Reminders: on")
    reminding = Button(remind, callback_data.ChangeSetting("reminders", int(not person.reminders)))
    explained = translations.gettext(
        "When you can play nothing, I pass for you. Where one may also pass by choice, I take as long as a person "
        "would: so nobody learns that you could not play."
    )
    rows = (_languages(person.language), (button,), (reminding,), _passings(person.passing, translations))
    return Screen(joined(f"⚙️ {heading}", "\n".join(lines), f"<i>{explained}</i>"), rows)


def _passings(chosen: Passing, translations: Translations) -> tuple[Button, ...]:
    return tuple(
        Button(
            f"{'● ' if each == chosen else ''}{translations.gettext(PASSING_TITLES[each])}",
            callback_data.ChangeSetting("passing", number),
        )
        for number, each in enumerate(PASSINGS)
    )


def _languages(chosen: Language) -> tuple[Button, ...]:
    return tuple(
        Button(
            f"{'● ' if code == chosen else ''}{LANGUAGE_NAMES[code]}", callback_data.ChangeSetting("language", number)
        )
        for number, code in enumerate(LANGUAGES)
    )


def forget_screen(language: Language) -> Screen:
    """Ask which data of the person is to be deleted."""
    translations = translations_in(language)
    text = translations.gettext(
        "I know your name, your language, the tables you sit at and your results in your groups. What shall I forget?"
    )
    return Screen(
        text,
        (
            (Button(translations.gettext("Take me off the leaderboards"), callback_data.ForgetPerson("boards")),),
            (
                Button(
                    translations.gettext("Everything: I also leave my tables"),
                    callback_data.ForgetPerson("all"),
                    style="danger",
                ),
            ),
            (Button(translations.gettext("Nothing"), callback_data.ForgetPerson("nothing")),),
        ),
    )


def forgotten_screen(what: str, language: Language) -> Screen:
    """Confirm which data was deleted; `what` is as in `callback_data.ForgetPerson`."""
    translations = translations_in(language)
    said = {
        "all": translations.gettext("Done: I have forgotten you. If we meet again, we start anew."),
        "boards": translations.gettext("Done: you are on no leaderboard any more, and will not come back to one."),
        "nothing": translations.gettext("All as before."),
    }
    return Screen(said[what])
