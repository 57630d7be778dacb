"""Texts of lessons, the same in a chat and over the API."""

from locanda.translations import Translations

OPPONENTS = ("Ugo", "Ines")
"""The names of the other players, in order of play after the learner."""


def explained(text: str, translations: Translations) -> str:
    """Return the text of a script's msgid."""
    return translations.gettext(text).format(name=OPPONENTS[0]) if text else ""


def allowed(move: str, translations: Translations) -> str:
    """Return the answer to another legal move than that of the step; `move` is its label."""
    text = translations.gettext("That is allowed too. This lesson goes on with another move: {move}.")
    return text.format(move=move)
