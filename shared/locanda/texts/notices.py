"""Texts of notices."""

from locanda.games.base import N_
from locanda.messages import SentNoticeType
from locanda.translations import Translations

TITLES: dict[SentNoticeType, str] = {
    "turn": N_("It is your turn"),
    "over": N_("The match is over"),
    "closed": N_("The table is closed"),
    "invitation": N_("You are invited to an evening of cards"),
    "evening": N_("The evening of cards is about to begin"),
    "test": N_("A test: notices arrive"),
}


def notice_title(type_: SentNoticeType, translations: Translations) -> str:
    """Return what has happened, in a few words."""
    return translations.gettext(TITLES[type_])
