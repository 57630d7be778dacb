"""The computer players of Gatto Rosso Gatto Grigio."""

from locanda.games.gatto_rosso import Event, Move, View
from services.engine.games.gatto_rosso.state import DealState
from services.engine.players.base import GamePlayers
from services.engine.players.gatto_rosso import heuristic, sampling, search

PLAYERS: GamePlayers[View, Event, Move, DealState] = GamePlayers(
    easy=heuristic.easy,
    medium=heuristic.medium,
    weigh=search.weigh,
    sample=sampling.sample,
    explain=heuristic.explain,
)
