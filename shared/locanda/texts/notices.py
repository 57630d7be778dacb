"""What notices say to people."""

from locanda.games.base import N_
from locanda.messages import NoticeType
from locanda.translations import Translations

TITLES: dict[NoticeType, str] = {
    "turn": N_("It is your turn"),
    "over": N_("The match is over"),
    "closed": N_("The table is closed"),
    "invitation": N_("You are invited to an evening of cards"),
    "evening": N_("The evening of cards is about to begin"),
}


def notice_title(type_: NoticeType, translations: Translations) -> str:
    """Return what has happened, in a few words."""
    return translations.gettext(TITLES[type_])
