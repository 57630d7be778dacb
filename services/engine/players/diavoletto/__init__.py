"""The computer players of Diavoletto."""

from services.engine.players.base import GamePlayers
from services.engine.players.diavoletto.heuristic import easy, explain, medium
from services.engine.players.diavoletto.sampling import sample
from services.engine.players.diavoletto.search import weigh

PLAYERS = GamePlayers(easy=easy, medium=medium, weigh=weigh, sample=sample, explain=explain)
