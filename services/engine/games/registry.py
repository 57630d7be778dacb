"""The games of the house, by name, in the order of the catalogue. A new game is one line here."""

from services.engine.games.diavoletto import DIAVOLETTO
from services.engine.games.game import AnyGame
from services.engine.games.gatto_rosso import GATTO_ROSSO
from services.engine.games.presidente import PRESIDENTE
from services.engine.games.ramino import RAMINO

GAMES: dict[str, AnyGame] = {game.name: game for game in (GATTO_ROSSO, RAMINO, DIAVOLETTO, PRESIDENTE)}
