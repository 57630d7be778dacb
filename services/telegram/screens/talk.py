"""What the bot says beside its tables: help, greetings, nudges."""

from html import escape

from services.telegram import buttons
from services.telegram.screens.screen import Button, Screen, joined
from services.telegram.screens.text import bold, mention
from shared.translate import Language, translator


def help_screen(language: Language) -> Screen:
    """Say what the bot can do."""
    words = translator(language)
    welcome = words.gettext(
        "Welcome to the inn! Here we play Italian card games in company: the table is in the group, "
        "your cards come to you in private."
    )
    commands = "\n".join(f"/{name} · {told}" for name, told in commands_of(language))
    return Screen(joined(f"🍷 {welcome}", commands))


def commands_of(language: Language) -> list[tuple[str, str]]:
    """Return the commands under their names in this language, with what they do."""
    words = translator(language)
    return [
        (words.gettext("play"), words.gettext("open a table; in private, play against the computer")),
        (words.gettext("rules"), words.gettext("how it is played")),
        (words.gettext("nudge"), words.gettext("call whoever is on turn")),
        (words.gettext("leaderboard"), words.gettext("who wins most here")),
        (words.gettext("close"), words.gettext("close a table")),
        (words.gettext("settings"), words.gettext("language, times, who opens tables")),
        (words.gettext("forgetme"), words.gettext("delete what I know of you")),
        (words.gettext("help"), words.gettext("what I can do")),
    ]


def seated_screen(place: str, link: str, language: Language) -> Screen:
    """Welcome somebody who sat down by the deep link, and say where to go back."""
    words = translator(language)
    text = words.gettext("You are seated! Go back to {place}: when the cards are dealt, yours come here.")
    back = Button(words.gettext("Back to the group"), url=link)
    return Screen(f"🪑 {text.format(place=bold(place))}", ((back,),) if link else ())


def nudge_screen(user: int, name: str, language: Language) -> Screen:
    """Call the person on turn."""
    text = translator(language).gettext("{name}, it is your turn!")
    return Screen(f"🔔 {text.format(name=mention(user, name))}")


def close_screen(tables: list[tuple[str, str]], language: Language) -> Screen:
    """Ask which table is to be closed, each by its reference and what it is called."""
    words = translator(language)
    rows = tuple((Button(name, buttons.Close(ref)),) for ref, name in tables)
    return Screen(words.gettext("Which table shall I close?"), rows)


def sure_screen(ref: str, name: str, language: Language) -> Screen:
    """Ask whether a table with cards on it is really to be closed."""
    words = translator(language)
    text = words.gettext("Close {name}? The match ends here, without a result.").format(name=bold(name))
    yes = Button(words.gettext("Yes, close it"), buttons.Close(ref, sure=True), style="danger")
    return Screen(text, ((yes,),))


def note(text: str) -> Screen:
    """Return a message that is only a sentence."""
    return Screen(escape(text, quote=False))
