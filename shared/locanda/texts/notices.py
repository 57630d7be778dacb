"""Texts of notices to subscribers."""

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
    """Return the title of a notice."""
    return translations.gettext(TITLES[type_])
