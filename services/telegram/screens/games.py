"""The screens of every game, found by the game's name."""

from typing import Any, TypeAlias

from locanda.games.chat import GameScreens, bold
from locanda.games.plain import plain_screens
from locanda.games.registry import has_part, of_each_game, part
from locanda.messages import GameInfo
from locanda.translations import Language

AnyGameScreens: TypeAlias = GameScreens[Any]


def _screens(name: str) -> AnyGameScreens:
    found: AnyGameScreens = part(name, "chat").SCREENS if has_part(name, "chat") else plain_screens(name)
    return found


GAME_SCREENS: dict[str, AnyGameScreens] = of_each_game(_screens)


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en


def game_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name."""
    return f"{GAME_SCREENS[game.game].icon} {game_name(game, language)}"


def bold_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name, the name in bold."""
    return f"{GAME_SCREENS[game.game].icon} {bold(game_name(game, language))}"
