"""Screens that ask a group for a change of its evenings or seasons, and show who decided."""

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
    """Ask a group for a change, `what` in words, and show how people have voted."""
    translations = translations_in(language)
    asks = translations.gettext("{name} would like this: {change}.").format(
        name=bold(names.get(decision.by, "?")), change=what
    )
    votes = in_lines(*[_votes(sign, decision.of(agree=agree), names, translations) for sign, agree in SIGNS])
    buttons = [Button(sign, callback_data.VoteOnChange(decision.by, decision.asked, agree)) for sign, agree in SIGNS]
    return Screen(joined(asks, who_decides(voters, translations), votes), (tuple(buttons),))


SIGNS = (("👍", True), ("👎", False))


def who_decides(voters: int, translations: Translations) -> str:
    """Return who decides on a change."""
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
    """Return a change in words, as HTML; `when`, marked up, and `game` describe an evening."""
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
    """Return the screen after a change, with those who decided it; no names for an anonymous administrator."""
    translations = translations_in(language)
    who = listed(map(plain, names), translations) or translations.gettext("An administrator")
    text = translations.ngettext("{names} has decided this.", "{names} have decided this.", max(1, len(names)))
    return structs.replace(screen, text=joined(screen.text, f"<i>{text.format(names=who)}</i>"))


def declined_text(translations: Translations) -> str:
    """Return what a group reads that has declined a change."""
    return translations.gettext("Everything stays as it was.")
