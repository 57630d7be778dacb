"""Screens of votes on changes of a group's evenings or seasons."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from locanda.games.base import N_
from locanda.texts.chat import bold, plain
from locanda.texts.phrases import listed
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.play.decisions import (
    Change,
    EveningChange,
    GroupDecision,
    LengthChange,
    NoEvenings,
    PointsChange,
    SeasonEnd,
    ZoneChange,
    needed,
)
from services.telegram.screens.screen import Button, Screen, in_lines, joined

LENGTHS = {
    "month": N_("seasons last a month"),
    "week": N_("seasons last a week"),
    "ended": N_("seasons last until we end them"),
}


def question_screen(
    decision: GroupDecision, what: str, names: Mapping[int, str], voters: int, language: Language
) -> Screen:
    """Ask a group to vote on a change, and show the votes; `what` is the change in words."""
    translations = translations_in(language)
    asks = translations.gettext("{name} would like this: {change}.").format(
        name=bold(names.get(decision.by, "?")), change=what
    )
    votes = in_lines(*[_votes(sign, decision.of(agree=agree), names, translations) for sign, agree in SIGNS])
    buttons = [Button(sign, callback_data.VoteOnChange(decision.by, decision.asked, agree)) for sign, agree in SIGNS]
    return Screen(joined(asks, who_decides(voters, translations), votes), (tuple(buttons),))


SIGNS = (("👍", True), ("👎", False))


def who_decides(voters: int, translations: Translations) -> str:
    """Return the sentence on who decides on a change."""
    most = needed(voters)
    return translations.ngettext(
        "The person who set it up, or an administrator, decides alone; otherwise it takes {n} vote.",
        "The person who set it up, or an administrator, decides alone; otherwise it takes {n} votes.",
        most,
    ).format(n=most)


def _votes(sign: str, users: Sequence[int], names: Mapping[int, str], translations: Translations) -> str:
    known = [bold(names[user]) for user in users if user in names]
    return f"{sign} {listed(known, translations)}" if known else ""


def change_text(change: Change, when: str, game: str, translations: Translations) -> str:
    """Return a change in words, as HTML; `when` (as HTML) and `game` (as plain text) describe an evening."""
    match change:
        case LengthChange(length):
            return translations.gettext(LENGTHS[length])
        case PointsChange(points):
            text = translations.gettext("from next season on, the top places get these points: {points}")
            return text.format(points=", ".join(map(str, points)))
        case SeasonEnd():
            return translations.gettext("the season ends now, and the leader gets the title")
        case EveningChange():
            return translations.gettext("the next evening is on {when}, with {game}").format(
                when=when, game=plain(game)
            )
        case NoEvenings():
            return translations.gettext("there are no more evenings")
        case ZoneChange(zone):
            return translations.gettext("the time zone is {zone}").format(zone=plain(zone))


def decided_by(screen: Screen, names: Sequence[str], language: Language) -> Screen:
    """Return the screen with a line on who decided the change; `names` is empty for an anonymous administrator."""
    translations = translations_in(language)
    who = listed(map(plain, names), translations) or translations.gettext("An administrator")
    text = translations.ngettext("{names} has decided this.", "{names} have decided this.", max(1, len(names)))
    return structs.replace(screen, text=joined(screen.text, f"<i>{text.format(names=who)}</i>"))


def declined_text(translations: Translations) -> str:
    """Return the text after a change was declined."""
    return translations.gettext("Everything stays as it was.")
