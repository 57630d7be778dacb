"""The screens of every game, found by the game's name."""

from locanda.games.chat import AnyGameScreens, GameScreens, bold
from locanda.games.registry import has_part, of_each_game, part
from locanda.messages import GameInfo
from locanda.texts.games import texts_of
from locanda.translations import Language


def _screens(name: str) -> AnyGameScreens:
    found: AnyGameScreens = part(name, "chat").SCREENS if has_part(name, "chat") else GameScreens()
    return found


GAME_SCREENS: dict[str, AnyGameScreens] = of_each_game(_screens)


def icon_of(game: str) -> str:
    """Return the sign before a game's name."""
    return str(getattr(texts_of(game), "ICON", "🎴"))


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en


def game_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name."""
    return f"{icon_of(game.game)} {game_name(game, language)}"


def bold_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name, the name in bold."""
    return f"{icon_of(game.game)} {bold(game_name(game, language))}"
