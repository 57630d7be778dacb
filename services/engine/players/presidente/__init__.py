"""The computer players of Presidente."""

from locanda.games.presidente import Event, Move, View
from services.engine.games.presidente.state import DealState
from services.engine.players.base import GamePlayers
from services.engine.players.presidente.heuristic import easy, explain, medium
from services.engine.players.presidente.sampling import sample
from services.engine.players.presidente.search import weigh

PLAYERS: GamePlayers[View, Event, Move, DealState] = GamePlayers(
    easy=easy, medium=medium, weigh=weigh, sample=sample, explain=explain
)
