"""Names and icons of games, and the cards that have pictures."""

from functools import cache

from locanda.messages import GameInfo
from locanda.texts.cards import cuccu_deck, french_deck_with_joker
from locanda.texts.chat import bold
from locanda.texts.games import texts_of
from locanda.translations import Language, translations_in


def icon_of(game: str) -> str:
    """Return a game's icon."""
    return texts_of(game).ICON


@cache
def pictured(game: str) -> frozenset[str]:
    """Return the codes of a game's cards that have pictures, including a card's back.

    Cards are compared by name as well: other decks may use the code of a pictured card for a different card.
    """
    english = translations_in("en")
    ours = french_deck_with_joker(english) | cuccu_deck(english)
    return frozenset(
        {"back", *(code for code, words in texts_of(game).deck(english).items() if words == ours.get(code))}
    )


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en


def game_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name."""
    return f"{icon_of(game.game)} {game_name(game, language)}"


def bold_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name, the name in bold."""
    return f"{icon_of(game.game)} {bold(game_name(game, language))}"
