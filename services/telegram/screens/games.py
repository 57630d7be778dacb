"""The screens of every game, found by the game's name."""

from functools import cache

from locanda.games.chat import AnyGameScreens, GameScreens, bold
from locanda.games.registry import has_part, of_each_game, part
from locanda.messages import GameInfo
from locanda.texts.cards import cuccu_deck, french_deck_with_joker
from locanda.texts.games import texts_of
from locanda.translations import Language, translations_in


def _screens(name: str) -> AnyGameScreens:
    found: AnyGameScreens = part(name, "chat").SCREENS if has_part(name, "chat") else GameScreens()
    return found


GAME_SCREENS: dict[str, AnyGameScreens] = of_each_game(_screens)


def icon_of(game: str) -> str:
    """Return the sign before a game's name."""
    return str(getattr(texts_of(game), "ICON", "🎴"))


@cache
def pictured(game: str) -> frozenset[str]:
    """Return the codes of a game's cards of which there are pictures, and of a card's back.

    A card of other suits may have the code of one that has a picture.
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
