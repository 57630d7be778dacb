"""Texts of the remarks that people can make at a table: phrases and emojis that reveal nothing about the cards."""

from collections.abc import Sequence

from locanda.games.base import N_
from locanda.messages import RemarkName, RemarkWords, SaidRemark
from locanda.translations import Translations

PHRASES: dict[RemarkName, str] = {
    "nice": N_("Nice one!"),
    "well_played": N_("Well played"),
    "lucky": N_("Lucky you!"),
    "your_turn": N_("It is your turn"),
    "thinking": N_("Let me think"),
    "congratulations": N_("Congratulations!"),
}
SIGNS: dict[RemarkName, tuple[str, str]] = {
    "applause": ("👏", N_("Applause")),
    "laughter": ("😂", N_("Laughter")),
    "tears": ("😢", N_("Tears")),
    "amazement": ("😮", N_("Amazement")),
}
"""Emojis, with their names for screen readers."""
ONE_HIDDEN, ONE_SHOWN = N_("What {name} says is hidden."), N_("What {name} says is shown.")
"""Answers to a person who mutes or unmutes another person."""


def all_remarks(translations: Translations) -> list[RemarkWords]:
    """Return all remarks in display order."""
    phrases = [RemarkWords(name, translations.gettext(text), "") for name, text in PHRASES.items()]
    signs = [RemarkWords(name, translations.gettext(text), sign) for name, (sign, text) in SIGNS.items()]
    return phrases + signs


def remark_text(remark: RemarkName, translations: Translations) -> str:
    """Return a remark for display: the phrase in quotation marks, or the emoji."""
    if remark in SIGNS:
        return SIGNS[remark][0]
    return translations.gettext("“{text}”").format(text=translations.gettext(PHRASES[remark]))


def said_text(said: SaidRemark, names: Sequence[str], translations: Translations) -> str:
    """Return a remark with the speaker's name."""
    return f"{names[said.seat]}: {remark_text(said.remark, translations)}"
