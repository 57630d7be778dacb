"""The screens of every game, found by the game's name."""

from importlib import import_module
from typing import Any, TypeAlias

from locanda.games.registry import GAME_NAMES
from locanda.messages import GameInfo
from locanda.translations import Language
from services.telegram.screens.games.base import GameScreens
from services.telegram.screens.screen import bold

AnyGameScreens: TypeAlias = GameScreens[Any]

GAME_SCREENS: dict[str, AnyGameScreens] = {
    name: import_module(f"services.telegram.screens.games.{name}").SCREENS for name in GAME_NAMES
}


def game_name(game: GameInfo, language: Language) -> str:
    """Return the game's name."""
    return game.name.it if language == "it" else game.name.en


def game_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name."""
    return f"{GAME_SCREENS[game.game].icon} {game_name(game, language)}"


def bold_title(game: GameInfo, language: Language) -> str:
    """Return the game's icon and name, the name in bold."""
    return f"{GAME_SCREENS[game.game].icon} {bold(game_name(game, language))}"
