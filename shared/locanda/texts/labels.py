"""Short names of a game's piles, moves and states: those of every game here, each game's own in its `LABELS`."""

from locanda.games.base import N_
from locanda.texts.games import texts_of
from locanda.translations import Translations

COMMON_LABELS = {
    "hand": N_("Your hand"),
    "stock": N_("Stock"),
    "dealer": N_("Dealer"),
    "playable": N_("can be played"),
    "unplayable": N_("cannot be played now"),
    "back": N_("face-down card"),
}


def labels_of(game: str, translations: Translations) -> dict[str, str]:
    """Return the labels of a game."""
    return {key: translations.gettext(text) for key, text in (COMMON_LABELS | texts_of(game).LABELS).items()}
