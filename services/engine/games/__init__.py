"""The games that the engine plays: each one's `GAME`, by name, in the order of `GAME_NAMES`."""

from importlib import import_module

from locanda.games.registry import GAME_NAMES
from services.engine.games.base import AnyGame

GAMES: dict[str, AnyGame] = {name: import_module(f"services.engine.games.{name}").GAME for name in GAME_NAMES}
