"""The computer players of Ramino with the Cuccù deck."""

from locanda.games.ramino import Event, Move, View
from services.engine.games.ramino.state import DealState
from services.engine.players.base import GamePlayers
from services.engine.players.ramino.heuristic import easy, explain, medium
from services.engine.players.ramino.sampling import sample
from services.engine.players.ramino.search import weigh

PLAYERS: GamePlayers[View, Event, Move, DealState] = GamePlayers(
    easy=easy, medium=medium, weigh=weigh, sample=sample, explain=explain
)
