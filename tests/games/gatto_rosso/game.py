"""The `Game` object of Gatto Rosso Gatto Grigio with exact types for type checkers, which `GAMES` does not have."""

from locanda.games import choosing
from locanda.games.game import Game
from locanda.games.gatto_rosso.types import DealState, Event, Move, Options, View
from locanda.games.players import GamePlayers
from locanda.games.rules import GAMES

GAME: Game[Options, DealState, Move, View] = GAMES["gatto_rosso"]
PLAYERS: GamePlayers[View, Event, Move, DealState] = choosing.PLAYERS["gatto_rosso"]
