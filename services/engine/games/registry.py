"""The games of the house, by name. A new game is one line here."""

from services.engine.games.game import AnyGame
from services.engine.games.gatto_rosso import GATTO_ROSSO

GAMES: dict[str, AnyGame] = {game.name: game for game in (GATTO_ROSSO,)}
