"""Texts of lessons that the chat and the API share."""

from locanda.translations import Translations

OPPONENTS = ("Ugo", "Ines")
"""Names of the other players, in order of play after the learner."""


def explained(text: str, translations: Translations) -> str:
    """Translate a text of a lesson's script."""
    return translations.gettext(text).format(name=OPPONENTS[0]) if text else ""


def allowed(move: str, translations: Translations) -> str:
    """Return the answer to a legal move that the lesson does not expect; `move` is the label of the expected move."""
    text = translations.gettext("That is allowed too. This lesson goes on with another move: {move}.")
    return text.format(move=move)
